import { useState, type ReactNode } from 'react'
import {
  parkApplicationBatchMax,
  parkApplicationEndpoints,
  parkApplicationFields,
  parkApplicationList,
  parkApplicationStateLabels,
  type ParkApplication,
  type ParkApplicationFilter,
} from '@saddle/contract/operations/parkApplications.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { areas, keyword, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateCounts } from '#kit/list/StateCounts.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList, type List } from '#kit/list/useList.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { DecideForm } from './DecideForm.tsx'
import { ParkApplicationMark } from './ParkApplicationMark.tsx'
import { ParkApplicationPanel } from './ParkApplicationPanel.tsx'

const RequestDialog = onDemand(
  () => import('./RequestDialog.tsx'),
  ({ onClose }) => onClose(),
)

const applications = listOf({
  list: parkApplicationList,
  call: parkApplicationEndpoints.listParkApplications,
  file: parkApplicationEndpoints.exportParkApplications,
  fields: parkApplicationFields,
  usual: { states: ['waiting'] },
})

/** Nobody decides about their own request. */
const isDecidable = ({ state, isOwn }: ParkApplication): boolean => state === 'waiting' && !isOwn

/** Requests for new parking spots: where people park already, on the map, decided one by one or together. */
export default function ParkApplicationsPage(): ReactNode {
  const list = useList(applications)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <ListPage
        list={list}
        title={t('停车点申请')}
        layout="queue"
        actions={
          <Button look="primary" onClick={() => setAsking(true)}>
            {t('申请停车点')}
          </Button>
        }
        above={<Counts list={list} />}
        filters={[
          keyword(t('停车点名称'), 'keyword'),
          many('states', t('状态'), parkApplicationStateLabels),
          areas('areaIds'),
          one('mine', t('申请人'), [{ value: true, label: t('只看我的') }]),
        ]}
        columns={columns}
        rowName={({ name }) => name}
        empty={t('没有待审批的申请')}
        selectable={isDecidable}
        renderTools={(rows, done) => <DecideForm chosen={rows.slice(0, parkApplicationBatchMax)} onDone={done} />}
        isWaiting={isDecidable}
        renderPanel={(row, { goOn }) => <ParkApplicationPanel key={row.id} application={row} onDecided={goOn} />}
      />
      {isAsking && <RequestDialog onClose={() => setAsking(false)} />}
    </>
  )
}

function Counts({ list }: { readonly list: List<ParkApplication, ParkApplicationFilter> }) {
  const { data } = useEndpoint(
    parkApplicationEndpoints.parkApplicationCounts,
    { filter: { ...list.filter, states: undefined } },
    { quiet: true, keepPrevious: true, refetchIntervalMs: minuteMs },
  )
  return <StateCounts list={list} name="states" labels={parkApplicationStateLabels} counts={data?.data} />
}

const columns = (): readonly ColumnSpec<ParkApplication>[] => [
  { key: 'name', card: 'head' },
  { key: 'state', card: 'head', render: ({ state }) => <ParkApplicationMark state={state} /> },
  'returns',
  'nearestM',
  'areaName',
  { key: 'capacity', card: 'none' },
  { key: 'applicantName', card: 'none' },
  { key: 'appliedAt', card: 'none' },
  { key: 'reason', card: 'none', width: 200 },
  { key: 'decidedBy', isOptional: true },
  { key: 'decidedAt', isOptional: true },
  { key: 'note', isOptional: true },
]
