import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  workGroupFields,
  type NamedWork,
  type WorkGroup,
  type WorkNarrow,
  type WorkPage,
} from '@saddle/contract/operations/statistics/work.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import type { Figures } from './question.ts'
import { statisticsValue } from './StatisticsFigure.tsx'

const numberKeys = [
  'done',
  'perDay',
  'perHour',
  'waitMinutes',
  'workMinutes',
  'onTime',
  'gain',
  'photo',
  'rejected',
  'partsCents',
  'payCents',
] as const
type NumberKey = (typeof numberKeys)[number]

/** Figures that belong to some pages only. */
const pagesOf: Readonly<Partial<Record<NumberKey, readonly WorkPage[]>>> = {
  gain: ['swap'],
  photo: ['inspection', 'move'],
  partsCents: ['repair'],
}
const digitsOf: Readonly<Partial<Record<NumberKey, number>>> = { perDay: 1, perHour: 1, onTime: 1, gain: 1, photo: 1 }
const keysOf = (page: WorkPage) => numberKeys.filter((key) => pagesOf[key]?.includes(page) ?? true)

const listOfPage = (page: WorkPage) => {
  const keys = keysOf(page)
  return heldListOf<WorkGroup>({
    name: `work-groups-${page}`,
    fields: Object.fromEntries(['name' as const, ...keys].map((key) => [key, workGroupFields[key]])),
    sorts: Object.fromEntries(keys.map((key) => [key, ['desc', (row: WorkGroup) => row[key]] as const])),
    rowKey: ({ areaId, name }) => `${areaId ?? ''} ${name}`,
  })
}
const lists = {
  swap: listOfPage('swap'),
  repair: listOfPage('repair'),
  inspection: listOfPage('inspection'),
  move: listOfPage('move'),
} as const

const groupOf = (row: NamedWork): WorkGroup => ({
  name: row.name,
  areaId: row.areaId,
  done: row.done,
  perDay: statisticsValue('workPerPersonDay', row),
  perHour: statisticsValue('workPerHour', row),
  waitMinutes: statisticsValue('workWaitMinutes', row),
  workMinutes: statisticsValue('workActiveMinutes', row),
  onTime: statisticsValue('workOnTimePercent', row),
  gain: statisticsValue('batteryGainPercent', row),
  photo: statisticsValue('workPhotoPercent', row),
  rejected: row.rejected,
  partsCents: row.partsCents,
  payCents: row.payCents,
})

interface Props {
  readonly page: WorkPage
  readonly figures: Figures
  /** The same page, narrowed. */
  readonly link: (more: Partial<WorkNarrow>) => string
}

/** Who did it, and where. */
export function WorkGroups({ page, figures, link }: Props): ReactNode {
  return (
    <>
      <Group page={page} title={t('按人员')} rows={figures.persons} to={({ name }) => link({ persons: [name] })} />
      <Group
        page={page}
        title={t('按服务区')}
        rows={figures.areas}
        to={({ areaId }) => link(areaId === null ? {} : { areaIds: [areaId] })}
      />
    </>
  )
}

interface GroupProps {
  readonly page: WorkPage
  readonly title: string
  readonly rows: readonly NamedWork[]
  readonly to: (row: WorkGroup) => string
}

function Group({ page, title, rows, to }: GroupProps) {
  const groups = useMemo(() => rows.map(groupOf), [rows])
  const list = useHeldList(lists[page], { rows: groups, fileName: `${page}-${title}` })
  if (rows.length === 0) return null
  const columns: readonly ColumnSpec<WorkGroup>[] = [
    { key: 'name', card: 'head', render: (row) => <Link to={to(row)}>{row.name}</Link> },
    ...keysOf(page).map((key) => {
      const isMoney = key === 'payCents' || key === 'partsCents'
      return isMoney ? key : { key, render: (row: WorkGroup) => row[key]?.toFixed(digitsOf[key] ?? 0) ?? '--' }
    }),
  ]
  return (
    <section>
      <h2 className="work-heading">{title}</h2>
      <ListCard list={list} label={title} columns={columns} rowName={({ name }) => name} />
    </section>
  )
}
