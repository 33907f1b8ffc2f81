import { describe, expect, it } from 'vitest'
import { proveMoney } from '../checks/money.ts'
import { moneyWorld } from './money.fixture.ts'

const { db, owner, finance, sandbox, agentId, clerk, outsider, app, otherApp, newRider } = await moneyWorld()
const { handlers, ledger } = finance

const reason = '测试'

describe('the wallet', () => {
  it('tells in lines how it came to what it is', async () => {
    const rider = await newRider()
    await rider.recharge(1_000)
    const charge = { riderId: rider.riderId, reason, cents: 300 } as const
    await handlers.platformCharge({ ...charge, account: 'balance', direction: 'debit' }, clerk)
    await handlers.platformCharge({ ...charge, account: 'gift', direction: 'credit' }, clerk)
    const { wallet, list } = await rider.wallet()
    expect(wallet).toMatchObject({ balanceCents: 700, giftCents: 300 })
    expect(list.map(({ kind, cents, afterCents, subject }) => [kind, cents, afterCents, subject])).toEqual([
      ['platform_charge', 300, 1_000, 'platform-charge'],
      ['platform_charge', -300, 700, 'platform-charge'],
      ['recharge', 1_000, 1_000, 'payment'],
    ])
    const { data: first } = await handlers.userWallet({ riderId: rider.riderId, book: 'wallet', pageSize: 2 }, clerk)
    const cursor = first.nextCursor!
    const { data: rest } = await handlers.userWallet(
      { riderId: rider.riderId, book: 'wallet', pageSize: 2, cursor },
      clerk,
    )
    expect(rest.list.map(({ afterCents }) => afterCents)).toEqual([1_000])
    expect(rest.nextCursor).toBeNull()
    const { data: own } = await handlers.readWallet({ phone: rider.phone }, app)
    expect(own.statement).toEqual(list)
    const asked = { filter: { riderId: rider.riderId, book: 'wallet' }, sort: 'at' } as const
    const lines = (await handlers.listStatement({ ...asked, direction: 'asc', pageSize: 2 }, clerk)).data
    expect(lines).toMatchObject({ count: 3, list: [...list].reverse().slice(0, 2) })
    const { data: last } = await handlers.listStatement(
      { ...asked, direction: 'asc', pageSize: 2, cursor: lines.nextCursor! },
      clerk,
    )
    expect(last).toMatchObject({ nextCursor: null, list: [list[0]] })
    await expect(handlers.listStatement({ ...asked, pageSize: 2 }, outsider)).rejects.toMatchObject({
      code: 'not_found',
    })
    const { data: file } = await handlers.exportStatement(asked, clerk)
    expect(file).toMatchObject({ rows: 3, state: 'done', fileName: expect.stringContaining('statement-') })
    expect(file.text).toContain(',平台加款,平台扣款,')
    expect(file.text).not.toContain(rider.phone)
    await expect(handlers.exportStatement(asked, outsider)).rejects.toMatchObject({ code: 'not_found' })
    const paid = await rider.payments()
    const { data: payments } = await handlers.exportRiderPayments({ riderId: rider.riderId }, clerk)
    expect(payments.rows).toBe(paid.length)
    for (const { number } of paid) expect(payments.text).toContain(number)
    expect(payments.text).toContain('支付单号,创建时间,到账时间,用途,支付渠道,金额(元)')
    expect(payments.text).not.toContain(rider.phone)
    const asOutsider = handlers.exportRiderPayments({ riderId: rider.riderId }, outsider)
    await expect(asOutsider).rejects.toMatchObject({ code: 'not_found' })
  })

  it('has a charge by hand taken back once, by a reversing entry', async () => {
    const rider = await newRider()
    await rider.recharge(1_000)
    const revenue = () => ledger.balanceOf({ agentId, account: { kind: 'agent_revenue' } })
    const before = await revenue()
    const charge = { riderId: rider.riderId, reason, cents: 300, account: 'balance', direction: 'debit' } as const
    const { chargeId } = (await handlers.platformCharge(charge, clerk)).data
    expect(await revenue()).toBe(before + 300)
    const undo = { chargeId, reason: '扣错人' }
    await expect(handlers.undoPlatformCharge(undo, outsider)).rejects.toMatchObject({ code: 'not_found' })
    const tries = await Promise.allSettled([1, 2, 3].map(() => handlers.undoPlatformCharge(undo, clerk)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await revenue()).toBe(before)
    const { wallet, list } = await rider.wallet()
    expect(wallet.balanceCents).toBe(1_000)
    expect(list.map(({ kind, cents }) => [kind, cents])).toEqual([
      ['reversal', 300],
      ['platform_charge', -300],
      ['recharge', 1_000],
    ])
    const lines = await owner
      .selectFrom('audit_record')
      .select('id')
      .where('action', '=', 'wallet.charge_undo')
      .execute()
    expect(lines).toHaveLength(1)
  })

  it('is never charged below zero, also at once', async () => {
    const rider = await newRider()
    await rider.recharge(500)
    const charge = { riderId: rider.riderId, account: 'balance', direction: 'debit', cents: 200, reason } as const
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => handlers.platformCharge(charge, clerk)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect((await rider.wallet()).wallet.balanceCents).toBe(100)
    const gift = { ...charge, account: 'gift', cents: 1 } as const
    await expect(handlers.platformCharge(gift, clerk)).rejects.toMatchObject({ code: 'balance_insufficient' })
    const charges = await owner
      .selectFrom('platform_charge')
      .select('id')
      .where('rider_id', '=', rider.riderId)
      .execute()
    expect(charges, 'a refused charge leaves no row').toHaveLength(2)
  })

  it('gives a recharge back by its channel, never more than is there', async () => {
    const rider = await newRider()
    await rider.recharge(1_000)
    const [payment] = await rider.payments()
    const back = { paymentId: payment!.id, cents: 800, reason }
    await expect(handlers.refundPayment(back, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await handlers.platformCharge(
      { riderId: rider.riderId, account: 'balance', direction: 'debit', cents: 300, reason },
      clerk,
    )
    await expect(handlers.refundPayment(back, clerk)).rejects.toMatchObject({ code: 'balance_insufficient' })
    sandbox.setMood({ refusesRefunds: true })
    await handlers.refundPayment({ ...back, cents: 700 }, clerk)
    sandbox.setMood({ refusesRefunds: false })
    const filter = { states: ['failed' as const], riderId: rider.riderId }
    const { data: failed } = await handlers.listRefunds({ filter, sort: 'created', pageSize: 20 }, clerk)
    expect(failed.list).toMatchObject([{ cents: 700, fault: 'the sandbox refuses the refund', purpose: 'recharge' }])
    expect((await handlers.sumRefunds({ filter: { states: ['failed'] } }, clerk)).data).toEqual({
      rows: 1,
      isCut: false,
      sums: { cents: 700 },
    })
    const rides = { ...filter, purposes: ['ride' as const] }
    expect((await handlers.listRefunds({ filter: rides, sort: 'created', pageSize: 20 }, clerk)).data.list).toEqual([])
    const file = async (by = clerk) =>
      (await handlers.exportRefunds({ filter: { states: ['failed'] }, sort: 'created' }, by)).data
    expect((await file()).text).toContain('the sandbox refuses the refund')
    expect(await file(outsider)).toMatchObject({ rows: 0 })
    const refundIds = failed.list.map(({ id }) => id)
    await expect(handlers.retryRefunds({ refundIds }, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await handlers.retryRefunds({ refundIds }, clerk)
    await sandbox.settled()
    expect((await rider.payments())[0]).toMatchObject({ refundedCents: 700, refunds: [{ state: 'done', attempts: 2 }] })
    await expect(handlers.refundPayment({ ...back, cents: 301 }, clerk)).rejects.toMatchObject({
      code: 'refund_above_paid',
    })
  })

  it('is nobody else’s to see or to charge', async () => {
    const rider = await newRider()
    await rider.recharge(1_000)
    const { riderId, phone } = rider
    const charge = { riderId, account: 'balance', direction: 'debit', cents: 1, reason } as const
    const asked = { riderId, book: 'wallet', pageSize: 20 } as const
    await expect(handlers.userWallet(asked, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.riderPayments(asked, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.platformCharge(charge, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.myCards({ riderId }, outsider)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.readWallet({ phone }, otherApp)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.readWallet({ phone, agentId: 4 }, app)).rejects.toMatchObject({ code: 'not_found' })
    expect((await rider.wallet()).wallet.balanceCents).toBe(1_000)
  })
})

describe('an application', () => {
  const phone = '13900139999'
  const parent: typeof app = { ...app, app: { id: 9, agentIds: [2, 3, 4] } }

  it('that may speak for several franchisees names one before it takes money', async () => {
    const asks = [handlers.recharge, handlers.takeBalanceBack, handlers.readWallet, handlers.offeredCards]
    for (const ask of asks) {
      await expect(ask({ phone, cents: 500 }, parent)).rejects.toMatchObject({ code: 'franchisee_missing' })
    }
    const { data } = await handlers.recharge({ phone, agentId: 3, cents: 500 }, parent)
    await sandbox.pay(data.number)
    expect((await handlers.readWallet({ phone }, app)).data.wallet.balanceCents, 'where rides are paid from').toBe(500)
    await expect(handlers.recharge({ phone, agentId: 5, cents: 500 }, parent)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('asks for a recharge once, however often it sends the request', async () => {
    const rider = await newRider()
    const asked = { phone: rider.phone, cents: 700, requestId: 'request-0001' }
    const answers = await Promise.all([1, 2, 3].map(() => handlers.recharge(asked, app)))
    expect(new Set(answers.map(({ data }) => data.number)).size).toBe(1)
    expect(answers[0]?.data.parameters['number']).toBe(answers[0]?.data.number)
    await sandbox.pay(answers[0]!.data.number)
    expect((await handlers.recharge(asked, app)).data.number, 'paid already').toBe(answers[0]!.data.number)
    expect(await rider.payments()).toHaveLength(1)
    await expect(handlers.recharge({ ...asked, cents: 701 }, app)).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    })
    const other = await newRider()
    await handlers.recharge({ ...asked, phone: other.phone }, app)
    expect(await other.payments(), 'another rider’s is another').toHaveLength(1)
  })

  it('takes a rider’s balance back the way it came, once, and the gift goes', async () => {
    const rider = await newRider()
    await rider.recharge(1_000)
    await rider.recharge(500)
    const by = { riderId: rider.riderId, reason }
    await handlers.platformCharge({ ...by, account: 'balance', direction: 'debit', cents: 300 }, clerk)
    await handlers.platformCharge({ ...by, account: 'gift', direction: 'credit', cents: 200 }, clerk)
    const take = async () => (await handlers.takeBalanceBack({ phone: rider.phone }, app)).data
    const tries = await Promise.allSettled([take(), take(), take()])
    const given = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.refundedCents] : []))
    expect(given.reduce((sum, cents) => sum + cents, 0)).toBe(1_200)
    expect(await take()).toEqual({ refundedCents: 0, leftCents: 0, lapsedGiftCents: 0 })
    await sandbox.settled()
    expect((await rider.wallet()).wallet).toMatchObject({ balanceCents: 0, giftCents: 0 })
    expect((await rider.payments()).map(({ refundedCents }) => refundedCents)).toEqual([500, 700])
    expect((await handlers.takeBalanceBack({ phone: '13900130000' }, app)).data.refundedCents).toBe(0)
    expect((await proveMoney(db)).faults).toEqual([])
  })

  it('leaves balance that no channel brought, and the gift with it', async () => {
    const rider = await newRider()
    await rider.recharge(100)
    const by = { riderId: rider.riderId, reason }
    await handlers.platformCharge({ ...by, account: 'balance', direction: 'credit', cents: 50 }, clerk)
    await handlers.platformCharge({ ...by, account: 'gift', direction: 'credit', cents: 20 }, clerk)
    const { data } = await handlers.takeBalanceBack({ phone: rider.phone }, app)
    expect(data).toEqual({ refundedCents: 100, leftCents: 50, lapsedGiftCents: 0 })
    expect((await rider.wallet()).wallet).toMatchObject({ balanceCents: 50, giftCents: 20 })
  })
})
