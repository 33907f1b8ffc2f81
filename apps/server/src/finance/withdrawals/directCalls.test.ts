import { expect, it } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { withdrawalEndpoints } from '@saddle/contract/finance/withdrawals.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { testDatabase } from '#test/database.ts'
import { toldOf } from '#test/toldOf.ts'
import { withdrawalsThatDisagree } from './verify.ts'
import { bankWorld } from './withdrawals.fixture.ts'

/** What somebody with a session tries by calls alone, past the console: the password and the second person stay needed. */
const { db, owner } = await testDatabase()
const world = await bankWorld({ db, owner })
const { clock, bank, handlers, ledger } = world
const { cardId, account } = await world.openAccount(3)
await world.openAccount(4)
clock.advance(2 * dayMs)
await world.addMoney(3, 10_000_000)
await world.addMoney(4, 10_000_000)
const [filer, colleague, foreign] = [world.person(30, 3), world.person(31, 3), world.person(40, 4)]

const refused = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? error.code : String(error)
}
const file = async (cents: number, by = filer): Promise<number> =>
  (await handlers.fileWithdrawal({ cardId, cents }, by)).data.id
const enterPassword = async (id: number): Promise<void> => {
  const { data } = await handlers.authoriseWithdrawal({ id }, filer)
  await world.enterPassword(data.redirectUrl, account)
}
const withdrawing = (): Promise<number> => ledger.balanceOf({ agentId: 3, account: { kind: 'agent_withdrawing' } })
const terms = { isAllowed: true, minCents: 10_000, dailyCents: 9_000_000, feeCents: 200, secondCents: 50_000 }
await handlers.setWithdrawalTerms({ agentId: 3, version: 0, terms, reason: '测试' }, world.person(1, 2, [2, 3, 4]))

it('sends nothing without the password of whoever filed it, entered for this withdrawal', async () => {
  const id = await file(20_000)
  expect(await refused(handlers.sendWithdrawal({ id }, filer)), 'without one').toBe('withdrawal_not_authorised')
  expect(await refused(handlers.confirmWithdrawal({ id }, colleague)), 'past it').toBe('withdrawal_state')
  const other = await file(20_000)
  await enterPassword(other)
  expect(await refused(handlers.sendWithdrawal({ id }, filer)), 'with that of another').toBe(
    'withdrawal_not_authorised',
  )
  expect(await refused(handlers.sendWithdrawal({ id: other }, colleague)), 'by another person').toBe('withdrawal_state')
  expect(await refused(handlers.authoriseWithdrawal({ id }, colleague))).toBe('withdrawal_state')
  expect(await refused(handlers.sendWithdrawal({ id: other }, foreign)), 'of another company').toBe('not_found')
  expect(await withdrawing()).toBe(0)
  expect((await handlers.sendWithdrawal({ id: other }, filer)).data.state).toBe('sent')
  expect(await refused(handlers.sendWithdrawal({ id: other }, filer)), 'again').toBe('withdrawal_state')
  expect(bank.payouts()).toHaveLength(1)
})

it('takes the amount, the card and the fee from what was filed, whatever else a call names', async () => {
  const sent = { id: 7, cents: 9_000_000, cardId: 99, feeCents: 0, needsSecond: false, state: 'queued' }
  for (const call of [withdrawalEndpoints.sendWithdrawal, withdrawalEndpoints.confirmWithdrawal]) {
    expect(call.input.parse(sent)).toEqual({ id: 7 })
  }
  expect(await refused(file(20_000, foreign)), 'a card of another company').toBe('not_found')
})

it('waits for another person above the limit of one, also in parts and at the same moment', async () => {
  clock.advance(dayMs)
  const ids: number[] = []
  for (let nth = 0; nth < 4; nth += 1) {
    const id = await file(20_000)
    await enterPassword(id)
    ids.push(id)
  }
  const answers = await Promise.all(ids.map((id) => handlers.sendWithdrawal({ id }, filer)))
  const states = answers.map(({ data }) => data.state)
  expect(states.filter((state) => state === 'waiting')).toHaveLength(2)
  expect(bank.payouts()).toHaveLength(3)
  const waiting = ids[states.indexOf('waiting')] ?? 0
  for (const [nth, id] of ids.entries())
    expect(await toldOf(owner, `withdrawal ${id}`)).toEqual(states[nth] === 'waiting' ? ['withdrawal_waiting'] : [])
  expect(await refused(handlers.confirmWithdrawal({ id: waiting }, filer)), 'one’s own').toBe('second_person_same')
  expect(await refused(handlers.confirmWithdrawal({ id: waiting }, foreign)), 'another company').toBe('not_found')
  expect(await refused(handlers.sendWithdrawal({ id: waiting }, filer)), 'past the second person').toBe(
    'withdrawal_state',
  )
  const wider = { ...terms, secondCents: 9_000_000 }
  expect(
    await refused(handlers.setWithdrawalTerms({ agentId: 3, version: 1, terms: wider, reason: '放宽' }, filer)),
  ).toBe('withdrawal_terms_own')
  const tries = await Promise.allSettled([1, 2, 3].map(() => handlers.confirmWithdrawal({ id: waiting }, colleague)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(bank.payouts()).toHaveLength(4)
  expect(await withdrawalsThatDisagree(db)).toEqual([])
})

it('locks the password after five wrong tries, for every withdrawal', async () => {
  clock.advance(dayMs)
  const id = await file(20_000)
  const link = async () => {
    const { data } = await handlers.authoriseWithdrawal({ id }, filer)
    return new URL(data.redirectUrl).searchParams.get('t') ?? ''
  }
  for (let nth = 0; nth < 5; nth += 1) expect(bank.counter.authorise(await link(), '000000')).toBe('支付密码不正确')
  await expect(enterPassword(id)).rejects.toThrow('支付密码错误次数过多')
  expect(await refused(handlers.sendWithdrawal({ id }, filer))).toBe('withdrawal_not_authorised')
})
