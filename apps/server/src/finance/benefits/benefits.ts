import type { Benefit, ChargeLine } from '@saddle/contract/riding/price.ts'
import type { Tx } from '#kit/db/pool.ts'

export type BenefitKind = Benefit['kind']
type Ride = { readonly agentId: number; readonly riderId: number; readonly startedAt: number }
/** A benefit that a rider holds; `id` is its number at its source, such as a card's. */
export type HeldBenefit = { readonly id: number; readonly benefit: Benefit }
export type BenefitUse = { readonly id: number; readonly savedCents: number }

/** Where riders get benefits from: cards, coupons, activities. */
export type BenefitSource = {
  /** The kinds of its benefits. */
  readonly kinds: readonly BenefitKind[]
  /** What lowers the charge of a ride that began then, locked until the transaction ends. */
  held(tx: Tx, ride: Ride): Promise<readonly HeldBenefit[]>
  /** Stores that a ride has used them, and how much each has saved. */
  recordUses(
    tx: Tx,
    ride: Omit<Ride, 'riderId'> & { readonly orderId: number; readonly uses: readonly BenefitUse[] },
  ): Promise<void>
}

/** What the charge of a ride asks. Sources register; the ride does not know them by name. */
export type Benefits = {
  /** Adds a source when the platform is put together. Throws when another one has the same kind. */
  register(source: BenefitSource): void
  /** The benefits that a rider holds for a ride, of all sources; they are locked until the transaction ends. */
  held(tx: Tx, ride: Ride): Promise<readonly HeldBenefit[]>
  /** Records which of them lowered the charge; returns those that did. */
  use(
    tx: Tx,
    ride: Omit<Ride, 'riderId'> & {
      readonly orderId: number
      readonly held: readonly HeldBenefit[]
      readonly lines: readonly ChargeLine[]
    },
  ): Promise<readonly HeldBenefit[]>
}

const savedBy = ({ kind }: Benefit, lines: readonly ChargeLine[]): number =>
  lines.reduce((sum, { code, amountCents }) => (code === kind ? sum - amountCents : sum), 0)

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
      const held: HeldBenefit[] = []
      for (const source of sources) held.push(...(await source.held(tx, ride)))
      return held
    },

    use: async (tx, { held, lines, ...ride }) => {
      const used = held.filter(({ benefit }) => savedBy(benefit, lines) > 0)
      for (const source of sources) {
        const own = used.filter(({ benefit }) => source.kinds.includes(benefit.kind))
        const uses = own.map(({ id, benefit }) => ({ id, savedCents: savedBy(benefit, lines) }))
        if (uses.length > 0) await source.recordUses(tx, { ...ride, uses })
      }
      return used
    },
  }
}
