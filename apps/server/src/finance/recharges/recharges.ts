import type { Tx } from '#kit/db/pool.ts'

type OfRider = { readonly agentId: number; readonly riderId: number; readonly at: number }

/** Whoever gives something for recharges. It works in the transaction of the payment, before the ledger's entry. */
export type RechargeSource = {
  /**
   * A recharge was paid. Answers with the gift balance that it was given. Above the limit for prepaid money it is given
   * nothing and goes back at once.
   */
  settled(
    tx: Tx,
    paid: OfRider & { readonly paymentId: number; readonly cents: number; readonly isAboveCap: boolean },
  ): Promise<number>
  /** Recharges of a rider were given back, all of them or in part. Together, so that all locks are taken in one order. */
  refunded(tx: Tx, refund: OfRider & { readonly paymentIds: readonly number[] }): Promise<void>
  /** Gift balance that recharges were given and that is open: a refund of one takes it back. By payment. */
  openGifts(of: {
    readonly agentId: number
    readonly paymentIds: readonly number[]
  }): Promise<ReadonlyMap<number, number>>
}

/** What payments call. The source registers here, so that payments do not know it by name. */
export type Recharges = RechargeSource & {
  /** Names the source, once, when the platform is put together. */
  serve(source: RechargeSource): void
}

export function createRecharges(): Recharges {
  let source: RechargeSource | null = null
  return {
    serve(served) {
      if (source !== null) throw new Error('two sources give something for recharges')
      source = served
    },
    settled: async (tx, paid) => (source === null ? 0 : source.settled(tx, paid)),
    refunded: async (tx, refund) => source?.refunded(tx, refund),
    openGifts: async (of) => (source === null ? new Map() : source.openGifts(of)),
  }
}
