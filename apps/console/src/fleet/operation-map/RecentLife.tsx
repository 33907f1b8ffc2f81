import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { lifeEndpoints, lifeKindLabels } from '@saddle/contract/fleet/life.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { keyOfEntry, wordsOfEntry } from '../life/words.ts'

const shownEntries = 8
const refreshEveryMs = 20_000

/** The latest events of a vehicle; its full history is on the vehicle's own page. */
export function RecentLife({ vehicle }: { vehicle: { readonly id: number; readonly number: string } }): ReactNode {
  const input = { vehicleId: vehicle.id, pageSize: shownEntries }
  const { data, isError } = useEndpoint(lifeEndpoints.vehicleLife, input, {
    refetchIntervalMs: refreshEveryMs,
    quiet: true,
  })
  const list = data?.data.list
  return (
    <section aria-label={t('近期经历')}>
      <h3 className="om-life-head">
        {t('近期经历')}
        <Link to={`/vehicle-info?vehicle=${vehicle.number}`}>{t('查看完整经历')}</Link>
      </h3>
      {list === undefined && isError && <p className="om-quiet">{t('经历暂时读取不到，稍后会自动重试')}</p>}
      {list?.length === 0 && <p className="om-quiet">{t('还没有记录')}</p>}
      {list !== undefined && list.length > 0 && (
        <ol className="om-life">
          {list.map((entry) => (
            <li key={keyOfEntry(entry)} data-kind={entry.kind}>
              <span>{t(lifeKindLabels[entry.kind])}</span>
              <time>{dateTime(entry.at)}</time>
              <p>{wordsOfEntry(entry)}</p>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
