import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { DifferenceResolution } from '@saddle/contract/finance/channelBills.ts'
import { businessDayStart, dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Kysely } from 'kysely'
import type { DB } from '#kit/db/types.ts'
import { createSeededRandom } from '#kit/random.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { createRiders } from '#test/riderDirectory.ts'
import { createFinance } from '../public.ts'
import {
  fateOf,
  sandboxBill,
  strangerOf,
  type SandboxBillOptions,
  type SandboxMovement,
} from '../payments/sandboxBills.ts'
import { sandboxMovements } from '../payments/sandboxMovements.ts'
import { channelDayOf } from './channelDays.ts'
import { fetchAndCompare } from './job.ts'
import { reconcileFinance } from './reconcile.ts'

/** SADDLE_LONG compares the bills of 50 seeds. */
const seeds = process.env['SADDLE_LONG'] === undefined ? 3 : 50
const days = ['2026-11-10', '2026-11-11', '2026-11-12'] as const
const [first, second, third] = days

async function world() {
  const { db, owner } = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-recon-'))
  const kit = testKit(db, { DEMO: 'true', DATA_DIR: dataDir, PREPAID_CAP_YUAN: '0' })
  kit.clock.advance(businessDayStart('2026-11-14') + 12 * hourMs - kit.clock.now())
  const finance = createFinance(kit, createRiders(kit))
  await owner
    .insertInto('agent')
    .values([
      { id: 2, parent_id: null, company: '总部' },
      { id: 3, parent_id: 2, company: '城北' },
      { id: 4, parent_id: 2, company: '城南' },
    ])
    .execute()
  const riders = await db.system((tx) =>
    createRiders(kit).ensure(tx, [
      { agentId: 3, phone: '13900130001', name: null },
      { agentId: 4, phone: '13900130002', name: null },
    ]),
  )
  const person = (operatorId: number, agentId = 2) =>
    sessionCall({
      operatorId,
      agentId,
      grant: { agentIds: agentId === 2 ? [3, 4] : [agentId], areaIds: [] },
      permissions: ['FinancialReconciliation'],
      name: `n${operatorId}`,
    })
  return { db, owner, kit, finance, riders, person, folder: join(dataDir, 'bills') }
}
type World = Awaited<ReturnType<typeof world>>

/** Recharges and refunds of three days, as calls and call-backs would have left them. */
async function fill({ owner, finance, riders }: World, seed: number, payments: number): Promise<void> {
  const random = createSeededRandom(seed)
  const rows = Array.from({ length: payments }, (_, index) => {
    const at = businessDayStart(days[index % days.length] ?? first) + Math.floor(random.fraction() * dayMs)
    const agent = random.fraction() < 0.5 ? 3 : 4
    return {
      agent,
      rider: riders[agent - 3] ?? 0,
      at,
      cents: 1 + Math.floor(random.fraction() * 5_000),
      number: `p${seed}x${index}`,
    }
  })
  const paid = await owner
    .insertInto('payment')
    .values(
      rows.map(({ agent, rider, at, cents, number }) => ({
        agent_id: agent,
        rider_id: rider,
        purpose: 'recharge',
        became: 'recharge',
        channel: 'sandbox',
        number: Buffer.from(number).toString('hex').padEnd(32, '0'),
        cents,
        state: 'paid',
        trade_number: number,
        created_at: new Date(at),
        paid_at: new Date(at),
      })),
    )
    .returning(['id', 'agent_id', 'rider_id', 'cents', 'paid_at', 'number'])
    .execute()
  const post = async (entry: Parameters<typeof finance.ledger.post>[0]): Promise<void> => {
    await finance.ledger.post(entry)
  }
  for (const [index, row] of paid.entries()) {
    const occurredAt = row.paid_at?.getTime() ?? 0
    const balance = { kind: 'rider_balance', ownerId: row.rider_id } as const
    await post({
      agentId: row.agent_id,
      kind: 'recharge',
      reference: `payment:${row.id}`,
      occurredAt,
      lines: [
        { account: { kind: 'clearing_sandbox' }, amountCents: -row.cents },
        { account: balance, amountCents: row.cents },
      ],
    })
    if (index % 7 !== 0) continue
    const doneAt = new Date(Math.min(occurredAt + hourMs, businessDayStart('2026-11-13') - 1))
    await owner
      .insertInto('payment_refund')
      .values({
        agent_id: row.agent_id,
        payment_id: row.id,
        number: row.number.replace(/^./, 'f'),
        cents: row.cents,
        reason: '退',
        state: 'done',
        created_at: doneAt,
        done_at: doneAt,
      })
      .execute()
    await post({
      agentId: row.agent_id,
      kind: 'refund_paid',
      reference: `payment:${row.id}`,
      occurredAt: doneAt.getTime(),
      lines: [
        { account: { kind: 'clearing_sandbox' }, amountCents: row.cents },
        { account: balance, amountCents: -row.cents },
      ],
    })
  }
}

