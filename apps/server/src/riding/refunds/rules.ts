import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import type { Refund } from '@saddle/contract/riding/refunds.ts'
import { feeOf, isFee } from '../charges/store.ts'
import { AppError } from '@saddle/contract/errors.ts'

type Line = ChargeLine & { readonly n: number }
type Parts = Refund['parts']

/** What may still be refunded of an order, and of each of its lines: never above what was paid. */
export function outlook(options: {
  chargedCents: number
  lines: readonly Line[]
  refunds: readonly Pick<Refund, 'cents' | 'parts'>[]
}): { refundableCents: number; lines: (Line & { refundableCents: number })[] } {
  const { chargedCents, lines, refunds } = options
  const refundableCents = chargedCents - refunds.reduce((sum, { cents }) => sum + cents, 0)
  const byLine = new Map<number, number>()
  for (const { n, cents } of refunds.flatMap(({ parts }) => parts)) byLine.set(n, (byLine.get(n) ?? 0) + cents)
  return {
    refundableCents,
    lines: lines.map((line) =>
      // A benefit that lowered the charge leaves less to give back than the line says.
      Object.assign({}, line, {
        refundableCents: Math.max(0, Math.min(refundableCents, line.amountCents - (byLine.get(line.n) ?? 0))),
      }),
    ),
  }
}

/** Whether the fees of the return were given back: line by line, or with all the rest of the order. */
export function isFeeRefunded(options: {
  chargedCents: number
  lines: readonly Line[]
  refunds: readonly Pick<Refund, 'cents' | 'parts'>[]
}): boolean {
  const { chargedCents, lines, refunds } = options
  const fees = lines.filter(({ code, amountCents }) => isFee(code) && amountCents > 0)
  if (feeOf(lines) <= 0) return false
  if (refunds.reduce((sum, { cents }) => sum + cents, 0) >= chargedCents) return true
  const parts = refunds.flatMap((refund) => refund.parts)
  return fees.every(
    ({ n, amountCents }) => parts.reduce((sum, part) => (part.n === n ? sum + part.cents : sum), 0) >= amountCents,
  )
}

/** What a refund amounts to. Throws refund_too_high where nothing, or less than is asked for, is left. */
export function refundOfAsked(options: {
  left: ReturnType<typeof outlook>
  cents: number | undefined
  lines: readonly number[] | undefined
}): { cents: number; parts: Parts } {
  const { left, cents, lines } = options
  if (lines === undefined) return { cents: checked(cents ?? left.refundableCents, left.refundableCents), parts: [] }
  const parts: Parts = []
  let room = left.refundableCents
  for (const n of new Set(lines)) {
    const line = left.lines.find((one) => one.n === n)
    const part = Math.min(room, line?.refundableCents ?? 0)
    if (part <= 0) throw new AppError('refund_too_high')
    room -= part
    parts.push({ n, cents: part })
  }
  return { cents: left.refundableCents - room, parts }
}

function checked(cents: number, most: number): number {
  if (cents <= 0 || cents > most) throw new AppError('refund_too_high')
  return cents
}
