import { errorText } from '@saddle/contract/errors.ts'
import { expect, it } from 'vitest'
import { createManualClock } from '#kit/clock.ts'
import { createKeyring } from '#kit/crypto.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { silentLog } from '#kit/log.ts'
import { createSeededRandom } from '#kit/random.ts'
import { testDatabase } from '#test/database.ts'
import { createGifts } from '../gifts/gifts.ts'
import { createLedger } from '../ledger/ledger.ts'
import { depositPay } from '../ledger/recipes.ts'
import { verdictLine, verifyLedger } from '../ledger/verify.ts'
import type { CallBack } from './channel.ts'
import { createPayments, type Payments } from './payments.ts'
import { createSandbox } from './sandbox.ts'

const { db, owner } = await testDatabase()
const clock = createManualClock(Date.UTC(2026, 10, 21, 4))
const random = createSeededRandom(20_261_121)
const ledger = createLedger({ db, clock, log: silentLog })
const gifts = createGifts({ db, clock, ledger })
await owner
  .insertInto('agent')
  .values([
    { id: 2, parent_id: null, company: 'A' },
    { id: 3, parent_id: 2, company: 'B' },
    { id: 4, parent_id: 2, company: 'C' },
  ])
  .execute()
await owner
  .insertInto('rider')
  .values({
    id: 8,
    agent_id: 3,
    phone_hash: 'x',
    phone_sealed: 'x',
    created_at: new Date(0),
    last_active_at: new Date(0),
  })
  .execute()

const delivered: CallBack[] = []
let lost = 0
const sandbox = createSandbox({
  clock,
  random,
  key: random.bytes(32),
  deliver: async (callBack) => {
    delivered.push(callBack)
    if (lost > 0) {
      lost -= 1
      return false
    }
    return (await payments.take('sandbox', callBack)).status === 200
  },
  recall: async () => null,
  bills: { folder: '', movements: async function* () {}, differencesPerMillion: 0, seed: 1 },
})
const payments: Payments = createPayments({
  isAboveCap: async () => false,
  db,
  clock,
  random,
  log: silentLog,
  ledger,
  gifts,
  recharges: {
    settled: async (tx, { agentId, riderId, paymentId, at }) => {
      if (riderId !== 8) return 0
      const source = { kind: 'payment', id: paymentId } as const
      const gift = { agentId, riderId, cents: 300, source, name: '充值礼', bearer: 'company', at } as const
      await gifts.grant(tx, { ...gift, validDays: 30 })
      return 300
    },
    refunded: async () => undefined,
  },
  channels: [sandbox.channel],
  secrets: createKeyring({ secret: 'a secret for tests only, long enough' }),
})
payments.serve('deposit', async (_, paid) => depositPay({ ...paid, depositId: paid.paymentId }))

const rider = { agentId: 3, riderId: 7, channel: 'sandbox', description: '充值' } as const
const recharge = (cents: number) => payments.start({ ...rider, purpose: 'recharge', cents })
const balance = (kind: 'rider_balance' | 'rider_deposit' = 'rider_balance', riderId: number = rider.riderId) =>
  ledger.balanceOf({ agentId: 3, account: { kind, ownerId: riderId } })
const refundStates = async () =>
  (await owner.selectFrom('payment_refund').select(['id', 'state', 'attempts', 'fault']).orderBy('id').execute()).map(
    ({ state, attempts }) => `${state} ${attempts}`,
  )

it('turns a payment into balance and gift when its call-back comes, and not before', async () => {
  const started = await payments.start({ ...rider, riderId: 8, purpose: 'recharge', cents: 2_000 })
  expect(await balance('rider_balance', 8)).toBe(0)
  await sandbox.pay(started.number)
  expect(await balance('rider_balance', 8)).toBe(2_000)
  expect(await ledger.balanceOf({ agentId: 3, account: { kind: 'rider_gift', ownerId: 8 } })).toBe(300)
  expect(await ledger.balanceOf({ agentId: 3, account: { kind: 'clearing_sandbox' } })).toBe(-2_000)
})

it('keeps a keyed hash of who paid, the same for one account of a channel and for no other', async () => {
  const paidBy = async (riderId: number, payer?: string) => {
    const { paymentId } = await payments.start({ ...rider, riderId, purpose: 'recharge', cents: 100, payer })
    const found = await owner.selectFrom('payment').select('payer_hash').where('id', '=', paymentId).executeTakeFirst()
    return found?.payer_hash
  }
  const first = await paidBy(21, 'oUpF8uMuAJO')
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(await paidBy(22, 'oUpF8uMuAJO')).toBe(first)
  expect(await paidBy(23, 'another')).not.toBe(first)
  expect(await paidBy(24)).toBeNull()
})

it('makes one entry of a call-back that comes 15 times, 20 at a time', async () => {
  const { number, paymentId } = await recharge(1_000)
  sandbox.setMood({ copies: 20 })
  for (let time = 0; time < 15; time += 1) await sandbox.pay(number)
  sandbox.setMood({ copies: 1 })
  expect(delivered.length).toBeGreaterThanOrEqual(300)
  const scope = scopeOfAgent(3)
  expect(await ledger.entriesOf({ scope, reference: `payment:${paymentId}` })).toHaveLength(1)
  expect(await balance()).toBe(1_000)
  // The very same bytes at once, too.
  const last = delivered.at(-1)
  if (last === undefined) throw new Error('nothing was delivered')
  const answers = await Promise.all(Array.from({ length: 20 }, () => payments.take('sandbox', last)))
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  expect(await balance()).toBe(1_000)
})

it('goes on asking until a call-back is taken', async () => {
  const { number } = await recharge(500)
  lost = 3
  await sandbox.pay(number)
  expect(await balance()).toBe(1_500)
})

