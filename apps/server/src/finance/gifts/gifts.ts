import { AppError } from '@saddle/contract/errors.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import type { GiftSource } from '@saddle/contract/finance/gifts.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { giftExpiry, giftGrant, giftRevoke } from '../ledger/recipes.ts'
import type { Who } from '../wallet/who.ts'
import { endOfGift, sumOf, takeInOrder, type GiftPart } from './rules.ts'
import {
  expireLots,
  insertLot,
  lapseUsed,
  lockLots,
  lockOpenLots,
  revokeParts,
  takenByCharge,
  takeParts,
  type GiftLot,
  type LotsOf,
  type NewLot,
} from './store.ts'

export type Grant = Omit<NewLot, 'endsAt' | 'source'> & {
  /** The lot ends at the end of the business day so many days later. Null: it does not lapse. */
  readonly validDays: number | null
  /** Given for: asked again for the same, nothing more is given; `undo` gives each time. */
  readonly source: { readonly kind: Exclude<GiftSource, 'opening'>; readonly id: number }
}

/**
 * Gift balance in lots. Whoever moves it writes lots first and its entry last, in one transaction of the system: rides of
 * the same company wait for the entry, and a ride locks its lots before it posts. So a transaction that posts anything
 * before it asks for a lot may end in a deadlock; `held` locks all lots of a rider beforehand. At the commit the database
 * compares lots and ledger. The order of all locks: invites, riders, rewards, coupons, kinds of coupons, batches, budgets of
 * activities, lots, the ledger.
 */
export type Gifts = {
  /** Gives a rider a lot, and books it as an expense. The lot's number; null when the same thing gave one before. */
  grant(tx: Tx, grant: Grant): Promise<number | null>
  /**
   * Takes back what is open of some lots, by one entry a rider under `reference` and `key`, which is posted at the end of the
   * transaction. Resolves to what was taken back; again, there is nothing left.
   */
  revoke(
    tx: Tx,
    revoked: LotsOf & {
      readonly agentId: number
      readonly reference: string
      readonly key: string
      readonly reason: string
      readonly at: number
    },
  ): Promise<number>
  /** The open lots of a rider, lapsed ones too, locked until the transaction ends. */
  held(tx: Tx, who: Who): Promise<GiftLot[]>
  /** Takes parts of locked lots for an order, whose entry the caller posts. */
  use(tx: Tx, use: { agentId: number; orderId: number; parts: readonly GiftPart[]; at: number }): Promise<void>
  /** What an order took is not given back when it is refunded: it lapses, up to this sum. The entry is the caller's. */
  lapse(tx: Tx, lapsed: { agentId: number; orderId: number; cents: number }): Promise<void>
  /** A charge by hand takes from the lots that end first. Throws balance_insufficient. The entry is the caller's. */
  debit(tx: Tx, charge: Who & { chargeId: number; cents: number; at: number }): Promise<void>
  /** A charge by hand gives a lot without an end. The entry is the caller's. */
  credit(tx: Tx, charge: Who & { chargeId: number; cents: number; at: number }): Promise<void>
  /** What a charge by hand did to lots is taken back. Throws balance_insufficient and entry_not_reversible. */
  undo(
    tx: Tx,
    charge: Who & { chargeId: number; direction: 'debit' | 'credit'; cents: number; at: number },
  ): Promise<void>
  /** Ends lots whose time is over. Resolves to their number. For the worker; safe on several at once. */
  expire(): Promise<number>
}

/** Of a lot that no activity gave. */
const plainName = reasonOf('giftBalance')

