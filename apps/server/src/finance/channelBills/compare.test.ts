import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { DifferenceResolution } from '@saddle/contract/finance/channelBills.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import type { Kysely } from 'kysely'
import type { DB } from '#kit/db/types.ts'
import { fateOf, sandboxBill, unknownPaymentOf, type SandboxMovement } from '../payments/sandboxBills.ts'
import { channelDayOf } from './channelDays.ts'
import { reconcileFinance } from './reconcile.ts'
import { allMovements, billWorld, compare, days, fill, optionsOf } from './channelBills.fixture.ts'
import { thorough } from '../../../../../scripts/lib/thorough.mjs'

const seeds = thorough({ normal: 3, long: 15, full: 50 })
const [first, second, third] = days

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
    { timeout: (1 + seeds) * minuteMs },
    async () => {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const of = await billWorld()
        await fill(of, seed, 240)
        const options = optionsOf(of, seed, 120_000)
        const expected: string[] = []
        for (const [index, day] of days.entries()) {
          const state = index === days.length - 1 ? 'parked' : 'open'
          for (const movement of await allMovements(options, day)) {
            const kind = fateOf(movement, options)
            if (kind === null) continue
            const name = movement.isRefund ? 'back' : 'pay'
            const number = kind === 'long' ? unknownPaymentOf(movement.number) : movement.number
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
    const of = await billWorld()
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
    const of = await billWorld()
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
    const of = await billWorld()
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
    const of = await billWorld()
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
