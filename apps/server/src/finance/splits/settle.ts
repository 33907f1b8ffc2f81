import { sql } from 'kysely'
import type { HeldReason } from '@saddle/contract/finance/splitBills.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { splitSettlement } from '../ledger/recipes.ts'
import { disputedInTransit } from '../objections/splitStore.ts'
import { dueOf, settleShare } from './settleRules.ts'
import { lockCursor } from './store.ts'

/** What the bill of a payment channel says of a company's day. */
export type ChannelDay = {
  /** `waiting`: the bill is not there or not compared yet. `parked`: compared, and something of it is still to be resolved. */
  readonly state: 'matched' | 'waiting' | 'parked'
  /** What differs and stays in transit until it is resolved. */
  readonly heldCents: number
  readonly reasons: readonly HeldReason[]
}
/** Compares the bills of payment channels; whoever does registers it. */
export type ChannelDays = {
  /** `at`: bills that came later are not known yet. */
  readonly of: (
    tx: Tx,
    companyDay: { readonly agentId: number; readonly day: string; readonly at: number },
  ) => Promise<ChannelDay>
}

const billedRow = rowOf('split_bill', 'b', ['owner_cents', 'parties']).json<{
  parties: { partyId: number; cents: number }[]
}>()
const settledRow = rowOf('split_settlement', 's', ['number', 'owner_cents', 'held_cents', 'parties']).json<{
  parties: { partyId: number; cents: number }[]
}>()
const reserveRow = rowOf('split_reserve', 'r', ['cents'])

/** What a company's settlements keep back. */
async function reserveOf(tx: Tx, agentId: number): Promise<number> {
  const { rows } = await reserveRow.select`
    from split_reserve r where r.agent_id = ${agentId} order by r.id desc limit 1`.execute(tx)
  return rows[0]?.cents ?? 0
}

/** The sums of shares by party, over several bills or settlements. */
function sumParties(
  rows: readonly { readonly parties: readonly { partyId: number; cents: number }[] }[],
): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { partyId, cents } of rows.flatMap(({ parties }) => parties)) {
    sums.set(partyId, (sums.get(partyId) ?? 0) + cents)
  }
  return sums
}

const sumOwner = (rows: readonly { readonly owner_cents: number }[]): number =>
  rows.reduce((sum, { owner_cents: cents }) => sum + cents, 0)

/** Objections to one day that a reason names. */
const idsMax = 50

type Deps = { readonly ledger: Pick<Ledger, 'post' | 'balancesOf'>; readonly channelDays: ChannelDays }

/**
 * Settles a closed day of a company: its shares leave the state in transit, less what the channel's bill leaves open. Called
 * again it settles what was held before. Resolves to true where anything was settled.
 */
export async function settleDay(
  { ledger, channelDays }: Deps,
  tx: Tx,
  { agentId, day, at }: { readonly agentId: number; readonly day: string; readonly at: number },
): Promise<boolean> {
  // Only one settlement of a company at a time: it reads balances that the next one changes.
  const { open_day: openDay } = await lockCursor(tx, agentId, day)
  if (day >= openDay) return false
  const channelDay = await channelDays.of(tx, { agentId, day, at })
  if (channelDay.state === 'waiting') return false
  const disputed = await disputedInTransit(tx, { agentId, day })
  const { rows: bills } = await billedRow.select`
    from split_bill b where b.agent_id = ${agentId} and b.day = ${day}`.execute(tx)
  const { rows: before } = await settledRow.select`
    from split_settlement s where s.agent_id = ${agentId} and s.day = ${day} order by s.number`.execute(tx)
  const last = before.at(-1)
  const due = dueOf(
    { ownerCents: sumOwner(bills), parties: sumParties(bills) },
    { ownerCents: sumOwner(before), parties: sumParties(before) },
    Math.max(0, channelDay.heldCents) + disputed.cents,
  )
  const heldFor = due.heldCents === 0 ? [] : reasonsOf(channelDay, disputed)
  const isNews = last === undefined || due.ownerCents !== 0 || due.parties.size > 0 || last.held_cents !== due.heldCents
  if (!isNews) return false
  const number = (last?.number ?? 0) + 1
  const owner = settleShare(due.ownerCents, await standingOf(ledger, tx, agentId))
  const parties = await Promise.all(
    [...due.parties].map(async ([partyId, cents]) => {
      const standing = await partyStandingOf(ledger, tx, { agentId, partyId })
      return Object.assign(settleShare(cents, standing), { partyId })
    }),
  )
  await tx
    .insertInto('split_settlement')
    .values({
      agent_id: agentId,
      day,
      number,
      owner_cents: due.ownerCents,
      held_cents: due.heldCents,
      held_for: JSON.stringify(heldFor),
      repaid_cents: owner.repaidCents,
      reserved_cents: owner.reservedCents,
      available_cents: owner.availableCents,
      parties: JSON.stringify(parties),
      settled_at: new Date(at),
    })
    .execute()
  const entry = splitSettlement({ agentId, at, day, number, owner, parties })
  if (entry !== null) await ledger.post(entry, tx)
  return true
}

/** What differs from the channel's bill, and what the company disputes. */
function reasonsOf(
  channelDay: ChannelDay,
  { cents, ids }: { readonly cents: number; readonly ids: readonly number[] },
): HeldReason[] {
  const differences = channelDay.heldCents > 0 ? channelDay.reasons : []
  return cents > 0 ? [...differences, { code: 'objection', ids: ids.slice(0, idsMax), cents }] : [...differences]
}

/** An account of the debit side holds what is owed as a balance below zero. */
const owed = (balance: number | undefined): number => Math.max(0, -(balance ?? 0))

async function standingOf(ledger: Deps['ledger'], tx: Tx, agentId: number) {
  const accounts = [{ kind: 'agent_receivable' }, { kind: 'agent_reserve' }] as const
  const [receivable, reserved] = await ledger.balancesOf({ agentId, accounts }, tx)
  return { owedCents: owed(receivable), reservedCents: reserved ?? 0, reserveCents: await reserveOf(tx, agentId) }
}

async function partyStandingOf(
  ledger: Deps['ledger'],
  tx: Tx,
  { agentId, partyId }: { agentId: number; partyId: number },
) {
  const accounts = [{ kind: 'party_receivable', ownerId: partyId }] as const
  const [receivable] = await ledger.balancesOf({ agentId, accounts }, tx)
  return { owedCents: owed(receivable), reservedCents: 0, reserveCents: 0 }
}

const openDayRow = rowOfValues({ day: computed('date', sql`d.day`) })

/** Closed days of a company that are not settled as a whole, the oldest first. */
export function selectUnsettledDays({ agentId, limit }: { readonly agentId: number; readonly limit: number }) {
  return openDayRow.select`
    from (select distinct b.day from split_bill b where b.agent_id = ${agentId}) d
    where not exists (
      select from split_settlement s where s.agent_id = ${agentId} and s.day = d.day and s.held_cents = 0
    )
    order by d.day limit ${limit}`
}
