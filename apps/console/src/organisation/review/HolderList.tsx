import { useMemo, type ReactNode } from 'react'
import { holderFields, holderList, reviewEndpoints, type Holder } from '@saddle/contract/organisation/review.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Mark } from '#kit/ui/Mark.tsx'

const holders = listOf({
  list: holderList,
  call: reviewEndpoints.listHolders,
  file: reviewEndpoints.exportHolders,
  fields: holderFields,
  rowKey: ({ operatorId }) => operatorId,
})

interface Props {
  readonly code: string
  readonly onPerson: (operatorId: number) => void
}

/** Everybody who has a permission, and by which role. */
export function HolderList({ code, onPerson }: Props): ReactNode {
  const fixed = useMemo(() => ({ code }), [code])
  const list = useList(holders, { fixed })
  return (
    <ListCard
      list={list}
      label={t('持有者')}
      filters={[keyword(t('姓名'), 'keyword')]}
      columns={columns}
      rowName={({ name }) => name}
      empty={t('没有人持有此权限')}
      onOpen={({ operatorId }) => onPerson(operatorId)}
    />
  )
}

const columns = (): readonly ColumnSpec<Holder>[] => [
  { key: 'name', card: 'head' },
  'phone',
  'company',
  'roleName',
  {
    key: 'areaCount',
    render: ({ allAreas, areaCount }) => (allAreas ? t('全部') : t('{{count}} 个', { count: areaCount })),
  },
  {
    key: 'active',
    render: ({ active }) => (active ? t('是') : <Mark tone="bad">{t('否，人员、角色或公司已停用')}</Mark>),
  },
]
