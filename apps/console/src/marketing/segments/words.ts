import {
  cardChoiceLabels,
  certificateChoiceLabels,
  certifiedLabels,
  couponHoldingLabels,
  deviceSystemLabels,
  riddenLabels,
  segmentEndpoints,
  type SegmentTerms,
} from '@saddle/contract/marketing/segments.ts'
import { balanceSpanLabels } from '@saddle/contract/rider/riders.ts'
import { dateOnly, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

/** Readings that an act on segments makes stale. */
export const staleSegments = [
  segmentEndpoints.listSegments,
  segmentEndpoints.segmentVersions,
  segmentEndpoints.listSegmentRiders,
  segmentEndpoints.riderTags,
]

const between = (min: string | null, max: string | null): string => {
  if (min === null) return t('最多 {{max}}', { max: max ?? '' })
  return max === null ? t('至少 {{min}}', { min }) : `${min} – ${max}`
}
const inDays = (days: number | null): string => (days === null ? t('累计') : t('近 {{count}} 天', { count: days }))
const count = (value: number | null): string | null => (value === null ? null : number(value))
const yuan = (cents: number | null): string | null => (cents === null ? null : money(cents))

type Named = ReadonlyMap<number, string>

/** The conditions of a segment, one line each; none: all riders. */
export function conditionsOf(terms: SegmentTerms, areas: Named, templates: Named): (readonly [string, string])[] {
  const names = (ids: readonly number[], of: Named) => ids.map((id) => of.get(id) ?? String(id)).join(t('、'))
  const words = <K extends string>(chosen: readonly K[], labels: Readonly<Record<K, string>>) =>
    chosen.map((one) => t(labels[one])).join(t('、'))
  const { idleMin, idleMax, ridesMin, ridesMax, spentMinCents, spentMaxCents, registeredFrom, registeredTo } = terms
  const days = (value: number | null) => (value === null ? null : t('{{count}} 天', { count: value }))
  const lines: (readonly [boolean, string, string])[] = [
    [terms.areaIds.length > 0, t('最近骑行的服务区'), names(terms.areaIds, areas)],
    [terms.ridden !== 'any', t('骑行经历'), t(riddenLabels[terms.ridden])],
    [idleMin !== null || idleMax !== null, t('距最近骑行'), between(days(idleMin), days(idleMax))],
    [
      ridesMin !== null || ridesMax !== null,
      t('骑行次数'),
      `${inDays(terms.ridesDays)} ${between(count(ridesMin), count(ridesMax))}`,
    ],
    [
      spentMinCents !== null || spentMaxCents !== null,
      t('骑行消费（元）'),
      `${inDays(terms.spentDays)} ${between(yuan(spentMinCents), yuan(spentMaxCents))}`,
    ],
    [
      registeredFrom !== null || registeredTo !== null,
      t('注册时间'),
      `${registeredFrom === null ? '' : dateOnly(registeredFrom)} – ${registeredTo === null ? '' : dateOnly(registeredTo - 1)}`,
    ],
    [terms.registeredDays !== null, t('注册'), inDays(terms.registeredDays)],
    [terms.cards.length > 0, t('卡'), words(terms.cards, cardChoiceLabels)],
    [terms.certified !== 'any', t('实名'), t(certifiedLabels[terms.certified])],
    [terms.certificates.length > 0, t('专业认证'), words(terms.certificates, certificateChoiceLabels)],
    [terms.balances.length > 0, t('余额'), words(terms.balances, balanceSpanLabels)],
    [terms.systems.length > 0, t('手机系统'), words(terms.systems, deviceSystemLabels)],
    [
      terms.couponTemplateId !== null,
      t('优惠券'),
      `${templates.get(terms.couponTemplateId ?? 0) ?? ''} ${t(couponHoldingLabels[terms.couponHolding])}`,
    ],
    [terms.tags.length > 0, t('标签'), terms.tags.join(t('、'))],
    [terms.withBanned, t('黑名单'), t('包含')],
  ]
  return lines.filter(([isAsked]) => isAsked).map(([, title, text]) => [title, text])
}
