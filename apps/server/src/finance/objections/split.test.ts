import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { businessDayEnd, businessDayOf, dayMs, hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createCostCenter } from '#finance/public.ts'
import { createPhotos } from '#photos/public.ts'
import { sessionCall } from '#test/kit.ts'
import { rideCharge, withdrawalRequest } from '../ledger/recipes.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { splitsThatDisagree } from '../splits/verify.ts'
import { moneyWorld } from '../wallet/money.fixture.ts'
import { createObjections } from './create.ts'

const world = await moneyWorld()
const { db, owner, kit, finance, agentId, clerk, outsider } = world
const { ledger, splits } = finance
const audit = createAudit(kit)
const { handlers } = createObjections(kit, { audit, photos: createPhotos(kit), finance })
const faults: (() => Promise<readonly string[]>)[] = []
const books = { hold: (_name: string, reconciler: () => Promise<readonly string[]>) => void faults.push(reconciler) }
createCostCenter(kit, { audit, finance: { ...finance, books } })

const permissions = new Set(['financial_03', 'financial_04'])
const platform = (operatorId: number) => {
  const call = sessionCall({ operatorId, agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [31, 41] } })
  return { ...call, caller: { ...call.caller, permissions } }
}
const own = { ...clerk, caller: { ...clerk.caller, permissions } }
splits.registerChannelDays({
  of: async () => ({ state: isMatched ? 'matched' : 'waiting', heldCents: 0, reasons: [] }),
})
let isMatched = false

const kinds = ['agent_in_transit', 'agent_available', 'agent_disputed'] as const
const balances = () => ledger.balancesOf({ agentId, accounts: kinds.map((kind) => ({ kind })) })
const proved = async () => {
  expect(await splitsThatDisagree(db)).toEqual([])
  expect((await verifyLedger(db)).faults).toEqual([])
  for (const check of faults) expect(await check()).toEqual([])
}
const refused = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? error.code : String(error)
}
let orders = 0
/** A closed day with two rides of 10 yuan: the company has 9.94 of each. */
async function closedDay(): Promise<{ splitBillId: number; entries: number[]; day: string }> {
  const at = kit.clock.now()
  for (let ride = 0; ride < 2; ride += 1) {
    orders += 1
    await owner.transaction().execute(async (tx) => {
      // The vehicle and the prices of the ride do not matter here.
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`
        insert into ride_order (id, agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at,
          ended_at, distance_m, price_version_id, return_kind, charged_cents, changed_at)
        select ${orders}, ${agentId}, 31, 1, 'BX000001', 1, 'paid', d, d, d, 1800, 1, 'in_place', 1000, d
        from (select ${new Date(at)}::timestamptz as d) x`.execute(tx)
    })
    const sources = [{ account: { kind: 'clearing_sandbox' } as const, cents: 1_000 }]
    await ledger.post(rideCharge({ agentId, orderId: orders, at, cents: 1_000, sources }))
  }
  const day = businessDayOf(at)
  kit.clock.set(businessDayEnd(day) + 2 * hourMs)
  await splits.run({ beginsNew: true })
  const bill = await owner.selectFrom('split_bill').select('id').where('day', '=', day).executeTakeFirstOrThrow()
  const lines = await owner.selectFrom('split_line').select('entry_number').where('day', '=', day).execute()
  return { splitBillId: bill.id, entries: lines.map((line) => line.entry_number), day }
}
const submit = (of: { splitBillId: number; entries: readonly number[] }, cents: readonly number[], call = own) =>
  handlers.submitSplitObjection(
    {
      splitBillId: of.splitBillId,
      reason: 'income_missing',
      text: '订单实收与账单不符',
      lines: cents.map((one, index) => ({ entryNumber: of.entries[index] ?? 0, cents: one })),
    },
    call,
  )
const act = (
  id: number,
  what: 'take' | 'accept' | 'refuse' | 'escalate' | 'withdraw',
  call = platform(20),
  cents?: number,
) => handlers.decideObjection({ id, act: what, note: '已核对', ...(cents !== undefined && { cents }) }, call)

