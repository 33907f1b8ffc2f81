import type { Benefit, BenefitKind, SkippedBenefit } from '@saddle/contract/riding/benefits.ts'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import type { HeldBenefits } from '#finance/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Price } from '#riding/demoDoor.ts'

/** What lowers the charge of rides of the demo's past, by the rules of the platform, while they are booked in the order of time. */

export type PastRide = {
  readonly agentId: number
  readonly riderId: number
  readonly areaId: number
  readonly startedAt: number
  readonly endedAt: number
}
export type BookedRide = PastRide & { readonly orderId: number; readonly lines: readonly ChargeLine[] }

export type PastBenefits = {
  /** Does what was to be done until then: all rides that ended before are booked and paid. */
  reach(at: number): Promise<void>
  /** When something is to be done next: rides that end later wait for it. */
  nextAt(): number
  /** Before rides are priced: what their riders buy for them. */
  plan(rides: readonly PastRide[]): Promise<void>
  /** What a rider has for a ride. */
  held(ride: PastRide): HeldBenefits
  /** The benefits of a charge that have no room for it any more, as its lines name them. */
  refused(ride: PastRide, lines: readonly ChargeLine[]): readonly string[]
  /** Takes what a charge uses. */
  take(ride: PastRide, lines: readonly ChargeLine[]): void
  /** Stores what charges have used, with their orders. */
  store(tx: Tx, rides: readonly BookedRide[]): Promise<void>
  /** After the last ride: what became of it since. */
  finish(): Promise<void>
}
export type PastSource = Partial<PastBenefits>

/** Sources as one; each step goes through them in their order. */
export function together(sources: readonly PastSource[]): PastBenefits {
  const inTurn = async (step: (source: PastSource) => Promise<void> | undefined): Promise<void> => {
    for (const source of sources) await step(source)
  }
  return {
    reach: (at) => inTurn((source) => source.reach?.(at)),
    nextAt: () => Math.min(...sources.map((source) => source.nextAt?.() ?? Infinity)),
    plan: (rides) => inTurn((source) => source.plan?.(rides)),
    held: (ride) => {
      const all = sources.flatMap((source) => source.held?.(ride) ?? [])
      return {
        benefits: all.flatMap(({ benefits }) => benefits),
        skipped: all.flatMap(({ skipped }) => skipped),
      }
    },
    refused: (ride, lines) => sources.flatMap((source) => source.refused?.(ride, lines) ?? []),
    take: (ride, lines) => {
      for (const source of sources) source.take?.(ride, lines)
    },
    store: (tx, rides) => inTurn((source) => source.store?.(tx, rides)),
    finish: () => inTurn((source) => source.finish?.()),
  }
}

/** What a person or the platform did at a moment of the past. */
export type PastEvent = { readonly at: number; readonly run: () => Promise<void> }

/** Events, each at its time; one that fails is left out. */
export function pastEvents({ log }: Pick<Kit, 'log'>, events: readonly PastEvent[]): PastSource {
  const left = events.toSorted((a, b) => a.at - b.at)
  return {
    nextAt: () => left[0]?.at ?? Infinity,
    reach: async (at) => {
      for (let next = left[0]; next !== undefined && next.at <= at; next = left[0]) {
        left.shift()
        try {
          await next.run()
        } catch (err) {
          log.warn({ err, at: next.at }, 'an event of the past of the demo is left out')
        }
      }
    },
  }
}

/** What is left of a budget while rides are priced. */
export type Budget = { cents: number; uses: number }

export const budgetLeft = (row: {
  readonly budget_cents: number | null
  readonly budget_uses: number | null
  readonly used_cents: number
  readonly uses: number
}): Budget => ({
  cents: row.budget_cents === null ? Infinity : row.budget_cents - row.used_cents,
  uses: row.budget_uses === null ? Infinity : row.budget_uses - row.uses,
})

/** What the lines of a charge took off by the benefits of some kinds, by the number of each. */
export function savedBy(lines: readonly ChargeLine[], ...kinds: readonly BenefitKind[]): ReadonlyMap<number, number> {
  const saved = new Map<number, number>()
  for (const { benefit, amountCents } of lines) {
    const [kind, id] = benefit?.split(':') ?? []
    if (kinds.some((one) => one === kind)) saved.set(Number(id), (saved.get(Number(id)) ?? 0) - amountCents)
  }
  return saved
}

/** Prices a ride with what its rider has; what has no room for it is left out, as when the platform loses a race. */
export function priceAndTake(
  benefits: PastBenefits | null,
  ride: PastRide,
  priceWith: (held: readonly Benefit[]) => Price,
): Price {
  if (benefits === null) return priceWith([])
  const held = benefits.held(ride)
  const skipped: SkippedBenefit[] = [...held.skipped]
  let left = held.benefits
  for (;;) {
    const price = priceWith(left)
    const refused = benefits.refused(ride, price.lines)
    if (refused.length === 0) {
      benefits.take(ride, price.lines)
      return { ...price, skipped: [...skipped, ...price.skipped] }
    }
    const isRefused = ({ kind, id }: Benefit): boolean => refused.includes(`${kind}:${id}`)
    for (const { kind, id, name } of left.filter(isRefused)) skipped.push({ kind, id, name, why: 'budget_spent' })
    const others = left.filter((one) => !isRefused(one))
    if (others.length === left.length) throw new Error('a benefit was refused that the rider does not have')
    left = others
  }
}
