/** What a quantity costs, rounded half up to the cent once for the whole line. */
export function amountOf({
  quantity,
  priceCents,
  perQuantity,
}: {
  readonly quantity: number
  readonly priceCents: number
  readonly perQuantity: number
}): number {
  const [whole, per] = [BigInt(quantity) * BigInt(priceCents), BigInt(perQuantity)]
  return Number((whole * 2n + per) / (per * 2n))
}

/** The month `YYYY-MM` as days: its first one and the first one of the next. */
export function monthDays(month: string): { readonly first: string; readonly next: string } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`
  return { first: `${month}-01`, next }
}

export const billNumberOf = ({ month, agentId }: { readonly month: string; readonly agentId: number }): string =>
  `FW${month.replace('-', '')}-${agentId}`
