import type { ReactNode } from 'react'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import type { PriceVersion } from '@saddle/contract/riding/prices.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { wordsOfReason } from '#kit/i18n/reason.ts'

interface Props {
  readonly version: PriceVersion
  /** Said beside its name. */
  readonly mark?: string | null
  /** What can be done with it. */
  readonly children?: ReactNode
}

/** A price version in words. */
export function PriceRulesCard({ version, mark = null, children }: Props): ReactNode {
  return (
    <section className="page-card">
      <h2>
        {t('计价版本：{{name}}', { name: version.name })}
        {mark !== null && <small className="order-mark">{mark}</small>}
      </h2>
      <p className="order-note">
        {t('{{from}} 起生效 · {{author}}发布', {
          from: dateTime(version.validFrom),
          author: wordsOfReason(version.authorName),
        })}
      </p>
      <dl className="detail-list order-facts">
        {wordsOf(version.rules).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  )
}

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** On which days: 1 is Monday. */
function wordsOfDays(weekdays: readonly number[]): string {
  const days = [...new Set(weekdays)].toSorted((a, b) => a - b)
  const names = [t('周一'), t('周二'), t('周三'), t('周四'), t('周五'), t('周六'), t('周日')]
  if (days.length === names.length) return t('每天')
  if (days.join() === '1,2,3,4,5') return t('周一至周五')
  return days.map((day) => names[day - 1]).join(t('、'))
}

const yuan = (cents: number): string => t('{{yuan}} 元', { yuan: money(cents) })

function wordsOf(rules: PriceRules): (readonly [string, string])[] {
  const { distance, dayCapCents, insuranceCents } = rules
  return [
    [t('起步价'), yuan(rules.startCents)],
    [t('免费时长'), t('{{count}} 秒内', { count: rules.freeSeconds })],
    ...rules.timeSteps.map(({ fromMinute, everyMinutes, cents }): readonly [string, string] => [
      t('第 {{minute}} 分钟起', { minute: fromMinute }),
      t('每 {{minutes}} 分钟 {{yuan}} 元', { minutes: everyMinutes, yuan: money(cents) }),
    ]),
    ...(distance === null
      ? []
      : [
          [
            t('里程费'),
            t('超出 {{from}} 米后每 {{every}} 米 {{yuan}} 元', {
              from: number(distance.fromM),
              every: number(distance.everyM),
              yuan: money(distance.cents),
            }),
          ] as const,
        ]),
    ...rules.bands.map((band): readonly [string, string] => [
      band.name,
      t('{{days}} {{from}}–{{to}} 加价 {{percent}}%', {
        days: wordsOfDays(band.weekdays),
        from: clock(band.fromMinute),
        to: clock(band.toMinute),
        percent: band.surchargePercent,
      }),
    ]),
    ...(dayCapCents === null ? [] : [[t('日封顶'), yuan(dayCapCents)] as const]),
    ...(insuranceCents === 0 ? [] : [[t('骑行保险'), yuan(insuranceCents)] as const]),
    [t('停车点外调度费'), yuan(rules.outOfPlaceCents)],
    [t('服务区外调度费'), yuan(rules.outsideAreaCents)],
    [t('禁停区还车费'), rules.noStopReturnAllowed ? yuan(rules.noStopCents) : t('禁停区内不能还车')],
  ]
}
