const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** A number with thousands separators and at most two decimals: `1,234`. */
export const number = (value: number): string => numbers.format(value)

/** With its sign and one decimal: `+3.2`, `-1.0`; what rounds to nothing has no sign. */
export function signedTenths(value: number): string {
  const text = Math.abs(value).toFixed(1)
  return text === '0.0' ? text : `${value > 0 ? '+' : '-'}${text}`
}
