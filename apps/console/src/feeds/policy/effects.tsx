import type { ReactNode } from 'react'
import { mdsEffectDays, mdsPolicyEndpoints, type MdsRule } from '@saddle/contract/feeds/policy.ts'
import { fenceManageEndpoints } from '@saddle/contract/geography/manage.ts'
import { ReturnEffect } from '#geography/public.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'

/** What a cap would have meant: how many vehicles stood there at most, and for how long too many. */
export function CapEffect({ rule }: { readonly rule: MdsRule }): ReactNode {
  const { data, error, refetch } = useEndpoint(mdsPolicyEndpoints.mdsCapEffect, { ruleId: rule.id })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const { now, peak, peakAt, hoursOver, hours, days, isCut } = data.data
  return (
    <section aria-label={t('上一周的影响')}>
      <p>
        {t('上限 {{maximum}} 辆，现在停放 {{now}} 辆；近 {{days}} 天最多 {{peak}} 辆（{{at}}）。', {
          maximum: number(rule.maximum ?? 0),
          now: number(now),
          days: mdsEffectDays,
          peak: number(peak),
          at: dateTime(peakAt),
        })}
      </p>
      <p>
        <strong>
          {hoursOver === 0
            ? t('近 {{days}} 天没有超出上限', { days: mdsEffectDays })
            : t('近 {{hours}} 小时中有 {{over}} 小时超出上限', { hours, over: hoursOver })}
        </strong>
        {isCut && ` ${t('（停放次数过多，只看了最近的一部分）')}`}
      </p>
      <ul className="feed-days">
        {days.map((one) => (
          <li key={one.day} data-over={one.peak > (rule.maximum ?? 0) || undefined}>
            {one.day.slice(5)} <strong>{number(one.peak)}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What no-stop zones would have meant for the returns of each area. */
export function ZoneEffect({ rule }: { readonly rule: MdsRule }): ReactNode {
  if (rule.areas.length === 0) return <p>{t('规则的区域不在本公司的服务区内，无法采用。')}</p>
  return rule.areas.map((area) => <OneArea key={area.id} rule={rule} area={area} />)
}

function OneArea({ rule, area }: { readonly rule: MdsRule; readonly area: MdsRule['areas'][number] }): ReactNode {
  const { boundary, name } = rule
  const drafts = boundary.map((shape, index) => ({
    lineId: null,
    name: `${name} ${index + 1}`.slice(-80),
    capacity: null,
    hours: null,
    shape,
  }))
  const { data, error, refetch } = useEndpoint(fenceManageEndpoints.fenceEffect, {
    areaId: area.id,
    kind: 'no_stop',
    drafts,
    removes: [],
    days: mdsEffectDays,
  })
  return (
    <section aria-label={area.name}>
      <h4>{area.name}</h4>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      {data !== undefined && <ReturnEffect effect={data.data} />}
    </section>
  )
}
