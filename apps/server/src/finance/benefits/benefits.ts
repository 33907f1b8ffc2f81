import type { Benefit, BenefitKind, SkippedBenefit } from '@saddle/contract/riding/benefits.ts'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import type { Tx } from '#kit/db/pool.ts'

type Ride = { readonly agentId: number; readonly riderId: number; readonly startedAt: number }
/** What a rider has for a ride. `skipped` are benefits that cannot be used now, such as a card whose rides are used up. */
export type HeldBenefits = { readonly benefits: readonly Benefit[]; readonly skipped: readonly SkippedBenefit[] }
/** `id` is the number of the benefit at its source. */
export type BenefitUse = { readonly id: number; readonly savedCents: number }
type Charged = Omit<Ride, 'riderId'> & { readonly orderId: number }

/** Where riders get benefits from: cards, coupons, activities. */
export type BenefitSource = {
  /** The kinds of its benefits. */
  readonly kinds: readonly BenefitKind[]
  /** What may lower the charge of a ride that began then, locked until the transaction ends. */
  held(tx: Tx, ride: Ride): Promise<HeldBenefits>
  /** Stores that a ride has used them, and how much each has saved. */
  recordUses(tx: Tx, ride: Charged & { readonly uses: readonly BenefitUse[] }): Promise<void>
}

/** What the charge of a ride asks. Sources register; the ride does not know them by name. */
export type Benefits = {
  /** Adds a source when the platform is put together. Throws when another one has the same kind. */
  register(source: BenefitSource): void
  /** The benefits that a rider holds for a ride, of all sources; they are locked until the transaction ends. */
  held(tx: Tx, ride: Ride): Promise<HeldBenefits>
  /** Tells the sources which of their benefits the lines of a charge come from. */
  use(tx: Tx, ride: Charged & { readonly lines: readonly ChargeLine[] }): Promise<void>
}

export function createBenefits(): Benefits {
  const sources: BenefitSource[] = []
  return {
    register(source) {
      const taken = sources.flatMap(({ kinds }) => kinds).find((kind) => source.kinds.includes(kind))
      if (taken !== undefined) throw new Error(`two sources have the benefit ${taken}`)
      sources.push(source)
    },

    // One after the other, so that two rides lock in the same order.
    held: async (tx, ride) => {
      const [benefits, skipped]: [Benefit[], SkippedBenefit[]] = [[], []]
      for (const source of sources) {
        const held = await source.held(tx, ride)
        benefits.push(...held.benefits)
        skipped.push(...held.skipped)
      }
      return { benefits, skipped }
    },

    use: async (tx, { lines, ...ride }) => {
      const saved = savedByKind(lines)
      for (const source of sources) {
        const uses = source.kinds.flatMap((kind) => saved.get(kind) ?? [])
        if (uses.length > 0) await source.recordUses(tx, { ...ride, uses })
      }
    },
  }
}

function savedByKind(lines: readonly ChargeLine[]): Map<string, BenefitUse[]> {
  const byBenefit = new Map<string, number>()
  for (const { benefit, amountCents } of lines) {
    if (benefit !== null) byBenefit.set(benefit, (byBenefit.get(benefit) ?? 0) - amountCents)
  }
  const uses = [...byBenefit].map(([reference, savedCents]) => {
    const [kind = '', id = ''] = reference.split(':')
    return { kind, use: { id: Number(id), savedCents } }
  })
  const byKind = Map.groupBy(uses, ({ kind }) => kind)
  return new Map([...byKind].map(([kind, found]) => [kind, found.map(({ use }) => use)]))
}
