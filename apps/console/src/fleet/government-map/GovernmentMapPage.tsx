import { lazy, Suspense, type ReactNode } from 'react'
import { analysisEndpoints } from '@saddle/contract/fleet/analysis.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { vehicleStateLabels, vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Figure } from '#kit/charts/Figure.tsx'
import './government-map.css'

const DensityMap = lazy(() => loadChunk(() => import('./DensityMap.tsx')))

const refreshEveryMs = 30_000
type View = AnswerOf<typeof analysisEndpoints.regulatorView>['data']
type Area = View['areas'][number]
type Place = View['parking'][number]

/** What a regulator sees: numbers, densities and fences. No vehicle or rider can be identified from it. */
export default function GovernmentMapPage(): ReactNode {
  const theme = useTheme().appearance
  const { data, error, refetch } = useEndpoint(
    analysisEndpoints.regulatorView,
    {},
    { refetchIntervalMs: refreshEveryMs, keepPrevious: true },
  )
  const view = data?.data
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('政府监管地图')}</h1>
        {view !== undefined && <span className="page-note">{t('截至 {{at}}', { at: dateTime(view.at) })}</span>}
      </header>
      {view === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <Figures view={view} />
          <div className="government">
            <section className="page-card government-map">
              <Suspense fallback={<Loading />}>
                <DensityMap cells={view.cells} theme={theme} />
              </Suspense>
            </section>
            <section className="page-card government-states">
              <h2>{t('车辆状态')}</h2>
              <Bars
                label={t('车辆状态')}
                bars={vehicleStates.map((state) => ({
                  key: state,
                  label: t(vehicleStateLabels[state]),
                  value: view.states[state] ?? 0,
                }))}
              />
            </section>
          </div>
          <Areas rows={view.areas} />
          <Parking rows={view.parking} />
        </>
      )}
    </div>
  )
}

const fullness = ({ parked, capacity }: Place): number => (capacity === null || capacity === 0 ? 0 : parked / capacity)

function Figures({ view }: { view: View }) {
  const share = (count: number): string => `${((100 * count) / Math.max(1, view.total)).toFixed(1)}%`
  const overfull = view.parking.filter((place) => fullness(place) > 1).length
  return (
    <div className="figures">
      <Figure label={t('车辆总数')} value={view.total} />
      <Figure label={t('今日行程')} value={view.tripsToday} />
      <Figure
        label={t('驶出服务区')}
        value={view.outsideArea}
        note={share(view.outsideArea)}
        {...(view.outsideArea > 0 && { tone: 'warn' as const })}
      />
      <Figure
        label={t('禁停区内')}
        value={view.inNoStop}
        note={share(view.inNoStop)}
        {...(view.inNoStop > 0 && { tone: 'bad' as const })}
      />
      <Figure
        label={t('超额停车点')}
        value={overfull}
        note={t('共 {{count}} 个停车点', { count: view.parking.length })}
        {...(overfull > 0 && { tone: 'warn' as const })}
      />
    </div>
  )
}

const areas = heldListOf<Area>({
  name: 'regulated areas',
  rowKey: ({ areaId }) => areaId,
  fields: {
    areaName: '服务区',
    company: '加盟商',
    total: { title: '车辆', as: 'count' },
    available: { title: '可用', as: 'count' },
    onTrip: { title: '骑行中', as: 'count' },
    outOfService: { title: '停用', as: 'count' },
    outsideArea: { title: '驶出服务区', as: 'count' },
    inNoStop: { title: '禁停区内', as: 'count' },
    tripsToday: { title: '今日行程', as: 'count' },
  },
  sorts: {
    total: ['desc', (row) => row.total],
    areaName: ['asc', (row) => row.areaName],
    company: ['asc', (row) => row.company],
    available: ['desc', (row) => row.available],
    onTrip: ['desc', (row) => row.onTrip],
    outOfService: ['desc', (row) => row.outOfService],
    outsideArea: ['desc', (row) => row.outsideArea],
    inNoStop: ['desc', (row) => row.inNoStop],
    tripsToday: ['desc', (row) => row.tripsToday],
  },
})

const areaColumns = (): readonly ColumnSpec<Area>[] => [
  { key: 'areaName', card: 'head' },
  { key: 'company', card: 'none' },
  'total',
  { key: 'available', card: 'none' },
  { key: 'onTrip', card: 'none' },
  { key: 'outOfService', title: t('停用', { context: 'vehicles' }), card: 'none' },
  'outsideArea',
  'inNoStop',
  'tripsToday',
]

function Areas({ rows }: { readonly rows: readonly Area[] }) {
  const list = useHeldList(areas, { rows })
  return (
    <ListCard
      list={list}
      title={t('按服务区')}
      label={t('按服务区')}
      columns={areaColumns}
      empty={t('范围内还没有车辆')}
    />
  )
}

/** The fullest first: those need attention. */
const parking = heldListOf<Place>({
  name: 'regulated parking',
  rowKey: ({ fenceId }) => fenceId,
  fields: { name: '停车点', parked: { title: '停放', as: 'count' }, capacity: { title: '容量', as: 'count' } },
  sorts: {
    share: ['desc', fullness],
    name: ['asc', (row) => row.name],
    parked: ['desc', (row) => row.parked],
    capacity: ['desc', (row) => row.capacity],
  },
})

const parkingColumns = (): readonly ColumnSpec<Place>[] => [
  { key: 'name', card: 'head' },
  'parked',
  'capacity',
  {
    key: 'share',
    title: t('占用'),
    unit: '%',
    numeric: true,
    render: (place) => {
      const share = (100 * fullness(place)).toFixed(0)
      return fullness(place) > 1 ? <Mark tone="bad">{share}</Mark> : share
    },
  },
]

function Parking({ rows }: { readonly rows: readonly Place[] }) {
  const list = useHeldList(parking, { rows })
  return (
    <ListCard
      list={list}
      title={t('停车点占用')}
      label={t('停车点占用')}
      columns={parkingColumns}
      empty={t('还没有停车点')}
    />
  )
}
