import { cardEndpoints, type CardState } from '@saddle/contract/finance/cards.ts'
import { cardProductEndpoints, type ShelfState } from '@saddle/contract/finance/cardProducts.ts'
import { cardColourLabels, type CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import { areasText, type AreaNames } from '#kit/areaNames.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

export const cardTones = {
  waiting: 'warn',
  active: 'good',
  over: 'off',
  refunded: 'off',
  lapsed: 'off',
  revoked: 'off',
} as const satisfies Record<CardState, string>

export const shelfTones = {
  on: 'good',
  scheduled: 'info',
  sold_out: 'warn',
  over: 'off',
  paused: 'warn',
  draft: 'off',
  ended: 'off',
} as const satisfies Record<ShelfState, string>

/** Readings that a change of the mall makes stale. */
export const staleMall = [
  cardProductEndpoints.listCardProducts,
  cardProductEndpoints.sumCardProducts,
  cardProductEndpoints.cardProductVersions,
  cardProductEndpoints.cardProductFigures,
  cardEndpoints.listSoldCards,
  cardEndpoints.sumSoldCards,
]

type Promised = Pick<CardTerms, 'freeMinutes' | 'ridesPerDay' | 'percentOff' | 'maxOffCents'>

/** What a card takes off each ride, as a rider reads it. */
export function promiseText({ freeMinutes: minutes, ridesPerDay, percentOff, maxOffCents }: Promised): string {
  if (minutes === null) {
    const percent = percentOff ?? 0
    return maxOffCents === null
      ? t('每次优惠 {{percent}}%', { percent })
      : t('每次优惠 {{percent}}%，最多 {{yuan}} 元', { percent, yuan: money(maxOffCents) })
  }
  return ridesPerDay === null
    ? t('每次前 {{minutes}} 分钟免费', { minutes })
    : t('每次前 {{minutes}} 分钟免费，每天 {{count}} 次', { minutes, count: ridesPerDay })
}

/** For how long it is valid, or for how many rides. */
export const lengthText = ({ days, rides }: Pick<CardTerms, 'days' | 'rides'>): string =>
  rides === null ? t('{{count}} 天有效', { count: days }) : t('{{count}} 次，{{days}} 天内有效', { count: rides, days })

export const mallPath = '/marketing/mall-config'

/** What a version changed, each as `售价 9.90 → 12.00`. */
export function differences(before: CardTerms, after: CardTerms, names: AreaNames): string[] {
  const [old, now] = [shown(before, names), shown(after, names)]
  return now.flatMap(([label, value], index) => {
    const was = old[index]?.[1] ?? ''
    return was === value ? [] : [`${label} ${was} → ${value}`]
  })
}

const shown = (terms: CardTerms, names: AreaNames): readonly (readonly [label: string, value: string])[] => {
  const yuan = (cents: number | null): string => (cents === null ? '--' : money(cents))
  const count = (value: number | null): string => (value === null ? t('不限', { context: 'limit' }) : String(value))
  const time = (at: number | null): string =>
    at === null ? t('不限', { context: 'limit' }) : dateTime(at).slice(0, 16)
  return [
    [t('名称'), terms.name],
    [t('售价'), yuan(terms.priceCents)],
    [t('划线价'), yuan(terms.wasPriceCents)],
    [t('每次骑行'), promiseText(terms)],
    [t('有效期'), lengthText(terms)],
    [t('适用服务区'), areasText(terms.areaIds, names)],
    [t('总库存'), count(terms.stock)],
    [t('每人限购'), count(terms.riderMax)],
    [t('开售时间'), time(terms.onFrom)],
    [t('停售时间'), time(terms.onTo)],
    [t('角标'), terms.badge === '' ? '--' : terms.badge],
    [t('宣传语'), terms.slogan === '' ? '--' : terms.slogan],
    [t('卡面颜色'), t(cardColourLabels[terms.colour])],
  ]
}