async function allMovements(of: SandboxBillOptions, day: string): Promise<SandboxMovement[]> {
  const all: SandboxMovement[] = []
  for await (const some of of.movements(day)) all.push(...some)
  return all
}

const optionsOf = ({ db, folder }: World, seed: number, differencesPerMillion: number): SandboxBillOptions => ({
  folder,
  movements: (day) => sandboxMovements(db, day),
  differencesPerMillion,
  seed,
})

async function compare(of: World, options: SandboxBillOptions, day: string) {
  const now = of.kit.clock.now()
  const channel = { bill: (asked: string) => sandboxBill(options, { day: asked, now }) }
  return fetchAndCompare({ kit: of.kit, ledger: of.finance.ledger }, channel, { channel: 'sandbox', day, at: now })
}

const found = async (owner: Kysely<DB>) =>
  (
    await owner
      .selectFrom('channel_difference')
      .select(['kind', 'number', 'is_refund', 'state', 'day'])
      .orderBy('id')
      .execute()
  ).map(
    ({ kind, number, is_refund: isRefund, state, day }) =>
      `${day} ${kind} ${isRefund ? 'back' : 'pay'} ${number} ${state}`,
  )

describe('bills with seeded differences', () => {
  it(
    `are compared: every difference is found and none invented, over ${seeds} seeds`,
    { timeout: 1_200_000 },
    async () => {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const of = await world()
        await fill(of, seed, 240)
        const options = optionsOf(of, seed, 120_000)
        const expected: string[] = []
        for (const [index, day] of days.entries()) {
          const state = index === days.length - 1 ? 'parked' : 'open'
          for (const movement of await allMovements(options, day)) {
            const kind = fateOf(movement, options)
            if (kind === null) continue
            const name = movement.isRefund ? 'back' : 'pay'
            const number = kind === 'long' ? strangerOf(movement.number) : movement.number
            // What stands on the next bill: found as missing first, where there is no next bill it stays so.
            const isLast = kind === 'cross_day' && index === days.length - 1
            const told = kind === 'cross_day' ? (isLast ? 'short' : 'cross_day') : kind
            expected.push(`${day} ${told} ${name} ${number} ${kind === 'cross_day' && !isLast ? 'cleared' : state}`)
          }
        }
        expect(expected.length).toBeGreaterThan(5)
        for (const day of days) expect((await compare(of, options, day))?.isKnown).toBe(false)
        expect((await found(of.owner)).toSorted(), `seed ${seed}`).toEqual(expected.toSorted())
        const again = await compare(of, options, first)
        expect(again, 'the same file once more').toMatchObject({ isKnown: true, differences: 0 })
        const proof = await reconcileFinance(of.db, { first, last: third })
        expect(proof.differences, `seed ${seed}`).toEqual([])
        expect(proof.days).toBe(3)
      }
    },
  )

  it('of a day without differences match to the cent, with the fee of the bill in the ledger', async () => {
    const of = await world()
    await fill(of, 99, 60)
    const options = optionsOf(of, 99, 0)
    const bill = await sandboxBill(options, { day: first, now: of.kit.clock.now() })
    expect(readFileSync(join(of.folder, `sandbox-${first}.csv.sha1`), 'utf8').trim()).toBe(bill?.sha1)
    for (const day of days) await compare(of, options, day)
    expect(await found(of.owner)).toEqual([])
    const { rows } = await sql<{ fee: number; posted: number; lines: number }>`
      select (select sum(fee_cents) from channel_day)::integer as fee,
        (select sum(balance_cents) from ledger_balance b join ledger_account a on a.id = b.account_id where a.kind = 'channel_fee')::integer
          as posted, (select round(sum(fee_millicents) / 1000.0) from channel_bill_line)::integer as lines`.execute(
      of.owner,
    )
    expect(rows[0]?.posted).toBe(-(rows[0]?.fee ?? 0))
    expect(Math.abs((rows[0]?.lines ?? 0) - (rows[0]?.fee ?? 0))).toBeLessThanOrEqual(days.length)
    const at = of.kit.clock.now()
    const state = await of.db.system((tx) => channelDayOf(tx, { agentId: 3, day: second, at }))
    expect(state).toEqual({ state: 'matched', heldCents: 0, reasons: [] })
    expect(await of.db.system((tx) => channelDayOf(tx, { agentId: 3, day: '2026-11-01', at }))).toMatchObject({
      state: 'matched',
    })
  })
})

