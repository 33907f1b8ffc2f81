import { beforeEach, expect, it } from 'vitest'
import { sql } from 'kysely'
import { errorText } from '@saddle/contract/errors.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createCostCenter, createFinance, createObjections } from '#finance/public.ts'
import { createManualClock } from '#kit/clock.ts'
import { createPhotos } from '#photos/public.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { toldOf } from '#test/toldOf.ts'

const { db, owner } = await testDatabase()
const clock = createManualClock(Date.UTC(2026, 10, 20, 4))
const kit = { ...testKit(db, { DEMO: 'true' }), clock }
const finance = createFinance(kit)
const audit = createAudit(kit)
const faults: (() => Promise<readonly string[]>)[] = []
const books = { hold: (_name: string, reconciler: () => Promise<readonly string[]>) => void faults.push(reconciler) }
const center = createCostCenter(kit, { audit, finance: { ...finance, books } })
const { handlers } = createObjections(kit, { audit, photos: createPhotos(kit), finance })
const permissions = new Set(['financial_03', 'financial_04'])
const of = (agentId: number, operatorId = agentId * 10) => {
  const call = sessionCall({
    operatorId,
    agentId,
    grant: { agentIds: agentId === 2 ? [2, 3, 4] : [agentId], areaIds: [] },
  })
  return { ...call, caller: { ...call.caller, permissions } }
}
const balance = (kind: 'service_balance' | 'service_held' | 'platform_fee'): Promise<number> =>
  finance.ledger.balanceOf({ agentId: 3, account: { kind } })
const sound = async (): Promise<void> => {
  for (const check of faults) expect(await check()).toEqual([])
}

await owner
  .insertInto('agent')
  .values([
    { id: 2, company: '平台' },
    { id: 3, parent_id: 2, company: '东湖' },
    { id: 4, parent_id: 2, company: '西山' },
  ])
  .execute()

let month = 0
let billId = 0
let lineIds: number[] = []

