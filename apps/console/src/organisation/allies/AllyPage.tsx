import { useMemo, useState, type ReactNode } from 'react'
import { allyEndpoints, allyFields, allyList, type Ally } from '@saddle/contract/organisation/allies.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { phone, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { nameOrPhone } from '../parts/nameOrPhone.ts'
import '../parts/parts.css'

const allies = listOf({
  list: allyList,
  call: allyEndpoints.listAllies,
  file: allyEndpoints.exportAllies,
  fields: allyFields,
})
const stale = [allyEndpoints.listAllies]

/** Franchise contacts, by phone number. */
export function AllyPage({ title, above }: { readonly title: string; readonly above: ReactNode }): ReactNode {
  const list = useList(allies)
  const [isAdding, setAdding] = useState(false)
  // Deletes at once: the record is small and undoing writes it again.
  const remove = useAction(allyEndpoints.removeAlly, {
    stale,
    done: () => t('已删除加盟联系人'),
    undo: (_, { phone: number, agentId }) => {
      const row = list.rows?.find((one) => one.phone === number && one.agentId === agentId)
      return row === undefined ? null : { agentId: row.agentId, phone: row.phone, name: row.name, note: row.note }
    },
  })
  const { send } = remove
  const columns = useMemo(
    () => () => columnsOf(({ agentId, phone: number }) => send({ agentId, phone: number })),
    [send],
  )
  return (
    <>
      <ListPage
        list={list}
        title={title}
        above={above}
        actions={
          <Button look="primary" onClick={() => setAdding(true)}>
            {t('登记加盟联系人')}
          </Button>
        }
        filters={[nameOrPhone()]}
        columns={columns}
        rowName={({ name }) => name}
        empty={t('还没有登记加盟联系人')}
      />
      {isAdding && (
        <FormDialog
          call={allyEndpoints.createAlly}
          about="new"
          title={t('登记加盟联系人')}
          fields={{
            phone: phone({ refusals: ['phone_taken'] }),
            name: text({ label: t('姓名') }),
            note: text({ label: t('备注'), isOptional: true }),
          }}
          input={(values) => values}
          submit={t('登记加盟联系人')}
          stale={stale}
          done={({ data: { name } }) => t('已登记加盟联系人“{{name}}”', { name })}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

const columnsOf = (remove: (row: Ally) => void): readonly ColumnSpec<Ally>[] => [
  { key: 'name', card: 'head' },
  'phone',
  'company',
  'note',
  'createdAt',
  { key: 'createdBy', card: 'none' },
  {
    key: 'acts',
    title: t('操作'),
    card: 'head',
    render: (row) => (
      <span className="org-acts">
        <button type="button" onClick={() => remove(row)}>
          {t('删除')}
        </button>
      </span>
    ),
  },
]
