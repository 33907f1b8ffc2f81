import { emptyText } from '@saddle/contract/constants.ts'
import { money } from '#kit/format.ts'

/** Formats of the screens' figures. They are functions of the module: a number rolls again only when it changes. */
export const countText = (value: number | null): string =>
  value === null ? emptyText : Math.round(value).toLocaleString('en')
export const moneyText = (cents: number | null): string => money(cents)
/** Whole yuan: on a screen cents are noise. */
export const yuanText = (cents: number | null): string =>
  cents === null ? emptyText : Math.round(cents / 100).toLocaleString('en')
export const oneDigitText = (value: number | null): string => (value === null ? emptyText : value.toFixed(1))
export const kilometresText = (metres: number | null): string =>
  metres === null ? emptyText : (metres / 1_000).toFixed(2)
export const percentText = (value: number | null): string => (value === null ? emptyText : `${value.toFixed(1)}%`)
export const shareText = (share: number): string => `${(share * 100).toFixed(share < 1 ? 1 : 0)}%`

/** By which share a figure is above or below another; null where there is nothing to compare with. */
export function changeOf(now: number | null | undefined, before: number | null | undefined): number | null {
  if (now === null || now === undefined || before === null || before === undefined || before <= 0) return null
  return now / before - 1
}
