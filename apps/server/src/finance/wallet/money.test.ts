import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { fillWallets } from '#demo/past/wallets.ts'
import { createRiders } from '#test/riderDirectory.ts'
import { proveMoney } from '../checks/money.ts'
import { verdictLine, verifyLedger } from '../ledger/verify.ts'
import { moneyWorld } from './money.fixture.ts'

const world = await moneyWorld()
const { db, owner, kit, finance, sandbox, agentId, day, clerk, stranger, app, otherApp, newRider } = world
const { handlers, ledger } = finance

const reason = '测试'
const setDeposit = (cents: number, free: { freeStudents?: boolean; freeCardHolders?: boolean } = {}) =>
  handlers.setDeposit({ areaIds: [31], cents, freeStudents: false, freeCardHolders: false, ...free }, clerk)

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
    const asked = { riderId: rider.riderId, book: 'wallet' as const }
    const { data: file } = await handlers.exportStatement(asked, clerk)
    expect(file).toMatchObject({ rows: 3, nextCursor: null, fileName: expect.stringContaining('statement-') })
    expect(file.text).toContain(',平台加款,平台扣款,')
    expect(file.text).not.toContain(rider.phone)
    await expect(handlers.exportStatement(asked, stranger)).rejects.toMatchObject({ code: 'not_found' })
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
    await expect(handlers.undoPlatformCharge(undo, stranger)).rejects.toMatchObject({ code: 'not_found' })
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
    await expect(handlers.refundPayment(back, stranger)).rejects.toMatchObject({ code: 'not_found' })
    await handlers.platformCharge(
      { riderId: rider.riderId, account: 'balance', direction: 'debit', cents: 300, reason },
      clerk,
    )
    await expect(handlers.refundPayment(back, clerk)).rejects.toMatchObject({ code: 'balance_insufficient' })
    sandbox.setMood({ refusesRefunds: true })
    await handlers.refundPayment({ ...back, cents: 700 }, clerk)
    sandbox.setMood({ refusesRefunds: false })
    const { data: failed } = await handlers.failedRefunds(
      { filter: { states: ['failed'], riderId: rider.riderId }, pageSize: 20 },
      clerk,
    )
    expect(failed.list).toMatchObject([{ cents: 700, fault: 'the sandbox refuses the refund', purpose: 'recharge' }])
    expect(failed.failed).toEqual({ count: 1, cents: 700 })
    const file = async (by = clerk) => (await handlers.exportRefunds({ filter: { states: ['failed'] } }, by)).data
    expect((await file()).text).toContain('the sandbox refuses the refund')
    expect(await file(stranger)).toMatchObject({ rows: 0 })
    const refundIds = failed.list.map(({ id }) => id)
    await expect(handlers.retryRefunds({ refundIds }, stranger)).rejects.toMatchObject({ code: 'not_found' })
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
    await expect(handlers.userWallet(asked, stranger)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.riderPayments(asked, stranger)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.platformCharge(charge, stranger)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.myCards({ riderId }, stranger)).rejects.toMatchObject({ code: 'not_found' })
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

