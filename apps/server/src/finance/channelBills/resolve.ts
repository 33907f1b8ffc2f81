import { AppError } from '@saddle/contract/errors.ts'
import type { DifferenceResolution } from '@saddle/contract/finance/channelBills.ts'
import { platformNotes } from '@saddle/contract/finance/platformNotes.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import type { Audit } from '#audit/public.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { channelDifference } from '../ledger/channelRecipes.ts'
import { CallBackError } from '../payments/channel.ts'
import type { Payments } from '../payments/payments.ts'
import { resolutionsOf } from './rules.ts'
import { countDays, differenceOf, lockDifference, type DifferenceRow } from './store.ts'
import { isPlatform, viewScope } from './viewer.ts'

export type ResolveDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'log'>
  readonly audit: Audit
  readonly ledger: Pick<Ledger, 'post'>
  readonly payments: Pick<Payments, 'book' | 'giveBackUnbooked'>
}

type Change = {
  readonly state: string
  readonly resolution?: DifferenceResolution | null
  readonly reason?: string
  readonly proposed_by_id?: number | null
  readonly proposed_by?: string | null
  readonly proposed_at?: Date | null
  readonly decided_by_id?: number | null
  readonly decided_by?: string | null
  readonly decided_at?: Date | null
  readonly suspended_by?: number[]
  readonly refund_number?: string
}

/** One decision of a person of the platform about a difference, locked meanwhile. Throws not_found and difference_platform. */
async function decide(
  { kit, audit }: ResolveDeps,
  call: SessionCall,
  decision: {
    readonly id: number
    readonly action: 'propose' | 'confirm' | 'reject'
    readonly change: (row: DifferenceRow, tx: Tx) => Promise<{ change: Change; post: () => Promise<void> }>
    readonly note?: string
  },
): Promise<DifferenceRow> {
  if (!isPlatform(call)) throw new AppError('difference_platform')
  const scope = viewScope(call)
  return kit.db.system(async (tx) => {
    const row = await lockDifference(tx, { id: decision.id, scope })
    if (row === undefined) throw new AppError('not_found')
    const { change, post } = await decision.change(row, tx)
    await tx.updateTable('channel_difference').set(change).where('id', '=', row.id).execute()
    await countDays(tx, row)
    const { action } = decision
    await audit.act(tx, call, {
      agentId: row.agent_id,
      action: `channel_difference.${action}`,
      subjectKind: 'channel_difference',
      subjectId: row.id,
      after: {
        kind: row.kind,
        cents: row.delta_cents,
        resolution: change.resolution ?? row.resolution,
        reason: decision.note ?? change.reason ?? row.reason,
      },
    })
    // Last, because others of the company wait for its book.
    await post()
    const changed = await lockDifference(tx, { id: row.id, scope })
    if (changed === undefined) throw new Error('a difference is never removed')
    return changed
  })
}

const nothing = async (): Promise<void> => {}

export async function propose(
  deps: ResolveDeps,
  call: SessionCall,
  { id, resolution, reason }: { id: number; resolution: DifferenceResolution; reason: string },
): Promise<DifferenceRow> {
  const { caller } = call
  return decide(deps, call, {
    id,
    action: 'propose',
    change: async (row) => {
      const allowed = resolutionsOf(shown(row))
      if (!allowed.includes(resolution)) throw new AppError('difference_decided')
      const proposed = { proposed_by_id: caller.operatorId, proposed_by: caller.name, proposed_at: now(deps) }
      const undecided = { decided_by_id: null, decided_by: null, decided_at: null }
      return { change: { state: 'proposed', resolution, reason, ...proposed, ...undecided }, post: nothing }
    },
  })
}

/** The proposal is taken back by whoever made it, or refused by somebody else: the difference waits as before. */
export async function reject(
  deps: ResolveDeps,
  call: SessionCall,
  { id, note }: { id: number; note: string },
): Promise<DifferenceRow> {
  return decide(deps, call, {
    id,
    action: 'reject',
    note,
    change: async (row) => {
      if (row.state !== 'proposed') throw new AppError('difference_decided')
      const isSuspended = row.suspended_by !== null
      const nobody = { proposed_by_id: null, proposed_by: null, proposed_at: null }
      const resolution = isSuspended ? ('suspend' as const) : null
      return { change: { state: isSuspended ? 'suspended' : 'open', resolution, reason: '', ...nobody }, post: nothing }
    },
  })
}

