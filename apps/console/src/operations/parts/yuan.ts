/** What somebody typed as yuan, in cents; null where it is no amount. */
export function centsOf(text: string): number | null {
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(text.trim())) return null
  return Math.round(Number(text) * 100)
}
