import { useState, type ReactNode } from 'react'
import { fixReasonFields, repairConfigEndpoints, type FixReason } from '@saddle/contract/operations/repairConfig.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { KeywordField } from '#kit/list/filters/KeywordField.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { MoreMenu } from '#kit/ui/MoreMenu.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { staleConfig } from './stale.ts'

const ReasonDialog = onDemand(
  () => import('./ReasonDialog.tsx'),
  ({ onClose }) => onClose(),
)

const reasons = heldListOf<FixReason>({
  name: 'repair-reasons',
  fields: fixReasonFields,
  sorts: { position: ['asc', ({ position }) => position], name: ['asc', ({ name }) => name] },
})

interface Props {
  readonly agentId: number
  readonly list: readonly FixReason[]
}

/** The reasons for a repair, in the order in which they are offered. */
export function Reasons({ agentId, list: all }: Props): ReactNode {
  const [keyword, setKeyword] = useState('')
  const [editing, setEditing] = useState<FixReason | 'new' | null>(null)
  const removed = (id: unknown) => all.find((reason) => reason.id === Number(id))
  const remove = useAction(repairConfigEndpoints.removeFixReason, {
    stale: staleConfig,
    done: (_, { id }) => t('已删除故障原因“{{name}}”', { name: removed(id)?.name ?? '' }),
    undo: (_, { id }) => {
      const gone = removed(id)
      if (gone === undefined) return null
      const { name, forRiders, position } = gone
      return { agentId, name, forRiders, position }
    },
  })
  const shown = all.filter(({ name }) => name.includes(keyword))
  const list = useHeldList(reasons, { rows: shown, fileName: 'fix-reasons' })
  return (
    <>
      <search className="filters" aria-label={t('筛选条件')}>
        <KeywordField label={t('故障原因')} value={keyword} onChange={setKeyword} />
      </search>
      <ListCard
        list={list}
        label={t('故障原因')}
        extra={
          <Permit action="0501">
            <Button look="primary" onClick={() => setEditing('new')}>
              {t('新增故障原因')}
            </Button>
          </Permit>
        }
        columns={[
          'position',
          { key: 'name', card: 'head' },
          'forRiders',
          {
            key: 'more',
            title: t('操作'),
            card: 'head',
            render: (row) => (
              <MoreMenu
                label={t('“{{name}}”的操作', { name: row.name })}
                actions={[
                  { key: 'edit', label: t('修改'), permission: '0501', run: () => setEditing(row) },
                  {
                    key: 'remove',
                    label: t('删除'),
                    permission: '0501',
                    isDanger: true,
                    run: () => remove.send({ id: row.id }),
                  },
                ]}
              />
            ),
          },
        ]}
        rowName={({ name }) => name}
        empty={keyword === '' ? t('还没有故障原因') : t('没有符合条件的记录')}
      />
      {editing !== null && (
        <ReasonDialog
          agentId={agentId}
          reason={editing === 'new' ? null : editing}
          next={Math.max(0, ...all.map(({ position }) => position)) + 10}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}