/** Done in the same transaction: money of the books moves with the decision or not at all. */
export async function confirm(deps: ResolveDeps, call: SessionCall, id: number): Promise<DifferenceRow> {
  const { caller } = call
  return decide(deps, call, {
    id,
    action: 'confirm',
    change: async (row, tx) => {
      const { resolution, proposed_by_id: proposedBy } = row
      if (row.state !== 'proposed' || resolution === null || proposedBy === null)
        throw new AppError('difference_decided')
      if (proposedBy === caller.operatorId) throw new AppError('second_person_same')
      const decided = { decided_by_id: caller.operatorId, decided_by: caller.name, decided_at: now(deps) }
      const isSuspend = resolution === 'suspend'
      const refundNumber = resolution === 'refund' ? Buffer.from(deps.kit.random.bytes(16)).toString('hex') : null
      const change: Change = {
        state: isSuspend ? 'suspended' : 'resolved',
        ...decided,
        ...(isSuspend && { suspended_by: [proposedBy, caller.operatorId] }),
        ...(refundNumber !== null && { refund_number: refundNumber }),
      }
      if (refundNumber !== null)
        deps.kit.db.afterCommit(tx, () => askForRefund(deps, { ...row, refund_number: refundNumber }))
      return { change, post: () => carryOut(deps, tx, row, resolution) }
    },
  })
}

async function carryOut(
  deps: ResolveDeps,
  tx: Tx,
  row: DifferenceRow,
  resolution: DifferenceResolution,
): Promise<void> {
  if (resolution === 'book') return book(deps, tx, row)
  const { id, agent_id: agentId, channel, delta_cents: cents, reason } = row
  // Both sides have the same sum, at different days or in different words.
  if (cents === 0) return
  const isSuspended = row.suspended_by !== null
  const at = deps.kit.clock.now()
  await deps.ledger.post(
    channelDifference({ agentId, at, cents, channel, differenceId: id, step: resolution, isSuspended, reason }),
    tx,
  )
}

/** What the channel took or gave back without that its call-back arrived is booked as that would have been. */
async function book({ payments }: ResolveDeps, tx: Tx, row: DifferenceRow): Promise<void> {
  const { id, channel, is_refund: isRefund, number, trade_number: tradeNumber, bill_cents: cents, bill_at: at } = row
  if (cents === null || at === null) throw new AppError('difference_not_bookable')
  const kind = isRefund ? 'refunded' : 'paid'
  try {
    await payments.book(tx, channel, { eventId: `bill-${id}`, kind, number, tradeNumber, cents, at: at.getTime() })
  } catch (cause) {
    if (cause instanceof CallBackError) throw new AppError('difference_not_bookable', { cause })
    throw cause
  }
}

/** Asks the channel to give back what nobody of the platform has paid for. Asked again, the same number is paid once. */
export async function askForRefund(
  { kit, payments }: Pick<ResolveDeps, 'payments'> & { readonly kit: Pick<Kit, 'log'> },
  row: Pick<DifferenceRow, 'id' | 'channel' | 'order_number' | 'refund_number' | 'delta_cents' | 'bill_cents'>,
): Promise<void> {
  try {
    await payments.giveBackUnbooked(row.channel, {
      number: row.order_number,
      refundNumber: row.refund_number ?? '',
      cents: row.delta_cents,
      totalCents: row.bill_cents ?? row.delta_cents,
      reason: platformNotes.channelRefund,
    })
  } catch (err) {
    kit.log.error({ err, differenceId: row.id }, 'a payment channel refused to give back what a bill has too much')
  }
}

const now = ({ kit }: ResolveDeps): Date => new Date(kit.clock.now())

const shown = (row: DifferenceRow) => differenceOf(row, { operatorId: 0, isPlatform: false })