export function createGifts({ db, clock, ledger }: Pick<Kit, 'db' | 'clock'> & { readonly ledger: Ledger }): Gifts {
  return {
    grant: async (tx, { validDays, ...grant }) => {
      const lotId = await insertLot(tx, { ...grant, endsAt: endOfGift(grant.at, validDays) })
      if (lotId !== null) await ledger.post(giftGrant({ ...grant, lotId }), tx)
      return lotId
    },

    revoke: async (tx, { agentId, reference, key, reason, at, ...of }) => {
      const open = (await lockLots(tx, agentId, of)).filter(({ openCents }) => openCents > 0)
      if (open.length === 0) return 0
      await revokeParts(
        tx,
        open.map(({ id: lotId, openCents: cents }) => ({ lotId, cents })),
      )
      for (const [riderId, lots] of Map.groupBy(open, (lot) => lot.riderId)) {
        const cents = lots.reduce((sum, { openCents }) => sum + openCents, 0)
        ledger.postLast(giftRevoke({ agentId, riderId, reference, key, reason, cents, at }), tx)
      }
      return open.reduce((sum, { openCents }) => sum + openCents, 0)
    },

    held: lockOpenLots,
    use: (tx, { orderId, ...use }) => takeParts(tx, { ...use, subject: { kind: 'order', id: orderId } }),
    lapse: lapseUsed,

    debit: async (tx, { chargeId, cents, at, ...who }) => {
      const parts = takeInOrder(await lockOpenLots(tx, who), cents)
      if (sumOf(parts) < cents) throw new AppError('balance_insufficient')
      await takeParts(tx, { agentId: who.agentId, subject: { kind: 'charge', id: chargeId }, parts, at })
    },

    credit: async (tx, { chargeId, ...charge }) => {
      const plain = { name: plainName, bearer: 'company', endsAt: null } as const
      await insertLot(tx, { ...charge, ...plain, source: { kind: 'charge', id: chargeId } })
    },

    undo: (tx, charge) => (charge.direction === 'credit' ? undoCredit(tx, charge) : undoDebit(tx, charge)),
    expire: () => expireAll({ db, clock, ledger }),
  }
}

type Charge = Who & { readonly chargeId: number; readonly cents: number; readonly at: number }

/** The lot that a charge gave goes; what was used of it is not asked back. */
async function undoCredit(tx: Tx, { chargeId, cents, ...who }: Charge): Promise<void> {
  const [lot] = await lockLots(tx, who.agentId, { source: { kind: 'charge', ids: [chargeId] } })
  if (lot === undefined) {
    // A charge from before there were lots.
    const parts = takeInOrder(await lockOpenLots(tx, who), cents)
    if (sumOf(parts) < cents) throw new AppError('balance_insufficient')
    await revokeParts(tx, parts)
    return
  }
  if (lot.openCents < lot.grantedCents) {
    throw new AppError(lot.revokedCents === lot.grantedCents ? 'entry_not_reversible' : 'balance_insufficient')
  }
  await revokeParts(tx, [{ lotId: lot.id, cents: lot.openCents }])
}

/** A charge took from lots: new ones with the same ends make up for it. */
async function undoDebit(tx: Tx, { chargeId, cents: charged, at, agentId, riderId }: Charge): Promise<void> {
  const own = { agentId, riderId, at }
  const taken = await takenByCharge(tx, chargeId)
  for (const { lotId, cents, endsAt, ...lot } of taken) {
    // A lot that would have ended meanwhile ends with the next run of the job.
    const ends = endsAt === null ? null : Math.max(endsAt, at + 1)
    await insertLot(tx, { ...lot, ...own, cents, source: { kind: 'undo', id: lotId }, endsAt: ends })
  }
  const before = charged - sumOf(taken)
  // A charge from before there were lots.
  const plain = { name: plainName, bearer: 'company', endsAt: null } as const
  if (before > 0) await insertLot(tx, { ...own, ...plain, cents: before, source: { kind: 'undo', id: chargeId } })
}

const lotsPerStep = 100
/** Steps of one turn; what is left comes with the next. */
const stepsMax = 200

async function expireAll({
  db,
  clock,
  ledger,
}: Pick<Kit, 'db' | 'clock'> & { readonly ledger: Ledger }): Promise<number> {
  const now = clock.now()
  let expired = 0
  for (let step = 0; step < stepsMax; step += 1) {
    const ended = await db.system(async (tx) => {
      const lots = await expireLots(tx, { now, limit: lotsPerStep })
      // Books are locked in the same order by everybody.
      for (const { id: lotId, agentId, riderId, openCents: cents, endsAt: at } of lots.toSorted(
        (a, b) => a.agentId - b.agentId || a.id - b.id,
      )) {
        await ledger.post(giftExpiry({ agentId, riderId, lotId, cents, at }), tx)
      }
      return lots.length
    })
    expired += ended
    if (ended < lotsPerStep) break
  }
  return expired
}
