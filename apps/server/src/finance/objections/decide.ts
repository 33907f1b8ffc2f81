import {
  objectionDecisionDays,
  objectionEscalationDays,
  type ObjectionAct,
  type ServiceReason,
} from '@saddle/contract/finance/objections.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tell } from '#notices/public.ts'
import { collect } from '../costCenter/charge.ts'
import { insertNote, lockBalance, payNote } from '../costCenter/store.ts'
import { serviceHold, serviceRelease } from '../ledger/recipes.ts'
import type { ObjectionDeps, Person } from './deps.ts'
import { releaseIncome } from './split.ts'
import { backOf, holdOf, isObjectionLate, spread, stateAfter } from './rules.ts'
import {
  changeObjection,
  disputableLines,
  insertEvent,
  insertObjection,
  linesHeld,
  lockBillOf,
  releaseHeld,
  type WholeObjection,
} from './store.ts'

export interface NewObjection {
  readonly billId: number
  readonly reason: ServiceReason
  readonly text: string
  readonly lines: readonly { readonly lineId: number; readonly cents: number }[]
}

/** Holds what a company disputes of its bill. Money of the bill moves last. Resolves to the objection's id. */
export async function submitObjection(
  { kit, ledger }: Pick<ObjectionDeps, 'kit' | 'ledger'>,
  tx: Tx,
  made: NewObjection & {
    readonly scope: Pick<Scope, 'agentIds'>
    readonly by: Person
    /** Keeps the evidence of the company whose bill it is; its ids. */
    readonly keep: (agentId: number) => Promise<readonly string[]>
  },
): Promise<{ readonly id: number; readonly agentId: number; readonly post: () => Promise<void> }> {
  const nowMs = kit.clock.now()
  const bill = await lockBillOf(tx, { id: made.billId, scope: made.scope })
  if (bill === undefined) throw new AppError('not_found')
  if (isObjectionLate({ issuedAt: bill.issued_at.getTime(), nowMs })) throw new AppError('objection_late')
  const { agent_id: agentId } = bill
  if ((await disputableLines(tx, made)) !== made.lines.length) throw new AppError('objection_above_line')
  const disputedCents = made.lines.reduce((sum, { cents }) => sum + cents, 0)
  const { unpaidCents, paidCents } = holdOf({ disputedCents, openCents: bill.open_cents })
  // What was waived is owed by nobody and cannot be disputed.
  if (paidCents > bill.paid_cents) throw new AppError('objection_above_line')
  const at = new Date(nowMs)
  const id = await insertObjection(tx, {
    ...made,
    agentId,
    unpaidCents,
    paidCents,
    photoIds: await made.keep(agentId),
    at,
    deadlineAt: new Date(nowMs + objectionDecisionDays * dayMs),
    by: made.by.name,
    byId: made.by.id,
  })
  await insertEvent(tx, { id, agentId, act: 'submit', at, by: made.by.name, byId: made.by.id, note: '' })
  const post = async (): Promise<void> => {
    if (paidCents > 0) await ledger.post(serviceHold({ agentId, at: nowMs, cents: paidCents, objectionId: id }), tx)
  }
  return { id, agentId, post }
}

export interface Decision {
  readonly act: ObjectionAct
  readonly cents?: number | undefined
  readonly note: string
  readonly by: Person
}

/** Does what was decided about an objection whose bill or income the caller has locked. */
export async function decide(
  deps: Pick<ObjectionDeps, 'kit' | 'ledger'>,
  tx: Tx,
  row: WholeObjection,
  decision: Decision,
): Promise<{ readonly post: () => Promise<void> }> {
  const { kit } = deps
  const { act, note, by } = decision
  const nowMs = kit.clock.now()
  const at = new Date(nowMs)
  const { id, agent_id: agentId } = row
  const state = stateAfter[act]
  await insertEvent(tx, { id, agentId, act, at, by: by.name, byId: by.id, note })
  if (act === 'take') {
    await changeObjection(tx, id, { state, reviewer_id: by.id })
    return { post: async () => undefined }
  }
  if (act === 'escalate') {
    const deadline = new Date(nowMs + objectionEscalationDays * dayMs)
    await changeObjection(tx, id, { state, deadline_at: deadline })
    return { post: async () => undefined }
  }
  const acceptedCents = act === 'accept' ? (decision.cents ?? row.disputed_cents) : 0
  if (acceptedCents > row.disputed_cents) throw new AppError('objection_above_line')
  await tell(tx, {
    event: 'objection_decided',
    agentId,
    subject: `objection ${id}`,
    values: { bill: row.kind, cents: acceptedCents },
    path: `/financial/objectionBillInfo?id=${id}`,
    at,
  })
  if (row.kind === 'service') return release(deps, tx, row, { acceptedCents, at, decision })
  const released = await releaseIncome(deps, tx, row, { acceptedCents, note })
  await changeObjection(tx, id, { ...decidedBy(decision, at), accepted_cents: acceptedCents })
  return released
}

const decidedBy = ({ act, note, by }: Decision, at: Date) => ({
  state: stateAfter[act],
  note,
  decided_at: at,
  decided_by: by.name,
  decided_by_id: by.id,
})

async function release(
  deps: Pick<ObjectionDeps, 'kit' | 'ledger'>,
  tx: Tx,
  row: WholeObjection,
  { acceptedCents, at, decision }: { readonly acceptedCents: number; readonly at: Date; readonly decision: Decision },
): Promise<{ readonly post: () => Promise<void> }> {
  const { kit, ledger } = deps
  const { id, agent_id: agentId, bill_id: billId, disputed_cents: disputedCents, held_paid_cents: paidCents } = row
  const backCents = backOf({ disputedCents, paidCents, acceptedCents })
  await lockBalance(tx, agentId)
  await releaseHeld(tx, {
    id,
    billId,
    disputedCents,
    acceptedCents,
    keptPaidCents: paidCents - backCents,
    lines: spread(acceptedCents, await linesHeld(tx, id)),
  })
  await changeObjection(tx, id, { ...decidedBy(decision, at), accepted_cents: acceptedCents, back_cents: backCents })
  if (backCents > 0) {
    const number = `objection-${id}-${Buffer.from(kit.random.bytes(6)).toString('hex')}`
    const noteOf = { agentId, number, way: 'adjustment' as const, cents: backCents, at, by: decision.by.name }
    const noteId = await insertNote(tx, { ...noteOf, byId: decision.by.id })
    await payNote(tx, { id: noteId, at })
  }
  const atMs = at.getTime()
  return {
    post: async () => {
      if (paidCents > 0) {
        const reason = decision.note.slice(0, 100)
        const entry = serviceRelease({ agentId, at: atMs, cents: paidCents, backCents, objectionId: id, reason })
        await ledger.post(entry, tx)
      }
      await collect({ kit, ledger }, tx, agentId)
    },
  }
}
