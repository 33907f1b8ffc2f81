import { splitTermsSchema, type SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { splitRefund, splitRide, type Shares } from './rules.ts'
import {
  incomeAccounts,
  lastEntry,
  lineColumns,
  lockCursor,
  moveCursor,
  selectCharges,
  selectIncome,
  selectTerms,
  type Divided,
  type Income,
  type SplitLine,
  type TermsVersion,
} from './store.ts'

/** Entries that are divided in one transaction. */
const entriesAtATime = 5_000

/** Where no terms hold: the company keeps everything and bears the channel's fee. */
const withoutTerms = splitTermsSchema.parse({ parties: [] })

/**
 * Divides the next entries of a company's book. The cursor moves with the lines in one transaction, so that each entry is
 * divided once, also after a lost connection. Resolves to false when nothing is left. `firstDay` is open where nothing was
 * divided before.
 */
export async function divideNext(
  tx: Tx,
  { agentId, firstDay }: { readonly agentId: number; readonly firstDay: string },
): Promise<boolean> {
  const accounts = await incomeAccounts(tx, agentId)
  if (accounts === null) return false
  const { entry_number: after, open_day: openDay } = await lockCursor(tx, agentId, firstDay)
  const last = await lastEntry(tx, agentId)
  if (last <= after) return false
  const until = Math.min(last, after + entriesAtATime)
  const income = await selectIncome(tx, { agentId, after, until }, accounts)
  const versions = await selectTerms(tx, agentId)
  const inThisRun = new Map<number, Divided>()
  const charged = await selectCharges(tx, agentId, refundedOrders(income))
  const lines = income.map((entry): SplitLine => {
    const own = businessDayOf(entry.occurred_at.getTime())
    const day = own < openDay ? openDay : own
    const { termsId, shares } = divideEntry({ entry, day, versions, charges: [inThisRun, charged] })
    if (entry.kind === 'ride_charge' && entry.order_id !== null) {
      inThisRun.set(entry.order_id, { termsId, paidCents: entry.paid_cents, shares, takenCents: 0 })
    }
    return {
      agentId,
      entryNumber: entry.number,
      kind: entry.kind,
      areaId: entry.area_id,
      day,
      orderId: entry.order_id,
      termsId,
      at: entry.occurred_at.getTime(),
      paidCents: entry.paid_cents,
      channelCents: channelCentsOf(entry),
      shares,
    }
  })
  if (lines.length > 0) await lineColumns.insert(lines).execute(tx)
  await moveCursor(tx, agentId, { entryNumber: until, openDay })
  return until < last
}

const refundedOrders = (income: readonly Income[]): number[] =>
  income.flatMap(({ kind, order_id: orderId }) => (kind === 'ride_refund' && orderId !== null ? [orderId] : []))

type Entry = {
  readonly entry: Income
  readonly day: string
  readonly versions: readonly TermsVersion[]
  /** Charges that were divided, by order: of this run, and of earlier ones. */
  readonly charges: readonly ReadonlyMap<number, Divided>[]
}

/** A refund takes back by the ratio of its charge; everything else is divided by the terms of its day. */
function divideEntry({ entry, day, versions, charges }: Entry): { termsId: number | null; shares: Shares } {
  const { kind, order_id: orderId, paid_cents: paidCents } = entry
  const charge =
    kind === 'ride_refund' && orderId !== null ? charges.map((of) => of.get(orderId)).find(Boolean) : undefined
  if (charge !== undefined && charge.takenCents - paidCents <= charge.paidCents) {
    const shares = splitRefund(charge, { beforeCents: charge.takenCents, cents: -paidCents })
    charge.takenCents -= paidCents
    return { termsId: charge.termsId, shares }
  }
  const version = termsOn(versions, { areaId: entry.area_id, day })
  const terms = version?.terms ?? withoutTerms
  return { termsId: version?.id ?? null, shares: divideBy(terms, entry) }
}

/** What a channel brought of an entry or, below zero, took back: no more than the entry itself. */
const channelCentsOf = ({ paid_cents: paidCents, channel_cents: channelCents }: Income): number =>
  Math.min(Math.abs(paidCents), Math.max(0, Math.sign(paidCents) * channelCents))

/** Entries of rides, of which fixed sums are taken. */
const rideKinds: ReadonlySet<string> = new Set(['ride_charge', 'ride_refund'])

/** Below zero, such as a correction, everybody gives back what they would have got. */
function divideBy(terms: SplitTerms, entry: Income): Shares {
  const { paid_cents: paidCents } = entry
  const size = Math.abs(paidCents)
  const shares = splitRide(terms, {
    paidCents: size,
    channelCents: channelCentsOf(entry),
    platformBorneCents: Math.max(0, entry.platform_borne_cents),
    partnerBorneCents: Math.max(0, entry.partner_borne_cents),
    isRide: rideKinds.has(entry.kind),
  })
  if (paidCents > 0) return shares
  const negated = (cents: number): number => (cents === 0 ? 0 : -cents)
  return {
    feeCents: negated(shares.feeCents),
    platformBorneCents: negated(shares.platformBorneCents),
    partnerBorneCents: negated(shares.partnerBorneCents),
    partyCents: shares.partyCents.map(negated),
    ownerCents: negated(shares.ownerCents),
  }
}

/** The version that holds on a day: the area's own before the company's. `versions` has the newest first. */
function termsOn(
  versions: readonly TermsVersion[],
  { areaId, day }: { readonly areaId: number | null; readonly day: string },
): TermsVersion | null {
  const held = versions.filter(({ firstDay }) => firstDay <= day)
  const own = areaId === null ? undefined : held.find((version) => version.areaId === areaId)
  return own ?? held.find((version) => version.areaId === null) ?? null
}
