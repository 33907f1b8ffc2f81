import {
  benefitKinds,
  type Benefit,
  type BenefitKind,
  type SkippedBenefit,
  type SkipReason,
} from '@saddle/contract/riding/benefits.ts'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import type { Tx } from '#kit/db/pool.ts'
import { codeOf } from '#kit/codes.ts'

type Ride = {
  readonly agentId: number
  readonly riderId: number
  readonly startedAt: number
  readonly endedAt: number
}
/** What a rider has for a ride. `skipped` are benefits that cannot be used now, such as a card whose rides are used up. */
export type HeldBenefits = { readonly benefits: readonly Benefit[]; readonly skipped: readonly SkippedBenefit[] }
/** `id` is the number of the benefit at its source. */
export type BenefitUse = { readonly id: number; readonly savedCents: number }
type Charged = Ride & { readonly orderId: number }
/** The use could not be stored: another ride or the operator of the activity changed the benefit first. */
export type RefusedUse = { readonly id: number; readonly why: SkipReason }
/** A benefit whose use was refused. */
export type RefusedBenefit = RefusedUse & { readonly kind: BenefitKind }
type Refunded = { readonly agentId: number; readonly orderId: number; readonly at: number }

/** Where riders get benefits from: cards, coupons, activities. */
export type BenefitSource = {
  /** The kinds of its benefits. */
  readonly kinds: readonly BenefitKind[]
  /**
   * What may lower the charge of a ride. A source either locks it until the transaction ends, or looks again in
   * `recordUses` whether it may still be used.
   */
  held(tx: Tx, ride: Ride): Promise<HeldBenefits>
  /** Stores that a ride has used them, and how much each has saved. Answers with those that cannot be used any more. */
  recordUses(tx: Tx, ride: Charged & { readonly uses: readonly BenefitUse[] }): Promise<readonly RefusedUse[]>
  /** All of an order's charge was refunded: what can be used again is given back to the rider, once. */
  giveBack?(tx: Tx, order: Refunded): Promise<void>
}

/** What the charge of a ride calls. Sources register here, so the ride does not know them by name. */
export type Benefits = {
  /** Adds a source when the platform is put together. Throws when another one has the same kind. */
  register(source: BenefitSource): void
  /** The benefits that a rider holds for a ride, of all sources. */
  held(tx: Tx, ride: Ride): Promise<HeldBenefits>
  /**
   * Tells the sources which of their benefits the lines of a charge come from. Answers with the benefits that were
   * refused: then the caller takes back to a savepoint what was stored, and prices again without them.
   */
  use(tx: Tx, ride: Charged & { readonly lines: readonly ChargeLine[] }): Promise<readonly RefusedBenefit[]>
  /** Tells the sources that all of an order's charge was refunded. */
  giveBack(tx: Tx, order: Refunded): Promise<void>
}

export function createBenefits(): Benefits {
  const sources: BenefitSource[] = []
  return {
    register(source) {
      const taken = sources.flatMap(({ kinds }) => kinds).find((kind) => source.kinds.includes(kind))
      if (taken !== undefined) throw new Error(`two sources have the benefit ${taken}`)
      sources.push(source)
    },

    // In sequence, so that two rides lock in the same order.
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
      const used = usesOf(lines)
      const refused: RefusedBenefit[] = []
      for (const { kinds, recordUses } of sources) {
        const own = used.filter(({ kind }) => kinds.includes(kind))
        if (own.length === 0) continue
        const uses = own.map(({ id, savedCents }) => ({ id, savedCents }))
        for (const { id, why } of await recordUses(tx, { ...ride, uses })) {
          refused.push(...own.filter((use) => use.id === id).map(({ kind }) => ({ kind, id, why })))
        }
      }
      return refused
    },

    giveBack: async (tx, order) => {
      for (const source of sources) await source.giveBack?.(tx, order)
    },
  }
}

function usesOf(lines: readonly ChargeLine[]): (BenefitUse & { readonly kind: BenefitKind })[] {
  const byBenefit = new Map<string, number>()
  for (const { benefit, amountCents } of lines) {
    if (benefit !== null) byBenefit.set(benefit, (byBenefit.get(benefit) ?? 0) - amountCents)
  }
  return [...byBenefit].map(([reference, savedCents]) => {
    const [kind = '', id = ''] = reference.split(':')
    return { kind: codeOf(benefitKinds, kind), id: Number(id), savedCents }
  })
}