describe('a deposit', () => {
  it('is asked for where it is set, paid once, and given back', async () => {
    await setDeposit(9_900)
    const rider = await newRider()
    const need = async () => (await handlers.quoteDeposit({ phone: rider.phone, areaId: 31 }, app)).data
    expect(await need()).toEqual({ askedCents: 9_900, heldCents: 0, missingCents: 9_900 })
    await rider.deposit()
    expect(await need()).toEqual({ askedCents: 9_900, heldCents: 9_900, missingCents: 0 })
    expect((await handlers.payDeposit({ phone: rider.phone, areaId: 31 }, app)).data.payment).toBeNull()
    const takes = await Promise.all(
      Array.from({ length: 4 }, () => handlers.takeDepositBack({ phone: rider.phone }, app)),
    )
    expect(takes.map(({ data }) => data.refundedCents).toSorted((a, b) => b - a)).toEqual([9_900, 0, 0, 0])
    await sandbox.settled()
    expect(await rider.deposits()).toMatchObject([{ state: 'over', refundedCents: 9_900 }])
    expect((await rider.wallet()).wallet.depositCents).toBe(0)
  })

  it('does not leave by the way of a recharge, which knows nothing of freezes and rides', async () => {
    await setDeposit(9_900)
    const rider = await newRider()
    await rider.deposit()
    const [payment] = await rider.payments()
    const back = { paymentId: payment!.id, cents: 9_900, reason }
    await expect(handlers.refundPayment(back, clerk)).rejects.toMatchObject({ code: 'refund_above_paid' })
    expect((await rider.wallet()).wallet.depositCents).toBe(9_900)
  })

  it('is free for students and holders of a card where that is set', async () => {
    await setDeposit(9_900, { freeStudents: true })
    const rider = await newRider()
    const missing = async () => (await handlers.quoteDeposit({ phone: rider.phone, areaId: 31 }, app)).data.missingCents
    expect(await missing()).toBe(9_900)
    await owner.updateTable('rider').set({ certificate_kind: 'student' }).where('id', '=', rider.riderId).execute()
    expect(await missing()).toBe(0)
    await setDeposit(9_900, { freeCardHolders: true })
    expect(await missing()).toBe(9_900)
    const { data: settings } = await handlers.depositSettings({}, clerk)
    expect(settings.settings).toMatchObject([{ areaId: 31, cents: 9_900, freeCardHolders: true, authorName: '周可' }])
    expect(settings.history.length).toBeGreaterThan(1)
    expect((await handlers.depositSettings({}, stranger)).data.settings).toEqual([])
    await expect(
      handlers.setDeposit({ areaIds: [31, 41], cents: 1, freeStudents: false, freeCardHolders: false }, clerk),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  it('stays while a part of it is frozen, which is kept or let go once', async () => {
    await setDeposit(9_900)
    const rider = await newRider()
    await rider.deposit()
    const [deposit] = await rider.deposits()
    const depositId = deposit!.id
    await expect(handlers.freezeDeposit({ depositId, cents: 9_901, reason }, clerk)).rejects.toMatchObject({
      code: 'deposit_insufficient',
    })
    const { data: frozen } = await handlers.freezeDeposit({ depositId, cents: 5_000, reason }, clerk)
    const caseId = frozen.cases[0]!.id
    expect(frozen).toMatchObject({ state: 'frozen', frozenCents: 5_000 })
    await expect(handlers.recoverDeposit({ caseId, cents: 5_001, reason }, clerk)).rejects.toMatchObject({
      code: 'deposit_insufficient',
    })
    const asks = [
      () => handlers.unfreezeDeposit({ caseId, reason }, stranger),
      () => handlers.recoverDeposit({ caseId, cents: 1, reason }, stranger),
      () => handlers.refundDeposit({ depositId, reason }, stranger),
      () => handlers.freezeDeposit({ depositId, cents: 1, reason }, stranger),
    ]
    for (const ask of asks) await expect(ask()).rejects.toMatchObject({ code: 'not_found' })
    const decisions = await Promise.allSettled([
      handlers.recoverDeposit({ caseId, cents: 3_000, reason }, clerk),
      handlers.recoverDeposit({ caseId, cents: 3_000, reason }, clerk),
      handlers.unfreezeDeposit({ caseId, reason }, clerk),
    ])
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { data: again } = await handlers.freezeDeposit({ depositId, cents: 1_000, reason }, clerk)
    await handlers.unfreezeDeposit({ caseId: again.cases[0]!.id, reason }, clerk)
    const { recoveredCents } = (await rider.deposits())[0]!
    expect((await handlers.takeDepositBack({ phone: rider.phone }, app)).data.refundedCents).toBe(
      9_900 - recoveredCents,
    )
    await expect(handlers.refundDeposit({ depositId, reason }, clerk)).rejects.toMatchObject({
      code: 'deposit_insufficient',
    })
    expect(
      (await handlers.listDeposits({ filter: { phone: rider.phone, states: ['over'] }, pageSize: 20 }, clerk)).data
        .list,
    ).toHaveLength(1)
    expect((await handlers.listDeposits({ filter: { phone: rider.phone }, pageSize: 20 }, stranger)).data.list).toEqual(
      [],
    )
  })
})

describe('all of it together', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('recharge' as const), cents: fc.integer({ min: 100, max: 3_000 }) }),
    fc.record({ kind: fc.constant('debit' as const), cents: fc.integer({ min: 1, max: 3_000 }) }),
    fc.record({ kind: fc.constant('credit' as const), cents: fc.integer({ min: 1, max: 500 }) }),
    fc.record({ kind: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: 3_000 }) }),
    fc.record({
      kind: fc.constantFrom('deposit' as const, 'freeze' as const, 'unfreeze' as const),
      cents: fc.integer({ min: 1, max: 9_900 }),
    }),
    fc.record({
      kind: fc.constantFrom('recover' as const, 'takeBack' as const, 'card' as const),
      cents: fc.integer({ min: 1, max: 9_900 }),
    }),
  )

  it('never gives back more than came in, and leaves sound books', async () => {
    await setDeposit(9_900)
    const product = {
      kind: 'discount',
      name: '测试卡',
      priceCents: 700,
      days: 30,
      percentOff: 20,
      state: 'on',
    } as const
    const { id: productId } = (await handlers.createCardProduct({ agentId, product }, clerk)).data
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), async (rounds) => {
        const rider = await newRider()
        let requests = 0
        const act = async ({ kind, cents }: { kind: string; cents: number }): Promise<unknown> => {
          const { phone, riderId } = rider
          const payment = (await rider.payments()).find(({ became }) => became === 'recharge')
          const [deposit] = await rider.deposits()
          const open = deposit?.cases.find(({ state }) => state === 'open')
          requests += 1
          const requestId = `request-${requests}`
          const account = 'balance' as const
          switch (kind) {
            case 'recharge':
              return rider.recharge(cents)
            case 'debit':
            case 'credit':
              return handlers.platformCharge({ riderId, account, direction: kind, cents, reason }, clerk)
            case 'refund':
              return payment && handlers.refundPayment({ paymentId: payment.id, cents, reason }, clerk)
            case 'deposit':
              return rider.deposit()
            case 'freeze':
              return deposit && handlers.freezeDeposit({ depositId: deposit.id, cents, reason }, clerk)
            case 'unfreeze':
              return open && handlers.unfreezeDeposit({ caseId: open.id, reason }, clerk)
            case 'recover':
              return open && handlers.recoverDeposit({ caseId: open.id, cents, reason }, clerk)
            case 'takeBack':
              return handlers.takeDepositBack({ phone }, app)
            default:
              return handlers.buyCard({ phone, productId, requestId, payBy: 'balance' }, app)
          }
        }
        // What a round holds happens at once; refusals are part of it.
        for (const round of rounds) await Promise.allSettled(round.map(act))
        await sandbox.settled()
        for (const { cents, refundedCents } of await rider.payments()) expect(refundedCents).toBeLessThanOrEqual(cents)
        const deposits = await rider.deposits()
        const { wallet } = await rider.wallet()
        const sum = (value: (deposit: (typeof deposits)[number]) => number) =>
          deposits.reduce((all, one) => all + value(one), 0)
        expect(wallet.frozenCents).toBe(sum(({ frozenCents }) => frozenCents))
        expect(wallet.depositCents).toBe(
          sum((one) => one.cents - one.frozenCents - one.recoveredCents - one.refundedCents),
        )
        expect(
          Math.min(wallet.balanceCents, wallet.giftCents, wallet.depositCents, wallet.frozenCents),
        ).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 12 },
    )
    expect(verdictLine(await verifyLedger(db))).toMatch(/sound$/)
    expect((await proveMoney(db)).faults).toEqual([])
  }, 30_000)

  it('gives the riders of the demo a past, once, that the books agree with', async () => {
    const phones = Array.from({ length: 700 }, (_, n) => `1380014${String(n).padStart(4, '0')}`)
    const riders = createRiders(kit)
    await db.system((tx) =>
      riders.ensure(
        tx,
        phones.map((phone) => ({ agentId: 4, phone, name: null })),
      ),
    )
    expect(await fillWallets({ kit, ledger: finance.ledger })).toBe(70)
    expect(await fillWallets({ kit, ledger: finance.ledger })).toBe(0)
    const { data } = await handlers.listDeposits({ filter: {}, pageSize: 100 }, stranger)
    expect(new Set(data.list.map(({ state }) => state))).toEqual(new Set(['held', 'frozen', 'over']))
    const { data: refunds } = await handlers.failedRefunds({ filter: { states: ['failed'] }, pageSize: 20 }, stranger)
    expect(refunds.list.length).toBeGreaterThan(0)
    expect((await handlers.cardProducts({}, stranger)).data.list.map(({ soldCards }) => soldCards > 0)).toEqual([
      true,
      true,
      true,
    ])
    expect(verdictLine(await verifyLedger(db))).toMatch(/sound$/)
    expect((await proveMoney(db)).faults).toEqual([])
  })

  it.each([
    [
      'a payment',
      `update payment set cents = cents + 1000`,
      `state = 'paid' and became = 'recharge'`,
      /payment \d+ brought/,
    ],
    ['a deposit’s payment', `update payment set cents = cents + 1000`, `became = 'deposit'`, /^deposit:\d+ of agent/],
    [
      'a refund that was paid out',
      `update payment_refund set cents = cents + 1000`,
      `state = 'done'`,
      /refund [\d ]+ paid out/,
    ],
    ['a refund that failed', `update payment_refund set cents = cents + 1000`, `state = 'failed'`, /owes/],
    ['a deposit', `update rider_deposit set cents = cents + 100`, `true`, /^deposit:\d+ of agent \d: says/],
    [
      'a payment that never came',
      `update payment set state = 'paid', became = 'recharge', trade_number = 'x', paid_at = now()`,
      `state = 'waiting'`,
      /payment \d+ brought/,
    ],
    [
      'a payment that is hidden',
      `update payment set state = 'waiting', became = null, trade_number = null, paid_at = null`,
      `became = 'recharge'`,
      /^payment:\d+ of agent \d: payment -- brought 0.00/,
    ],
  ])('finds %s that was changed by hand, and names it', async (_, change, which, told) => {
    if (change.includes("'paid'")) await (await newRider()).ask(100)
    const table = /update (\w+)/.exec(change)![1]!
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where ${sql.raw(which)} order by id desc limit 1`.execute(owner)
    const id = rows[0]?.id ?? 0
    expect(id).toBeGreaterThan(0)
    const kept = await sql<Record<string, unknown>>`select * from ${sql.table(table)} where id = ${id}`.execute(owner)
    await sql.raw(`${change} where id = ${id}`).execute(owner)
    const { faults } = await proveMoney(db)
    expect(faults.join('\n')).toMatch(told)
    expect(faults.join('\n')).toContain(String(id))
    const { id: __, ...values } = kept.rows[0]!
    const generated = new Set(['state'].filter(() => table === 'rider_deposit'))
    for (const [column, value] of Object.entries(values)) {
      if (generated.has(column)) continue
      values[column] = value instanceof Object && !(value instanceof Date) ? JSON.stringify(value) : value
    }
    const entries = Object.entries(values).filter(([column]) => !generated.has(column))
    const assigned = entries.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    await sql`update ${sql.table(table)} set ${sql.join(assigned)} where id = ${id}`.execute(owner)
    expect((await proveMoney(db)).faults).toEqual([])
  })

  it('gives a refund that failed to the balance by the call, with a line in the log', async () => {
    const rider = await newRider()
    await rider.recharge(900)
    const [payment] = await rider.payments()
    sandbox.setMood({ failsRefunds: true })
    const { data } = await handlers.refundPayment({ paymentId: payment!.id, cents: 900, reason }, clerk)
    await sandbox.settled()
    sandbox.setMood({ failsRefunds: false })
    const asked = { refundId: data.refundId, reason: '银行卡已注销' }
    await expect(handlers.returnRefund(asked, stranger)).rejects.toMatchObject({ code: 'not_found' })
    const { data: returned } = await handlers.returnRefund(asked, clerk)
    expect(returned).toMatchObject({ state: 'returned', returnedBy: '周可' })
    await expect(handlers.returnRefund(asked, clerk)).rejects.toMatchObject({ code: 'refund_not_failed' })
    const { wallet, list } = await rider.wallet()
    expect(wallet.balanceCents).toBe(900)
    expect(list[0]).toMatchObject({ kind: 'refund_returned', cents: 900, memo: '银行卡已注销' })
    expect((await rider.payments())[0]).toMatchObject({ refundedCents: 0 })
    const line = await owner
      .selectFrom('audit_record')
      .select('after')
      .where('action', '=', 'wallet.refund_return')
      .executeTakeFirst()
    expect(line?.after).toEqual({ refundId: data.refundId, cents: 900, reason: '银行卡已注销' })
  })

  it('is proved once a day, and what does not agree is told', async () => {
    expect(await finance.books.checkWhenDue()).toBe(true)
    expect(await finance.books.checkWhenDue()).toBe(false)
    kit.clock.advance(day)
    finance.books.hold('rides', async () => ['order 17 was charged twice'])
    const tries = await Promise.all([finance.books.checkWhenDue(), finance.books.checkWhenDue()])
    expect(tries.filter(Boolean)).toHaveLength(1)
    const lines = await owner
      .selectFrom('audit_record')
      .select(['action', 'after'])
      .where('action', 'like', 'books.%')
      .orderBy('id')
      .execute()
    expect(lines.slice(-2).map(({ action }) => action)).toEqual(['books.sound', 'books.broken'])
    expect(JSON.stringify(lines.at(-1)?.after)).toContain('rides: order 17 was charged twice')
    expect(await ledger.balanceOf({ agentId, account: { kind: 'clearing_sandbox' } })).toBeLessThan(0)
  })
})
