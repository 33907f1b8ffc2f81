import { cardEndpoints, type CardState } from '@saddle/contract/finance/cards.ts'
import { cardProductEndpoints, type ShelfState } from '@saddle/contract/finance/cardProducts.ts'
import type { CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import { money } from '#kit/format.ts'
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