it('takes nothing that was changed, is old, of another amount or unknown', async () => {
  const { number } = await recharge(700)
  await sandbox.pay(number)
  const before = await balance()
  const last = delivered.at(-1)
  if (last === undefined) throw new Error('nothing was delivered')
  const text = last.body.toString('utf8')
  const changed = { ...last, body: Buffer.from(text.replace('"cents":700', '"cents":70000')) }
  expect(changed.body.equals(last.body)).toBe(false)
  expect((await payments.take('sandbox', changed)).status).toBe(500)
  expect((await payments.take('sandbox', { ...last, body: Buffer.from(`${text} `) })).status).toBe(500)
  expect((await payments.take('sandbox', { ...last, headers: {} })).status).toBe(500)
  clock.advance(301_000)
  expect((await payments.take('sandbox', last)).status).toBe(500)
  await expect(payments.take('wechat', last)).rejects.toThrow(errorText('not_found'))
  expect(await balance()).toBe(before)
  // The sandbox as it should be, but of another amount than was asked for.
  const asked = await recharge(800)
  await owner.updateTable('payment').set({ cents: 900 }).where('id', '=', asked.paymentId).execute()
  await sandbox.pay(asked.number)
  expect(await balance()).toBe(before)
})

it('gives back what was paid, never more, also when asked at once', async () => {
  const { number, paymentId } = await recharge(1_000)
  await sandbox.pay(number)
  const before = await balance()
  const half = { agentId: 3, paymentId, cents: 600, reason: '余额退款' }
  const results = await Promise.allSettled([payments.refund(half), payments.refund(half), payments.refund(half)])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refused = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => (reason as Error).message)
  expect(new Set(refused)).toEqual(new Set([errorText('refund_above_paid')]))
  expect(await balance()).toBe(before - 600)
  await expect(payments.refund({ ...half, agentId: 4, cents: 1 })).rejects.toThrow(errorText('not_found'))
  await expect.poll(refundStates).toEqual(['done 1'])
})

it('keeps a refused refund for another try', async () => {
  const started = await payments.start({ ...rider, purpose: 'deposit', cents: 9_900 })
  await sandbox.pay(started.number)
  expect(await balance('rider_deposit')).toBe(9_900)
  sandbox.setMood({ refusesRefunds: true })
  const refund = { agentId: 3, paymentId: started.paymentId, cents: 9_900, reason: '退押金' }
  const refundId = await payments.refund(refund)
  const scope = scopeOfAgent(3)
  expect(await payments.failedRefunds(scope)).toEqual([
    expect.objectContaining({ id: refundId, cents: 9_900, attempts: 1, fault: 'the sandbox refuses the refund' }),
  ])
  expect(await payments.failedRefunds({ ...scope, agentIds: [4] })).toEqual([])
  await expect(payments.refund({ ...refund, cents: 1 })).rejects.toThrow(errorText('refund_above_paid'))
  await expect(payments.retryRefund({ agentId: 4, refundId })).rejects.toThrow(errorText('not_found'))
  sandbox.setMood({ refusesRefunds: false })
  await payments.retryRefund({ agentId: 3, refundId })
  await expect.poll(refundStates).toEqual(['done 1', 'done 2'])
  expect(await balance('rider_deposit')).toBe(0)
})

const clearing = () => ledger.balanceOf({ agentId: 3, account: { kind: 'clearing_sandbox' } })
const owed = () => ledger.balanceOf({ agentId: 3, account: { kind: 'refund_payable', ownerId: rider.riderId } })

it('owes a refund until the channel has paid it out, or gives it to the balance, once', async () => {
  const started = await recharge(2_000)
  await sandbox.pay(started.number)
  const [held, had] = [await clearing(), await balance()]
  sandbox.setMood({ failsRefunds: true })
  const refund = { agentId: 3, paymentId: started.paymentId, cents: 700, reason: '退余额' }
  const refundId = await payments.refund(refund)
  await sandbox.settled()
  expect([await clearing(), await balance(), await owed()], 'the channel still has it').toEqual([held, had - 700, 700])
  const giveUp = (agentId: number) =>
    db.system((tx) => payments.returnRefund(tx, { agentId, refundId, reason: '银行卡已注销', by: '周可' }))
  await expect(giveUp(4)).rejects.toThrow(errorText('not_found'))
  const tries = await Promise.allSettled([giveUp(3), giveUp(3)])
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect([await clearing(), await balance(), await owed()]).toEqual([held, had, 0])
  await payments.retryRefund({ agentId: 3, refundId })
  expect(await refundStates(), 'nobody asks the channel for it any more').toContain('returned 1')
  sandbox.setMood({ failsRefunds: false })
  await payments.refund({ ...refund, cents: 2_000 })
  await sandbox.settled()
  expect([await clearing(), await balance(), await owed()]).toEqual([held + 2_000, had - 2_000, 0])
  // The channel pays out after all what has become balance.
  const { number } = await owner
    .selectFrom('payment_refund')
    .select('number')
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow()
  const loss = () => ledger.balanceOf({ agentId: 3, account: { kind: 'adjustment' } })
  const late = await sandbox.channel.refund({
    number: started.number,
    refundNumber: number,
    cents: 700,
    totalCents: 2_000,
    reason: '',
  })
  expect(late).toBe('pending')
  await sandbox.settled()
  expect([await clearing(), await balance(), await loss()]).toEqual([held + 2_700, had - 2_000, -700])
})

it('moves nothing when the channel is down, and the whole ledger stays sound', async () => {
  sandbox.setMood({ isDown: true })
  await expect(recharge(100)).rejects.toThrow(errorText('payment_unavailable'))
  sandbox.setMood({ isDown: false })
  expect(verdictLine(await verifyLedger(db))).toMatch(/sound$/)
})
