import { chargeLapseHours, type ChargeNote } from '@saddle/contract/finance/costCenter.ts'
import type { PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serviceCharge, serviceRecharge } from '../ledger/recipes.ts'
import type { CostDeps } from './deps.ts'
import { spend } from './rules.ts'
import {
  insertNote,
  insertSpend,
  keepCode,
  lapseNotes,
  lockBalance,
  lockNote,
  lockOpenBills,
  notesLeft,
  payNote,
  presentNote,
  selectNote,
  selectPayers,
  takeFromNotes,
} from './store.ts'

const payersARun = 500

/** Pays what is due of a company's bills out of its balance, within the caller's transaction, as far as there is enough. */
export async function collect(
  deps: { readonly kit: Pick<CostDeps['kit'], 'clock'>; readonly ledger: CostDeps['ledger'] },
  tx: Tx,
  agentId: number,
): Promise<void> {
  const { kit, ledger } = deps
  const at = kit.clock.now()
  await lockBalance(tx, agentId)
  const bills = (await lockOpenBills(tx, agentId)).map((row) => ({ id: row.id, openCents: row.open_cents }))
  if (bills.length === 0) return
  const notes = (await notesLeft(tx, agentId)).map((row) => ({ id: row.id, leftCents: row.left_cents }))
  const { spends, taken } = spend(bills, notes)
  if (spends.length === 0) return
  await takeFromNotes(tx, taken)
  for (const { billId, cents } of spends) {
    const spendId = await insertSpend(tx, { agentId, billId, cents, at: new Date(at) })
    await ledger.post(serviceCharge({ agentId, at, cents, billId, spendId }), tx)
  }
}

/** For the worker: bills that came after the money. */
export async function collectAll(deps: CostDeps): Promise<number> {
  const { db, clock } = deps.kit
  const before = new Date(clock.now() - chargeLapseHours * hourMs)
  await db.system((tx) => lapseNotes(tx, before))
  const payers = await db.systemRead((k) => selectPayers({ limit: payersARun }).compile(k))
  for (const { agent_id: agentId } of payers) await db.system((tx) => collect(deps, tx, agentId))
  return payers.length
}

type Wanted = { readonly way: PaymentChannelName | 'available'; readonly cents: number }

/** Pays in for services of the caller's own company. */
export async function charge(
  deps: CostDeps,
  call: SessionCall,
  wanted: Wanted,
): Promise<{ note: ChargeNote; code: string | null }> {
  const { kit, audit, ledger, payments } = deps
  const { db, clock, random } = kit
  const { caller } = call
  const { way, cents } = wanted
  const { agentId } = caller
  const at = clock.now()
  const number = Buffer.from(random.bytes(16)).toString('hex')
  const made = { agentId, number, way, cents, at: new Date(at), by: caller.name, byId: caller.operatorId }
  if (way !== 'available' && !payments.codeChannels().includes(way)) throw new AppError('payment_unavailable')
  const id = await db.system(async (tx) => {
    const noteId = await insertNote(tx, made)
    await audit.act(tx, call, {
      agentId,
      action: 'service.charge',
      subjectKind: 'charge_note',
      subjectId: noteId,
      after: { way, cents },
    })
    if (way !== 'available') return noteId
    await lockBalance(tx, agentId)
    await payNote(tx, { id: noteId, at: new Date(at) })
    await ledger.post(serviceRecharge({ agentId, at, cents, noteId, from: 'available' }), tx)
    await collect(deps, tx, agentId)
    return noteId
  })
  let code: string | null = null
  if (way !== 'available') {
    const asked = await payments.askForCode({ channel: way, number, cents, description: '服务费充值' })
    code = asked
    await db.system((tx) => keepCode(tx, { id, code: asked }))
  }
  const [row] = await db.systemRead((k) => selectNote(id).compile(k))
  if (row === undefined) throw new Error(`no charge note ${id}`)
  return { note: presentNote(row), code }
}

/** A channel tells of a payment that is none of a rider's: true where a note was paid by it. */
export async function takeNote(
  deps: CostDeps,
  tx: Tx,
  paid: { readonly channel: PaymentChannelName; readonly number: string; readonly cents: number; readonly at: number },
): Promise<boolean> {
  const { channel, number, cents, at } = paid
  const note = await lockNote(tx, number)
  if (note === undefined || note.way !== channel || note.cents !== cents) return false
  // Another message about a note that is paid is true and changes nothing.
  if (note.state === 'paid') return true
  const { agent_id: agentId, id: noteId } = note
  await lockBalance(tx, agentId)
  await payNote(tx, { id: noteId, at: new Date(at) })
  await deps.ledger.post(serviceRecharge({ agentId, at, cents, noteId, from: channel }), tx)
  await collect(deps, tx, agentId)
  return true
}
