import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { cardTermsSchema } from '@saddle/contract/finance/cardTerms.ts'
import { fillWallets } from '#demo/past/wallets.ts'
import { createRiders } from '#test/riderDirectory.ts'
import { cardsThatDisagree } from '../cards/verify.ts'
import { proveMoney } from '../checks/money.ts'
import { verdictLine, verifyLedger } from '../ledger/verify.ts'
import { moneyWorld } from './money.fixture.ts'

const { db, owner, kit, finance, sandbox, agentId, day, clerk, outsider, app, newRider } = await moneyWorld()
const { handlers, ledger } = finance

const reason = '测试'
const others = { freeProfessions: false, freeProductIds: [], inherits: false }
const setDeposit = (cents: number, free: { freeStudents?: boolean; freeCardHolders?: boolean } = {}) =>
  handlers.setDeposit({ areaIds: [31], cents, freeStudents: false, freeCardHolders: false, ...others, ...free }, clerk)

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
    const terms = cardTermsSchema.parse({ kind: 'discount', name: '测试卡', priceCents: 700, days: 30, percentOff: 20 })
    const { id: productId } = (await handlers.createCardProduct({ agentId, terms, isDraft: false }, clerk)).data
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
    expect(await fillWallets({ kit, ledger, gifts: finance.gifts })).toBe(70)
    expect(await fillWallets({ kit, ledger, gifts: finance.gifts })).toBe(0)
    const { data } = await handlers.listDeposits({ filter: {}, sort: 'paid', pageSize: 100 }, outsider)
    expect(new Set(data.list.map(({ state }) => state))).toEqual(new Set(['held', 'frozen', 'over']))
    const { data: refunds } = await handlers.listRefunds(
      { filter: { states: ['failed'] }, sort: 'created', pageSize: 20 },
      outsider,
    )
    expect(refunds.list.length).toBeGreaterThan(0)
    await finance.cards.lapse()
    await finance.cards.earn()
    const { data: mall } = await handlers.listCardProducts({ filter: {}, sort: 'shelf', pageSize: 100 }, outsider)
    expect(new Set(mall.list.map(({ shelf }) => shelf))).toEqual(
      new Set(['on', 'scheduled', 'over', 'paused', 'draft', 'ended']),
    )
    expect(mall.list.find(({ version }) => version === 2)?.left, 'few are left of one').toBeLessThan(10)
    const { data: cards } = await handlers.listSoldCards({ filter: {}, sort: 'asked', pageSize: 100 }, outsider)
    expect(new Set(cards.list.map(({ state }) => state))).toEqual(
      new Set(['lapsed', 'active', 'over', 'refunded', 'revoked']),
    )
    expect(await cardsThatDisagree(db, kit.clock.now())).toEqual([])
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
    await expect(handlers.returnRefund(asked, outsider)).rejects.toMatchObject({ code: 'not_found' })
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
