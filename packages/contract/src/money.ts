/** Money is whole cents. These are its forms in text: of a file or a reason, and as somebody types it. */

/** Cents as yuan with two decimals, `1234.50`, without a separator of thousands. */
export function yuanText(cents: number): string {
  const whole = Math.abs(cents)
  return `${cents < 0 ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}

/** Cents as the number of yuan, for a column of a file that people sum up. */
export const yuanOf = (cents: number): number => cents / 100

/** Yuan with at most two decimals, as somebody types them, in cents; null for anything else. */
export function centsOfYuan(text: string, digitsMax = 7): number | null {
  const found = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim())
  const [, whole = '', part = ''] = found ?? []
  if (found === null || whole.length > digitsMax) return null
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}
