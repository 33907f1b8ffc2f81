import type { ReactNode } from 'react'
import { rebalancingEndpoints, type Tour } from '@saddle/contract/operations/rebalancing.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { navigationLinks } from '#kit/map/navigation.ts'
import { useEndpoint } from '#kit/query.ts'
import { kilometres } from '../rebalancing/words.ts'
import './tour.css'

const refreshEveryMs = 30_000

/** The van's stops of the person's tours, in their order; a vehicle opens its task. Nothing without a tour. */
export function Tours({ onOpen }: { readonly onOpen: (taskId: number) => void }): ReactNode {
  const { data } = useEndpoint(
    rebalancingEndpoints.listTours,
    { mine: true },
    { quiet: true, keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  return data?.data.list.map((tour) => <OneTour key={tour.id} tour={tour} onOpen={onOpen} />)
}

function OneTour({ tour, onOpen }: { readonly tour: Tour; readonly onOpen: (taskId: number) => void }) {
  const isOver = (stop: Tour['stops'][number]): boolean => stop.vehicles.every(({ isDone }) => isDone)
  const next = tour.stops.findIndex((stop) => !isOver(stop))
  return (
    <section className="field-tour" aria-label={t('调度路线')}>
      <h2>
        {t('调度路线')}
        <small>
          {tour.areaName} · {t('{{count}} 站', { count: tour.stops.length })} · {kilometres(tour.distanceM)} km ·{' '}
          {dateTime(tour.madeAt).slice(5, 16)}
        </small>
      </h2>
      <ol>
        {tour.stops.map((stop, at) => (
          <li
            key={`${stop.fenceId} ${stop.vehicles[0]?.taskId ?? at} ${stop.load}`}
            data-done={isOver(stop)}
            data-next={at === next}
          >
            <div className="field-tour-stop">
              <b data-takes={stop.load > 0}>
                {stop.load > 0
                  ? t('装 {{count}} 辆', { count: stop.load })
                  : t('卸 {{count}} 辆', { count: -stop.load })}
              </b>
              <span>{stop.name}</span>
              {at === next && <a href={navigationLinks(stop, stop.name).amap}>{t('导航')}</a>}
            </div>
            {at === next && (
              <div className="field-tour-vehicles">
                {stop.vehicles.map(({ taskId, number, isDone }) => (
                  <button key={taskId} type="button" data-done={isDone} onClick={() => onOpen(taskId)}>
                    {number}
                    {isDone && ' ✓'}
                  </button>
                ))}
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
