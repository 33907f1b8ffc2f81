import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import {
  workAreaEndpoints,
  workAreaFields,
  type WorkArea,
  type WorkAreaRow,
} from '@saddle/contract/operations/workAreas.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { keyword } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useFilters } from '#kit/list/useFilters.ts'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { useEndpoint } from '#kit/query.ts'
import { spanText } from '../parts/words.ts'
import { tasksOf, WorkAreaPanel } from './WorkAreaPanel.tsx'
import './workAreas.css'

const WorkAreaForm = onDemand(
  () => import('./WorkAreaForm.tsx'),
  ({ onClose }) => onClose(),
)
const refreshEveryMs = minuteMs
const filterSchema = z.strictObject({ keyword: z.string().min(1).max(40).optional() })
type AreaFilter = z.output<typeof filterSchema>

const areaList = heldListOf<WorkAreaRow>({
  name: 'work-areas',
  fields: workAreaFields,
  sorts: {
    overdue: ['desc', ({ overdue }) => overdue],
    areaName: ['asc', ({ areaName }) => areaName],
    company: ['asc', ({ company }) => company],
    vehicles: ['desc', ({ vehicles }) => vehicles],
    open: ['desc', ({ open }) => open],
    inWork: ['desc', ({ inWork }) => inWork],
    doneToday: ['desc', ({ doneToday }) => doneToday],
    medianMinutes: ['desc', ({ medianMinutes }) => medianMinutes],
    inTimePercent: ['asc', ({ inTimePercent }) => inTimePercent],
  },
  rowKey: ({ areaId }) => areaId,
})

/** Areas of field work: who works where, by when, and how much there is to do. */
export default function WorkAreasPage(): ReactNode {
  const reading = useEndpoint(workAreaEndpoints.listWorkAreas, {}, { refetchIntervalMs: refreshEveryMs })
  const { data, error, refetch } = reading
  const filters = useFilters<AreaFilter>(filterSchema)
  const [editing, setEditing] = useState<WorkArea | null>(null)
  const { keyword: word = '' } = filters.filter
  const areas = data?.data.list
  const rows = areas
    ?.map((area): WorkAreaRow => ({ ...area, people: area.people.map(({ name }) => name) }))
    .filter(({ areaName, company, people }) => [areaName, company, ...people].some((text) => text.includes(word)))
  const held = useHeldList(areaList, { rows, error, retry: () => void refetch(), fileName: 'work-areas' })
  const { filter, conditions, change, clear } = filters
  const list = { ...held, declaration: { ...held.declaration, usual: {} }, filter, conditions, change, clear }
  return (
    <>
      <ListPage
        list={list}
        title={t('区域管理')}
        filters={[keyword<AreaFilter>(t('服务区、加盟商或人员'), 'keyword')]}
        columns={columns}
        rowName={({ areaName }) => areaName}
        empty={t('没有服务区')}
        renderPanel={({ areaId }) => {
          const area = areas?.find((one) => one.areaId === areaId)
          return area === undefined ? null : <WorkAreaPanel key={areaId} area={area} onEdit={() => setEditing(area)} />
        }}
      />
      {editing !== null && <WorkAreaForm area={editing} onClose={() => setEditing(null)} />}
    </>
  )
}

const columns = (): readonly ColumnSpec<WorkAreaRow>[] => [
  { key: 'areaName', card: 'head' },
  'company',
  { key: 'overdue', render: (row) => <Count row={row} count={row.overdue} filter={{ overdue: true }} isBad /> },
  { key: 'open', render: (row) => <Count row={row} count={row.open} filter={{ states: ['open'] }} /> },
  {
    key: 'inWork',
    render: (row) => <Count row={row} count={row.inWork} filter={{ states: ['claimed', 'on_site'] }} />,
  },
  {
    key: 'doneToday',
    render: ({ doneToday, doneYesterday }) => (
      <>
        {doneToday} <small className="area-change">{changeText(doneToday - doneYesterday)}</small>
      </>
    ),
  },
  {
    key: 'medianMinutes',
    unit: '',
    render: ({ medianMinutes }) => (medianMinutes === null ? '--' : spanText(medianMinutes * minuteMs)),
  },
  {
    key: 'inTimePercent',
    unit: '%',
    render: ({ inTimePercent }) => (inTimePercent === null ? '--' : Math.round(inTimePercent)),
  },
  { key: 'vehicles', card: 'none', render: (row) => <Link to={vehiclesOf(row.areaId)}>{number(row.vehicles)}</Link> },
  {
    key: 'people',
    card: 'none',
    render: ({ people }) => (people.length === 0 ? t('还没有指定负责人员') : people.join('、')),
  },
]

const vehiclesOf = (areaId: number): string =>
  `/vehicle/vehicle-query?filter=${encodeURIComponent(JSON.stringify({ areaIds: [areaId] }))}`

const changeText = (change: number): string =>
  t('较昨日同时 {{change}}', { change: change > 0 ? `+${change}` : String(change) })

function Count(props: {
  readonly row: WorkAreaRow
  readonly count: number
  readonly filter: object
  readonly isBad?: boolean
}) {
  const { row, count, filter, isBad = false } = props
  return (
    <Link to={tasksOf(row.areaId, filter)} data-tone={isBad && count > 0 ? 'bad' : undefined}>
      {count}
    </Link>
  )
}