describe('income that is in transit', () => {
  it('stays there as far as it is disputed; the rest settles, and all of it after a refusal', async () => {
    isMatched = false
    const closed = await closedDay()
    const [before = 0, availableBefore = 0] = await balances()
    const { data } = await submit(closed, [300, 50])
    expect(data).toMatchObject({ kind: 'split', period: closed.day, disputedCents: 350, state: 'submitted' })
    expect(await balances()).toEqual([before, availableBefore, 0])
    isMatched = true
    await splits.run({ beginsNew: true })
    expect(await balances()).toEqual([350, availableBefore + before - 350, 0])
    const bills = await finance.handlers.listSplitBills({ filter: {}, sort: 'day', pageSize: 50 }, clerk)
    expect(bills.data.list[0]).toMatchObject({
      state: 'held',
      heldCents: 350,
      heldFor: [{ code: 'objection', ids: [data.id], cents: 350 }],
    })
    await proved()
    // Asked again it settles nothing more.
    expect(await splits.run({ beginsNew: true })).toMatchObject({ settledDays: 0 })
    await act(data.id, 'take')
    await act(data.id, 'refuse')
    await splits.run({ beginsNew: true })
    expect(await balances()).toEqual([0, availableBefore + before, 0])
    await proved()
  })
})

describe('income that is settled', () => {
  it('is held of what is available, and an accepted part is booked in the open day', async () => {
    isMatched = true
    const closed = await closedDay()
    const [, available = 0] = await balances()
    const { data } = await submit(closed, [500])
    expect(await balances()).toEqual([0, available - 500, 500])
    const details = (await handlers.objectionDetails({ id: data.id }, own)).data
    expect(details).toMatchObject({ transitCents: 0, heldCents: 500, lines: [] })
    expect(details.splitLines).toMatchObject([{ entryNumber: closed.entries[0], paidCents: 1_000, cents: 500 }])
    // What is disputed cannot be withdrawn.
    const all = withdrawalRequest({ agentId, at: kit.clock.now(), cents: available, withdrawalId: 1 })
    await expect(ledger.post(all)).rejects.toThrow()
    await proved()
    await act(data.id, 'take')
    expect(await refused(act(data.id, 'accept', platform(20), 501))).toBe('objection_above_line')
    expect((await act(data.id, 'accept', platform(20), 400)).data).toMatchObject({ acceptedCents: 400 })
    expect(await balances()).toEqual([0, available, 0])
    const openDay = businessDayOf(kit.clock.now())
    kit.clock.set(businessDayEnd(openDay) + 2 * hourMs)
    await splits.run({ beginsNew: true })
    const { list } = (
      await finance.handlers.listSplitLines({ filter: { kinds: ['adjustment'] }, sort: 'day', pageSize: 20 }, clerk)
    ).data
    expect(list).toMatchObject([{ day: openDay, areaId: 31, paidCents: 400, ownerCents: 400 }])
    await proved()
  })

  it('is held as far as there is something available', async () => {
    const closed = await closedDay()
    const [, available = 0] = await balances()
    await ledger.post(withdrawalRequest({ agentId, at: kit.clock.now(), cents: available - 40, withdrawalId: 2 }))
    const { data } = await submit(closed, [300])
    expect(await balances()).toEqual([0, 0, 40])
    expect((await act(data.id, 'withdraw', own)).data.state).toBe('withdrawn')
    expect(await balances()).toEqual([0, 40, 0])
    await proved()
  })
})

describe('lines', () => {
  it('are disputed once, also when two ask at the same moment, and only those of the bill', async () => {
    const closed = await closedDay()
    const both = await Promise.allSettled([submit(closed, [700]), submit(closed, [700])])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await refused(submit(closed, [301]))).toBe('objection_above_line')
    const foreignLine = { ...closed, entries: [closed.entries[0]! - 4] }
    expect(await refused(submit(foreignLine, [1]))).toBe('objection_above_line')
    expect(await refused(submit(closed, [1], { ...outsider, caller: { ...outsider.caller, permissions } }))).toBe(
      'not_found',
    )
    // A person without the bill's area does not reach it.
    const narrow = { ...own, scope: { ...own.scope, areaIds: [] } }
    expect(await refused(submit(closed, [1], narrow))).toBe('not_found')
    kit.clock.set(kit.clock.now() + 31 * dayMs)
    expect(await refused(submit(closed, [1]))).toBe('objection_late')
    await proved()
  })

  it('are decided by another person after an escalation', async () => {
    const closed = await closedDay()
    const { data } = await submit(closed, [10])
    await act(data.id, 'take')
    await act(data.id, 'escalate', own)
    expect(await refused(act(data.id, 'accept'))).toBe('forbidden')
    expect((await act(data.id, 'accept', platform(21))).data.state).toBe('accepted')
    const { list } = (
      await handlers.listObjections({ filter: { kinds: ['split'] }, sort: 'submitted', pageSize: 20 }, own)
    ).data
    expect(list.every(({ kind }) => kind === 'split')).toBe(true)
    expect(list[0]).toMatchObject({ number: `FZ${closed.splitBillId}`, state: 'accepted' })
    await proved()
  })
})
