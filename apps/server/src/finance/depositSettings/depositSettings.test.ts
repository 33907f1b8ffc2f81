import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { cardTermsSchema } from '@saddle/contract/finance/cardTerms.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { sessionCall } from '#test/kit.ts'
import { moneyWorld } from '../wallet/money.fixture.ts'

const { owner, kit, finance, agentId, clerk, outsider, app, newRider } = await moneyWorld()
const { handlers } = finance

const free = { freeStudents: false, freeProfessions: false, freeCardHolders: false, freeProductIds: [] as number[] }
const set = (wanted: Partial<Parameters<typeof handlers.setDeposit>[0]>, call = clerk) =>
  handlers.setDeposit({ areaIds: [31], cents: 9_900, inherits: false, ...free, ...wanted }, call)
const company = { areaIds: [], agentId }
const areas = async () => (await handlers.listDepositAreas({ filter: {}, sort: 'name', pageSize: 20 }, clerk)).data.list
const quote = async (phone: string) => (await handlers.quoteDeposit({ phone, areaId: 31 }, app)).data

describe('what must be deposited', () => {
  it('is never more than a tenth of what a vehicle costs', async () => {
    const { data } = await handlers.depositSettings({}, clerk)
    expect(data).toMatchObject({ vehicleCostCents: 250_000, maxCents: 25_000 })
    await expect(set({ cents: 25_001 })).rejects.toMatchObject({ code: 'deposit_above_bound' })
    await set({ cents: 25_000 })
  })

  it('is the area’s, or else the company’s, with the history of both', async () => {
    expect(await areas()).toMatchObject([{ areaId: 31, source: 'area', cents: 25_000, authorName: '周可' }])
    await set({ ...company, cents: 5_000 })
    expect(await areas()).toMatchObject([{ source: 'area', cents: 25_000 }])
    await set({ inherits: true, cents: 0 })
    expect(await areas()).toMatchObject([{ source: 'company', cents: 5_000 }])
    const rider = await newRider()
    expect(await quote(rider.phone)).toEqual({
      askedCents: 5_000,
      heldCents: 0,
      missingCents: 5_000,
      freeBy: null,
      refundDays: 2,
    })
    const { data: history } = await handlers.depositHistory({ areaId: 31 }, clerk)
    expect(history.list.map(({ areaId, inherits, cents }) => [areaId, inherits, cents])).toEqual([
      [31, true, 0],
      [null, false, 5_000],
      [31, false, 25_000],
    ])
    await expect(handlers.depositHistory({ areaId: 31 }, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await expect(set(company, outsider)).rejects.toMatchObject({ code: 'foreign_scope' })
    const ofNoArea = sessionCall({ operatorId: 9, agentId, grant: { agentIds: [3], areaIds: [] } })
    await expect(set(company, ofNoArea), 'of one area of the company').rejects.toMatchObject({ code: 'foreign_scope' })
  })

  it('is waived for a certificate and for chosen cards', async () => {
    const rider = await newRider()
    await rider.recharge(1_000)
    const sell = async (name: string, kind: 'riding' | 'discount') => {
      const off = kind === 'riding' ? { freeMinutes: 30 } : { percentOff: 10 }
      const terms = cardTermsSchema.parse({ kind, name, priceCents: 100, days: 30, ...off })
      return (await handlers.createCardProduct({ agentId, terms, isDraft: false }, clerk)).data.id
    }
    const discount = await sell('会员卡', 'discount')
    await handlers.buyCard({ phone: rider.phone, productId: discount, requestId: 'request-1', payBy: 'balance' }, app)
    await set({ freeCardHolders: true })
    expect(await quote(rider.phone), 'a riding card').toMatchObject({ freeBy: null, askedCents: 9_900 })
    await set({ freeCardHolders: true, freeProductIds: [discount] })
    expect(await quote(rider.phone)).toMatchObject({ freeBy: 'card', askedCents: 0 })
    await expect(set({ freeProductIds: [999_999] })).rejects.toMatchObject({ code: 'foreign_scope' })
    const worker = await newRider()
    await sql`
      update rider set certificate_kind = 'profession' where id = ${worker.riderId}`.execute(owner)
    await set({ freeProfessions: true })
    expect(await quote(worker.phone)).toMatchObject({ freeBy: 'profession' })
  })

  it('is tried on who rode lately before it is set', async () => {
    const [student, payer, other] = [await newRider(), await newRider(), await newRider()]
    await sql`update rider set certificate_kind = 'student' where id = ${student.riderId}`.execute(owner)
    await set({ cents: 5_000 })
    await payer.deposit()
    for (const { riderId } of [student, payer, other]) await addRide(riderId)
    const { data } = await handlers.previewDeposit({ ...free, areaIds: [31], cents: 9_900, freeStudents: true }, clerk)
    expect(data).toEqual({
      riders: 3,
      isCut: false,
      now: { exempt: 0, paid: 1, mustPay: 2, missingCents: 10_000 },
      after: { exempt: 1, paid: 0, mustPay: 2, missingCents: 4_900 + 9_900 },
    })
    await expect(handlers.previewDeposit({ ...free, areaIds: [41], cents: 9_900 }, clerk)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('shows how fast deposits went back, and opens the list of those that were late', async () => {
    const rider = await newRider()
    await rider.deposit()
    await handlers.takeDepositBack({ phone: rider.phone }, app)
    await finance.sandbox?.settled()
    expect((await handlers.depositRefundTimes({}, clerk)).data).toMatchObject({ done: 1, inTime: 1, late: 0 })
    expect((await handlers.depositRefundTimes({}, outsider)).data).toMatchObject({ done: 0, late: 0 })
    const ago = new Date(kit.clock.now() - 9 * dayMs)
    await sql`update payment_refund set created_at = ${ago}`.execute(owner)
    expect((await handlers.depositRefundTimes({}, clerk)).data).toMatchObject({ done: 1, inTime: 0, late: 1 })
    const late = (isLate: boolean) =>
      handlers.listRefunds(
        { filter: { states: ['done'], purposes: ['deposit'], isLate }, sort: 'created', pageSize: 20 },
        clerk,
      )
    expect((await late(true)).data.list).toHaveLength(1)
    expect((await late(false)).data.list).toHaveLength(0)
  })
})

/** A ride of a day ago. */
async function addRide(riderId: number): Promise<void> {
  const at = new Date(kit.clock.now() - dayMs)
  const own = { agent_id: agentId, area_id: 31 }
  const vehicle_number = `8${riderId}`
  const { id: vehicle_id } = await owner
    .insertInto('vehicle')
    .values({
      ...own,
      number: vehicle_number,
      model: 'E1',
      protocol: 'omni',
      state: 'available',
      state_changed_at: at,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await owner
    .insertInto('ride_order')
    .values({
      ...own,
      rider_id: riderId,
      vehicle_id,
      vehicle_number,
      state: 'cancelled',
      placed_at: at,
      started_at: at,
      changed_at: at,
    })
    .execute()
}
