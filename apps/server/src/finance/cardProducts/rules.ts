import type { CardProductState, ShelfState } from '@saddle/contract/finance/cardProducts.ts'
import type { ErrorCode } from '@saddle/contract/errors.ts'

/** As far as it decides whether a product is sold. */
export type Sale = {
  readonly state: CardProductState
  readonly on_from: Date | null
  readonly on_to: Date | null
  readonly stock: number | null
  readonly sold: number
}

/** What a product is on the shelf now. */
export function shelfStateOf({ state, on_from, on_to, stock, sold }: Sale, nowMs: number): ShelfState {
  if (state !== 'on') return state
  if (on_to !== null && on_to.getTime() <= nowMs) return 'over'
  if (stock !== null && sold >= stock) return 'sold_out'
  return on_from !== null && on_from.getTime() > nowMs ? 'scheduled' : 'on'
}

const refusals = {
  on: 'card_sold_out',
  sold_out: 'card_sold_out',
  scheduled: 'card_not_yet',
  over: 'card_off_sale',
  paused: 'card_off_sale',
  ended: 'card_off_sale',
  draft: 'not_found',
} as const satisfies Record<ShelfState, ErrorCode>

/** Why a product of which none could be taken is not sold. `on`: somebody else was faster. */
export const whyNotSold = (sale: Sale, nowMs: number): ErrorCode => refusals[shelfStateOf(sale, nowMs)]

/** The products of a company in a new order: the given ones first, the others as they were. */
export function newOrder(
  present: readonly number[],
  wanted: readonly number[],
): readonly { readonly id: number; readonly place: number }[] {
  const first = [...new Set(wanted)].filter((id) => present.includes(id))
  const rest = present.filter((id) => !first.includes(id))
  return [...first, ...rest].map((id, place) => ({ id, place }))
}
