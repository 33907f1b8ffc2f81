import { beforeAll, expect, it } from 'vitest'
import { errorText } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createCostCenter, createFinance } from '#finance/public.ts'
import { createManualClock } from '#kit/clock.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'

const { db, owner } = await testDatabase()
const clock = createManualClock(Date.UTC(2026, 10, 20, 4))
const kit = { ...testKit(db, { DEMO: 'true' }), clock }
const finance = createFinance(kit)
const held = new Map<string, () => Promise<readonly string[]>>()
const books = { hold: (name: string, reconciler: () => Promise<readonly string[]>) => void held.set(name, reconciler) }
const center = createCostCenter(kit, { audit: createAudit(kit), finance: { ...finance, books } })
const { handlers } = center
const of = (agentId: number) =>
  sessionCall({
    operatorId: agentId * 10,
    agentId,
    grant: { agentIds: agentId === 2 ? [2, 3, 4] : [agentId], areaIds: [] },
  })
const page = { filter: {}, pageSize: 50 }
const balance = (kind: 'service_balance' | 'platform_fee' | 'agent_available'): Promise<number> =>
  finance.ledger.balanceOf({ agentId: 3, account: { kind } })
const bill = (id: number, cents: number) => ({
  id,
  agent_id: 3,
  number: `FW20260${id}-3`,
  month: `2026-0${id}-01`,
  amount_cents: cents,
  issued_at: new Date(clock.now() - (10 - id) * hourMs),
  due_at: new Date(clock.now() + hourMs),
})

beforeAll(async () => {
  await owner
    .insertInto('agent')
    .values([
      { id: 2, company: '平台' },
      { id: 3, parent_id: 2, company: '东湖' },
      { id: 4, parent_id: 2, company: '西山' },
    ])
    .execute()
  await owner
    .insertInto('service_bill')
    .values([bill(1, 15_000), bill(2, 9_000)])
    .execute()
  await finance.ledger.post({
    agentId: 3,
    kind: 'adjustment',
    reference: 'opening:3',
    lines: [
      { account: { kind: 'adjustment' }, amountCents: -20_000 },
      { account: { kind: 'agent_available' }, amountCents: 20_000 },
    ],
  })
})

it('is charged by a channel once, however often it tells, and pays the oldest bills', async () => {
  const { data } = await handlers.prepareCharge({}, of(3))
  expect(data).toEqual({
    balanceCents: 0,
    openCents: 24_000,
    ways: [
      { way: 'available', maxCents: 20_000 },
      { way: 'sandbox', maxCents: 50_000_000 },
    ],
  })
  const { note, code } = (await handlers.chargeService({ way: 'sandbox', cents: 20_000 }, of(3))).data
  expect(note).toMatchObject({ state: 'waiting', leftCents: 0 })
  expect(code).toContain(note.number)
  expect(await balance('service_balance')).toBe(0)
  finance.sandbox?.setMood({ copies: 4 })
  await finance.sandbox?.pay(note.number)
  await finance.sandbox?.settled()
  expect(await balance('platform_fee')).toBe(20_000)
  expect(await balance('service_balance')).toBe(0)
  const spends = (await handlers.listSpendNotes({ ...page, sort: 'at' }, of(3))).data.list
  expect(spends.map(({ number, cents }) => [number, cents]).toSorted()).toEqual([
    ['FW202601-3', 15_000],
    ['FW202602-3', 5_000],
  ])
  const notes = (await handlers.listChargeNotes({ ...page, sort: 'created' }, of(3))).data.list
  expect(notes).toMatchObject([{ state: 'paid', cents: 20_000, leftCents: 0 }])
  expect(await held.get('service balance')?.()).toEqual([])
})

it('is charged out of what may be withdrawn, and no further than that goes', async () => {
  const tooMuch = handlers.chargeService({ way: 'available', cents: 20_001 }, of(3))
  await expect(tooMuch).rejects.toThrow(errorText('balance_insufficient'))
  const { note, code } = (await handlers.chargeService({ way: 'available', cents: 12_000 }, of(3))).data
  expect(code).toBeNull()
  expect(note).toMatchObject({ state: 'paid', leftCents: 8_000 })
  expect(await balance('agent_available')).toBe(8_000)
  expect(await balance('service_balance')).toBe(8_000)
  const left = (await handlers.withdrawableCharges({ agentId: 3 }, of(3))).data
  expect(left).toMatchObject({ leftCents: 8_000, list: [{ number: note.number }] })
  await expect(handlers.withdrawableCharges({ agentId: 3 }, of(4))).rejects.toThrow(errorText('foreign_scope'))
  await owner.insertInto('service_bill').values(bill(3, 5_000)).execute()
  expect(await center.collect()).toBe(1)
  expect(await center.collect()).toBe(0)
  expect(await balance('service_balance')).toBe(3_000)
  expect(await held.get('service balance')?.()).toEqual([])
})

it('cannot be paid by a channel that the platform does not have', async () => {
  const asked = handlers.chargeService({ way: 'wechat', cents: 20_000 }, of(3))
  await expect(asked).rejects.toThrow(errorText('payment_unavailable'))
})

it('shows every movement of its accounts, with remarks, and those of nobody else', async () => {
  const list = (await handlers.listAssetDetails({ ...page, sort: 'at' }, of(3))).data.list
  const sums = new Map<string, number>()
  for (const { account, cents } of list) sums.set(account, (sums.get(account) ?? 0) + cents)
  expect(Object.fromEntries(sums)).toEqual({ agent_available: 8_000, service_balance: 3_000 })
  const first = list.find(({ kind }) => kind === 'service_charge')
  const id = first?.id ?? 0
  const remarked = (await handlers.remarkAssetDetail({ id, remark: '九月' }, of(3))).data
  expect(remarked).toMatchObject({ remark: '九月' })
  await expect(handlers.remarkAssetDetail({ id, remark: 'x' }, of(4))).rejects.toThrow(errorText('not_found'))
  const { entries } = (await handlers.assetPayDetail({ id }, of(3))).data
  expect(entries[0]?.lines.map(({ account }) => account)).toEqual(['service_balance', 'platform_fee'])
  await expect(handlers.assetPayDetail({ id }, of(4))).rejects.toThrow(errorText('not_found'))
  const out = { accounts: ['service_balance' as const], way: 'out' as const }
  expect((await handlers.sumAssetDetails({ filter: out }, of(3))).data.sums?.cents).toBe(-29_000)
  expect((await handlers.listAssetDetails({ ...page, sort: 'at' }, of(4))).data.list).toEqual([])
})

it('adds up what companies have, owe and use', async () => {
  const { data } = await handlers.businessAssets({}, of(2))
  expect(data.companies).toMatchObject([
    { agentId: 3, serviceCents: 3_000, availableCents: 8_000, openCents: 0, daysLeft: null },
    { agentId: 4, serviceCents: 0 },
  ])
  expect(data.trend).toHaveLength(30)
  expect((await handlers.businessAssets({}, of(4))).data.companies.map(({ agentId }) => agentId)).toEqual([4])
})