describe('a file that is not the bill', () => {
  it('is refused and leaves nothing behind; another file for a compared day too', async () => {
    const of = await world()
    await fill(of, 5, 30)
    const { handlers } = of.finance
    const clerk = of.person(11)
    const options = optionsOf(of, 5, 0)
    await sandboxBill(options, { day: first, now: of.kit.clock.now() })
    const text = readFileSync(join(of.folder, `sandbox-${first}.csv`))
    const upload = (bytes: Buffer, day: string, call = clerk, sha1?: string) =>
      handlers.uploadChannelBill(
        { channel: 'sandbox', day, file: bytes.toString('base64'), ...(sha1 !== undefined && { sha1 }) },
        call,
      )
    const bad = Buffer.from(text.toString().replace('`CNY', '`EUR'))
    await expect(upload(bad, first)).rejects.toMatchObject({ code: 'channel_bill_unreadable' })
    await expect(upload(text, second), 'of another day').rejects.toMatchObject({ code: 'channel_bill_foreign' })
    await expect(upload(text, first, clerk, '0'.repeat(40))).rejects.toMatchObject({ code: 'channel_bill_hash' })
    await expect(upload(text, '2026-12-24')).rejects.toMatchObject({ code: 'channel_bill_early' })
    await expect(upload(text, first, of.person(12, 3))).rejects.toMatchObject({ code: 'difference_platform' })
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from channel_bill)::integer + (select count(*) from channel_bill_line)::integer
        + (select count(*) from channel_day)::integer as n`.execute(of.owner)
    expect(rows[0]?.n).toBe(0)
    expect((await upload(text, first)).data).toMatchObject({
      lines: expect.any(Number),
      differences: 0,
      isKnown: false,
    })
    expect((await upload(text, first)).data).toMatchObject({ isKnown: true })
    await expect(upload(Buffer.from(`${text.toString()}\r\n`), first)).rejects.toMatchObject({
      code: 'channel_bill_compared',
    })
    const days = await handlers.listChannelDays({ filter: {}, sort: 'day', pageSize: 20 }, of.person(12, 3))
    expect(days.data.list.map(({ agentId, source, state }) => [agentId, source, state])).toEqual([
      [3, 'uploaded', 'matched'],
    ])
  })
})

describe('a difference', () => {
  it('is resolved by two people of the platform, in the ledger, and holds money until then', async () => {
    const of = await world()
    await fill(of, 8, 90)
    const options = optionsOf(of, 8, 300_000)
    for (const day of days) await compare(of, options, day)
    const { handlers, ledger } = of.finance
    const [one, other, owner] = [of.person(11), of.person(12), of.person(13, 3)]
    const page = { sort: 'day', pageSize: 200 } as const
    const open = async (kinds: ('long' | 'short' | 'amount' | 'status')[], call = one) =>
      (await handlers.listChannelDifferences({ filter: { states: ['open'], kinds }, ...page }, call)).data.list
    expect(
      (await open(['short'], owner)).every(({ agentId, resolutions }) => agentId === 3 && resolutions.length === 0),
    ).toBe(true)
    const short = (await open(['short'])).find(({ isRefund, agentId }) => !isRefund && agentId === 3)!
    expect(short).toMatchObject({ billCents: null, deltaCents: -short.ownCents!, heldCents: short.ownCents })
    const held = (await of.db.system((tx) => channelDayOf(tx, { agentId: 3, day: short.day, at: of.kit.clock.now() })))
      .heldCents
    const input = { id: short.id, resolution: 'write_off' as DifferenceResolution, reason: '渠道确认未收款' }
    await expect(handlers.proposeResolution(input, owner)).rejects.toMatchObject({ code: 'difference_platform' })
    await expect(handlers.proposeResolution({ ...input, resolution: 'book' }, one)).rejects.toMatchObject({
      code: 'difference_decided',
    })
    expect((await handlers.proposeResolution(input, one)).data).toMatchObject({
      state: 'proposed',
      isOwn: true,
      canConfirm: false,
    })
    await expect(handlers.confirmResolution({ id: short.id }, one)).rejects.toMatchObject({
      code: 'second_person_same',
    })
    await handlers.rejectResolution({ id: short.id, note: '再查' }, other)
    await handlers.proposeResolution(input, one)
    const both = await Promise.allSettled([
      handlers.confirmResolution({ id: short.id }, other),
      handlers.confirmResolution({ id: short.id }, other),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [lost] = await ledger.balancesOf({ agentId: 3, accounts: [{ kind: 'write_off' }] })
    expect(lost).toBe(-short.ownCents!)
    const after = await of.db.system((tx) => channelDayOf(tx, { agentId: 3, day: short.day, at: of.kit.clock.now() }))
    expect(after.heldCents).toBe(held - short.ownCents!)

    const long = (await open(['long'])).find(({ isRefund }) => !isRefund)!
    expect(long.agentId, 'nobody knows whose it is').toBe(2)
    await handlers.proposeResolution({ id: long.id, resolution: 'refund', reason: '退回付款人' }, one)
    await handlers.confirmResolution({ id: long.id }, other)
    await of.finance.sandbox?.settled()
    expect(await ledger.balancesOf({ agentId: 2, accounts: [{ kind: 'suspense' }] })).toEqual([long.billCents])
    of.kit.clock.advance(dayMs)
    await compare(of, { ...options, differencesPerMillion: 0 }, '2026-11-14')
    expect(
      await ledger.balancesOf({ agentId: 2, accounts: [{ kind: 'suspense' }] }),
      'the bill has the refund',
    ).toEqual([0])

    const amount = (await open(['amount'])).find(({ isRefund }) => !isRefund)!
    await handlers.proposeResolution({ id: amount.id, resolution: 'suspend', reason: '待查' }, one)
    expect((await handlers.confirmResolution({ id: amount.id }, other)).data).toMatchObject({ state: 'suspended' })
    expect(
      (await handlers.proposeResolution({ id: amount.id, resolution: 'adjust', reason: '查清' }, other)).data.state,
    ).toBe('proposed')
    await handlers.confirmResolution({ id: amount.id }, one)
    const accounts = [{ kind: 'suspense' }, { kind: 'adjustment' }] as const
    expect(await ledger.balancesOf({ agentId: amount.agentId, accounts })).toEqual([0, amount.deltaCents])
    expect((await reconcileFinance(of.db, { first, last: '2026-11-14' })).differences).toEqual([])
    const { rows } = await sql<{ action: string }>`
      select distinct action from audit_record where action like 'channel_%' order by 1`.execute(of.owner)
    expect(rows.map(({ action }) => action)).toEqual([
      'channel_difference.confirm',
      'channel_difference.propose',
      'channel_difference.reject',
    ])
  })

  it('of a call-back that never came is booked as that, or ends by itself when it comes', async () => {
    const of = await world()
    const { handlers, payments, sandbox } = of.finance
    const riderId = of.riders[0] ?? 0
    const start = () => payments.start({ agentId: 3, riderId, purpose: 'recharge', cents: 2_000, description: '充值' })
    const [lost, late] = [await start(), await start()]
    const day = '2026-11-14'
    const at = of.kit.clock.now()
    const lineOf = (number: string): SandboxMovement => ({
      isRefund: false,
      number,
      orderNumber: number,
      tradeNumber: `sandbox-${number}`,
      at,
      cents: 2_000,
    })
    const options = {
      ...optionsOf(of, 1, 0),
      movements: async function* (asked: string) {
        if (asked === day) yield [lineOf(lost.number), lineOf(late.number)]
      },
    }
    of.kit.clock.advance(dayMs)
    expect(await compare(of, options, day)).toMatchObject({ lines: 2, differences: 2 })
    await of.owner.updateTable('channel_difference').set({ state: 'open' }).execute()
    const [one, other] = [of.person(11), of.person(12)]
    const list = async () =>
      (await handlers.listChannelDifferences({ filter: {}, sort: 'day', pageSize: 20 }, one)).data.list.toSorted(
        (a, b) => a.id - b.id,
      )
    const [first] = await list()
    expect(first).toMatchObject({
      kind: 'status',
      ownStatus: 'waiting',
      resolutions: ['book', 'adjust', 'suspend', 'write_off'],
    })
    const booked = first!.number === lost.number ? first! : (await list())[1]!
    await handlers.proposeResolution({ id: booked.id, resolution: 'book', reason: '渠道已收款' }, one)
    await handlers.confirmResolution({ id: booked.id }, other)
    await sandbox?.pay(late.number)
    await of.finance.channelBills.run({ beginsNew: false })
    expect((await list()).map(({ state }) => state).toSorted()).toEqual(['cleared', 'resolved'])
    const wallet = await of.finance.ledger.balancesOf({
      agentId: 3,
      accounts: [{ kind: 'rider_balance', ownerId: riderId }],
    })
    expect(wallet).toEqual([4_000])
  })
})