/** A bill of 10,000 in two lines; `paidCents` of it are paid. */
beforeEach(async () => {
  month += 1
  const { id } = await owner
    .insertInto('service_bill')
    .values({
      agent_id: 3,
      number: `FW2025${String(month).padStart(2, '0')}-3`,
      month: `2025-${String(month).padStart(2, '0')}-01`,
      amount_cents: 20_000,
      issued_at: new Date(clock.now() - dayMs),
      due_at: new Date(clock.now() + dayMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  billId = id
  const { rows } = await sql<{ id: number }>`
    insert into service_bill_line (bill_id, agent_id, meter, price_id, quantity, amount_cents)
    select ${id}, 3, p.meter, p.id, 100, case p.meter when 'sms' then 15000 else 5000 end
    from meter_price p where p.meter in ('sms', 'map_call') order by p.meter desc returning id`.execute(owner)
  lineIds = rows.map((row) => row.id)
})

const pay = async (cents: number): Promise<void> => {
  const { note } = (await center.handlers.chargeService({ way: 'sandbox', cents }, of(3))).data
  await finance.sandbox?.pay(note.number)
  await finance.sandbox?.settled()
}
const submit = (cents: readonly number[]) =>
  handlers.submitObjection(
    {
      billId,
      reason: 'quantity',
      text: '短信条数与我方记录不符',
      lines: cents.map((one, index) => ({ lineId: lineIds[index] ?? 0, cents: one })),
    },
    of(3),
  )
const act = (id: number, what: 'take' | 'accept' | 'refuse' | 'escalate' | 'withdraw', call = of(2), cents?: number) =>
  handlers.decideObjection({ id, act: what, note: '已核对', ...(cents !== undefined && { cents }) }, call)
const stateOfBill = async () =>
  owner
    .selectFrom('service_bill')
    .select(['state', 'open_cents', 'held_cents', 'paid_cents', 'adjusted_cents'])
    .where('id', '=', billId)
    .executeTakeFirstOrThrow()

it('holds what is disputed and nothing else; the rest is paid', async () => {
  const { id } = (await submit([3_000])).data
  const told = () => toldOf(owner, `objection ${id}`)
  expect(await told()).toEqual(['objection_submitted'])
  expect(await stateOfBill()).toMatchObject({ open_cents: 17_000, held_cents: 3_000 })
  await pay(30_000)
  expect(await stateOfBill()).toMatchObject({ state: 'held', open_cents: 0, paid_cents: 17_000 })
  expect(await balance('service_balance')).toBe(13_000)
  await sound()
  await act(id, 'take')
  const decided = (await act(id, 'refuse')).data
  expect(decided).toMatchObject({ state: 'refused', acceptedCents: 0 })
  expect(await told()).toEqual(['objection_submitted', 'objection_decided'])
  // What was refused is paid at once.
  expect(await stateOfBill()).toMatchObject({ state: 'paid', paid_cents: 20_000, held_cents: 0 })
  expect(await balance('service_balance')).toBe(10_000)
  await sound()
})

it('gives paid money back to the balance when it is accepted, also in part', async () => {
  await pay(20_000)
  const before = await balance('platform_fee')
  const { id } = (await submit([6_000, 1_000])).data
  expect(await balance('service_held')).toBe(7_000)
  expect(await stateOfBill()).toMatchObject({ state: 'held', paid_cents: 13_000, held_cents: 7_000 })
  await sound()
  await act(id, 'take')
  await expect(act(id, 'accept', of(2), 7_001)).rejects.toThrow(errorText('objection_above_line'))
  const accepted = (await act(id, 'accept', of(2), 6_500)).data
  expect(accepted).toMatchObject({ state: 'accepted', acceptedCents: 6_500 })
  expect(await stateOfBill()).toMatchObject({ state: 'paid', paid_cents: 13_500, adjusted_cents: 6_500 })
  expect(await balance('service_held')).toBe(0)
  expect(await balance('platform_fee')).toBe(before - 6_500)
  const { lines, events } = (await handlers.objectionDetails({ id }, of(3))).data
  expect(lines.map(({ cents, acceptedCents }) => [cents, acceptedCents])).toEqual([
    [6_000, 6_000],
    [1_000, 500],
  ])
  expect(events.map((event) => event.act)).toEqual(['submit', 'take', 'accept'])
  await sound()
  await expect(act(id, 'refuse')).rejects.toThrow(errorText('objection_decided'))
})

it('disputes no cent twice, none of another bill, and none that is older than it may be', async () => {
  await submit([15_000])
  await expect(submit([1])).rejects.toThrow(errorText('objection_above_line'))
  const foreign = handlers.submitObjection(
    { billId, reason: 'other', text: 'x', lines: [{ lineId: lineIds[1] ?? 0, cents: 1 }] },
    of(4),
  )
  await expect(foreign).rejects.toThrow(errorText('not_found'))
  const other = { lineId: (lineIds[0] ?? 0) - 2, cents: 1 }
  const wrong = handlers.submitObjection({ billId, reason: 'other', text: 'x', lines: [other] }, of(3))
  await expect(wrong).rejects.toThrow(errorText('objection_above_line'))
  const at = clock.now()
  clock.set(at + 31 * dayMs)
  const late = handlers.submitObjection(
    { billId, reason: 'other', text: 'x', lines: [{ lineId: lineIds[1] ?? 0, cents: 1 }] },
    of(3),
  )
  await expect(late).rejects.toThrow(errorText('objection_late'))
  clock.set(at)
})

it('disputes a line once when two ask at the same moment', async () => {
  const both = await Promise.allSettled([submit([10_000]), submit([10_000])])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await stateOfBill()).toMatchObject({ held_cents: 10_000 })
  await sound()
})

it('is decided by another person after it was escalated, and withdrawn by the company alone', async () => {
  const { id } = (await submit([2_000])).data
  await expect(act(id, 'accept')).rejects.toThrow(errorText('forbidden'))
  await expect(act(id, 'take', of(3))).rejects.toThrow(errorText('forbidden'))
  await act(id, 'take')
  const escalated = (await act(id, 'escalate', of(3))).data
  expect(escalated.deadlineAt).toBeGreaterThan(clock.now() + 9 * dayMs)
  await expect(act(id, 'accept')).rejects.toThrow(errorText('forbidden'))
  expect((await handlers.objectionDetails({ id }, of(2, 21))).data.acts).toEqual(['accept', 'refuse'])
  expect((await act(id, 'accept', of(2, 21))).data.state).toBe('accepted')
  const second = (await submit([1_000])).data
  expect((await act(second.id, 'withdraw', of(3))).data.state).toBe('withdrawn')
  expect(await stateOfBill()).toMatchObject({ held_cents: 0, adjusted_cents: 2_000 })
  await sound()
})

it('is found by a part of what it says, with its evidence, by its company and the platform', async () => {
  const evidence = {
    billId,
    reason: 'price' as const,
    text: '合同单价为 4 分',
    lines: [{ lineId: lineIds[0] ?? 0, cents: 9 }],
  }
  const { id } = (await handlers.submitObjection({ ...evidence, photos: [samples.jpeg.toString('base64')] }, of(3)))
    .data
  const page = { sort: 'submitted' as const, pageSize: 50 }
  const found = (await handlers.listObjections({ ...page, filter: { word: '合同' } }, of(2))).data.list
  expect(found.map((one) => one.id)).toEqual([id])
  expect(
    (await handlers.listObjections({ ...page, filter: { word: '东湖' } }, of(2))).data.list.length,
  ).toBeGreaterThan(4)
  expect((await handlers.listObjections({ ...page, filter: {} }, of(4))).data.list).toEqual([])
  expect((await handlers.objectionDetails({ id }, of(3))).data.photos).toHaveLength(1)
  await expect(handlers.objectionDetails({ id }, of(4))).rejects.toThrow(errorText('not_found'))
})
