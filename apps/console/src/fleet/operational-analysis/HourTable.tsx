import type { ReactNode } from 'react'
import { analysisEndpoints } from '@saddle/contract/fleet/analysis.ts'
import { businessDayStart, hourMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { daysBetween, type Span } from '#kit/span.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** Steps of darkness. */
const levels = 10
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** When people ride: weekday by hour, the fuller the darker; the figure is in each cell. */
export function HourTable({ from, to }: { from: string; to: string }): ReactNode {
  const { data, error, refetch } = useEndpoint(analysisEndpoints.tripsByHour, { from, to }, { keepPrevious: true })
  const list = data?.data.list
  if (list === undefined) {
    return (
      <section className="page-card">
        {error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </section>
    )
  }
  const count = (weekday: number, hour: number): number =>
    list.find((row) => row.weekday === weekday && row.hour === hour)?.trips ?? 0
  const most = Math.max(1, ...list.map((row) => row.trips))
  const names = [t('周一'), t('周二'), t('周三'), t('周四'), t('周五'), t('周六'), t('周日')]
  return (
    <section className="page-card">
      <h2>{t('星期与小时')}</h2>
      <div className="hours-scroll">
        <table className="hours" aria-label={t('星期与小时')}>
          <thead>
            <tr>
              <th scope="col">{t('小时')}</th>
              {hours.map((hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekdays.map((weekday) => (
              <tr key={weekday}>
                <th scope="row">{names[weekday - 1]}</th>
                {hours.map((hour) => (
                  <td key={hour} data-level={Math.ceil((count(weekday, hour) / most) * levels)}>
                    {isToCome({ from, to }, weekday, hour) ? '' : count(weekday, hour)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Whether no day of the span has had this hour of its week yet: a zero would say that nobody rode. */
function isToCome({ from, to }: Span, weekday: number, hour: number): boolean {
  const now = serverNow()
  const days = daysBetween(from, to).filter((day) => (new Date(`${day}T00:00:00Z`).getUTCDay() || 7) === weekday)
  return days.every((day) => businessDayStart(day) + hour * hourMs > now)
}
