import { lazy, Suspense, type ReactNode } from 'react'
import { analysisEndpoints } from '@saddle/contract/fleet/analysis.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { vehicleStateLabels, vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Figure } from '#kit/charts/Figure.tsx'
import './government-map.css'

const DensityMap = lazy(() => loadChunk(() => import('./DensityMap.tsx')))

const refreshEveryMs = 30_000
type View = AnswerOf<typeof analysisEndpoints.regulatorView>['data']
type Area = View['areas'][number]
type Place = View['parking'][number]

/** What a regulator sees: numbers, densities and fences. No vehicle and no rider can be told from it. */
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
        {view !== undefined && <span className="list-count">{t('截至 {{at}}', { at: dateTime(view.at) })}</span>}
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
          <section className="page-card">
            <h2>{t('按服务区')}</h2>
            <DataTable<Area>
              label={t('按服务区')}
              columns={areaColumns}
              rows={view.areas}
              rowKey={(area) => area.areaId}
              cardHead={(area) => area.areaName}
            />
          </section>
          <section className="page-card">
            <h2>{t('停车点占用')}</h2>
            <DataTable<Place>
              label={t('停车点占用')}
              columns={parkingColumns}
              rows={view.parking.toSorted((a, b) => fullness(b) - fullness(a)).slice(0, shownPlaces)}
              rowKey={(place) => place.fenceId}
              cardHead={(place) => place.name}
              empty={<Empty title={t('还没有停车点')} />}
            />
          </section>
        </>
      )}
    </div>
  )
}

/** The fullest places; where nothing is wrong nobody looks. */
const shownPlaces = 30
const fullness = ({ parked, capacity }: Place): number => (capacity === null || capacity === 0 ? 0 : parked / capacity)

function Figures({ view }: { view: View }) {
  const share = (count: number): string => `${((100 * count) / Math.max(1, view.total)).toFixed(1)}%`
  const overfull = view.parking.filter((place) => fullness(place) > 1).length
  return (
    <div className="figures">
      <Figure label={t('车辆总数')} value={view.total} />
      <Figure label={t('今日骑行')} value={view.tripsToday} />
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

const column = (key: string, title: string, value: (area: Area) => number): Column<Area> => ({
  key,
  title,
  numeric: true,
  render: value,
})

const areaColumns: readonly Column<Area>[] = [
  { key: 'area', title: t('服务区'), inHead: true, render: (area) => area.areaName },
  { key: 'company', title: t('加盟商'), render: (area) => area.company },
  column('total', t('车辆'), (area) => area.total),
  column('available', t('可用'), (area) => area.available),
  column('trip', t('骑行中'), (area) => area.onTrip),
  column('out', t('停用', { context: 'vehicles' }), (area) => area.outOfService),
  column('outside', t('驶出服务区'), (area) => area.outsideArea),
  column('nostop', t('禁停区内'), (area) => area.inNoStop),
  column('trips', t('今日骑行'), (area) => area.tripsToday),
]

const parkingColumns: readonly Column<Place>[] = [
  { key: 'name', title: t('停车点'), inHead: true, render: (place) => place.name },
  { key: 'parked', title: t('停放'), numeric: true, render: (place) => place.parked },
  { key: 'capacity', title: t('容量'), numeric: true, render: (place) => place.capacity ?? '--' },
  {
    key: 'share',
    title: t('占用'),
    unit: '%',
    numeric: true,
    render: (place) => (
      <span data-tone={fullness(place) > 1 ? 'bad' : undefined}>{(100 * fullness(place)).toFixed(0)}</span>
    ),
  },
]
