import { expect, it } from 'vitest'
import { cardRestMs } from '@saddle/contract/finance/withdrawals.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { toldOf } from '#test/toldOf.ts'
import { EnvelopeError } from '../bank/envelope.ts'
import { bankWorld } from '../withdrawals/withdrawals.fixture.ts'

const { db, owner } = await testDatabase()
const world = await bankWorld({ db, owner })
const { clock, bank, accountHandlers: calls, handlers, deliver } = world
const call = world.person(30, 3)
const agentId = 3
const photo = samples.png.toString('base64')
const details = {
  accountType: 'company',
  name: '东湖出行有限公司',
  creditCode: '91320594MA1XABCD2E',
  legalPerson: '沈一诺',
  legalPersonId: '320500199001011234',
  mobile: '13800000000',
  email: 'finance@example.com',
} as const
const latest = (): string => bank.messages()[0]?.text ?? ''

it('opens the account of a company from a draft to a bound card', async () => {
  await expect(calls.submitCompanyOpening({ agentId }, call)).rejects.toMatchObject({ code: 'opening_pending' })
  await calls.openAccount({ agentId, details }, call)
  await expect(calls.submitCompanyOpening({ agentId }, call)).rejects.toMatchObject({ code: 'opening_incomplete' })
  await expect(calls.uploadPersonPaper({ agentId, kind: 'holder_front', photo }, call)).rejects.toThrow()
  for (const kind of ['licence', 'legal_front', 'legal_back'] as const) {
    await calls.uploadCompanyPaper({ agentId, kind, photo }, call)
  }
  const { data: sent } = await calls.submitCompanyOpening({ agentId }, call)
  expect(sent).toMatchObject({ state: 'submitted', papers: ['licence', 'legal_front', 'legal_back'] })
  // Nobody needs the whole number any more.
  expect(JSON.stringify(sent)).not.toContain('320500199001011234')
  await expect(calls.openAccount({ agentId, details }, call)).rejects.toMatchObject({ code: 'opening_pending' })
  clock.advance(5_000)
  await deliver()
  const { data: account } = await calls.companyAccount({ agentId }, call)
  expect(account).toMatchObject({ status: 2, opening: { state: 'opened' } })
  expect((await calls.openingPaper({ agentId, kind: 'licence' }, call)).data.list).toHaveLength(1)

  const card = { agentId, cardNo: '6222020000001234', bankName: '招商银行', bankMobile: '13800000000' }
  const { data: made } = await calls.bindCard(card, call)
  expect(made).toMatchObject({ state: 'checking', checkKind: 'amount', cardNo: '**** **** **** 1234' })
  await expect(calls.bindCard(card, call)).rejects.toMatchObject({ code: 'bank_card_known' })
  await expect(calls.sendCardCode({ id: made.id }, call)).rejects.toMatchObject({ code: 'code_too_soon' })
  clock.advance(minuteMs)
  await calls.sendCardEmail({ id: made.id }, call)
  const [, value = ''] = /验证值 (\d+)/.exec(latest()) ?? []
  await expect(calls.bindCardCheck({ id: made.id, value: '999999' }, call)).rejects.toMatchObject({
    code: 'bank_card_check_wrong',
  })
  expect((await calls.bindCardCheck({ id: made.id, value }, call)).data).toMatchObject({ state: 'bound', triesLeft: 3 })

  await world.addMoney(agentId, 100_000)
  await expect(handlers.fileWithdrawal({ cardId: made.id, cents: 20_000 }, call)).rejects.toMatchObject({
    code: 'bank_card_rests',
  })
  clock.advance(cardRestMs)
  const filed = await handlers.fileWithdrawal({ cardId: made.id, cents: 20_000 }, call)
  await expect(handlers.sendWithdrawal({ id: filed.data.id }, call)).rejects.toMatchObject({
    code: 'withdrawal_not_authorised',
  })
  await expect(calls.unbindCard({ id: made.id, reason: '' }, call)).rejects.toMatchObject({ code: 'bank_card_in_use' })
  const { data: link } = await handlers.authoriseWithdrawal({ id: filed.data.id }, call)
  await world.enterPassword(link.redirectUrl, account.bankNumber ?? '')
  expect((await handlers.sendWithdrawal({ id: filed.data.id }, call)).data.state).toBe('sent')
  clock.advance(5_000)
  await deliver()
  const { data: detail } = await handlers.withdrawalDetail({ id: filed.data.id }, call)
  expect(detail.withdrawal).toMatchObject({ state: 'paid', cents: 20_000, feeCents: 200 })
  expect(detail.steps.map(({ state }) => state)).toEqual(['authorising', 'queued', 'unknown', 'sent', 'paid'])
  expect((await toldOf(owner, `withdrawal ${filed.data.id}`)).at(-1)).toBe('withdrawal_paid')
  expect(detail.sources).toMatchObject([{ kind: 'adjustment', entryCents: 100_000, cents: 20_000 }])
  const { data: balance } = await calls.bankBalance({ agentId }, call)
  expect(balance).toMatchObject({ availableCents: 80_000, withdrawingCents: 0, paidCents: 19_800 })
  const question = { filter: { id: filed.data.id }, sort: 'asked' as const, pageSize: 20 }
  expect((await handlers.listWithdrawals(question, call)).data.list).toMatchObject([
    { isOwn: true, lastDigits: '1234' },
  ])
  const ofCompany = { filter: { agentId, states: ['paid' as const], from: 0, to: clock.now() }, sort: 'asked' as const }
  expect((await handlers.listWithdrawals({ ...ofCompany, pageSize: 20 }, call)).data.count).toBe(1)
  expect((await handlers.sumWithdrawals(ofCompany, call)).data.sums).toEqual({ cents: 20_000, feeCents: 200 })

  // The next one fails at the bank.
  bank.setMood({ fails: 100 })
  const second = await handlers.fileWithdrawal({ cardId: made.id, cents: 20_000 }, call)
  const { data: again } = await handlers.authoriseWithdrawal({ id: second.data.id }, call)
  await world.enterPassword(again.redirectUrl, account.bankNumber ?? '')
  await handlers.sendWithdrawal({ id: second.data.id }, call)
  clock.advance(5_000)
  await deliver()
  bank.setMood({ fails: 0 })
  expect((await handlers.withdrawalDetail({ id: second.data.id }, call)).data.withdrawal.state).toBe('returned')
  expect(await toldOf(owner, `withdrawal ${second.data.id}`)).toEqual(['withdrawal_failed'])
  expect((await calls.unbindCard({ id: made.id, reason: '换卡' }, call)).data.state).toBe('unbound')
})

it('refuses a card after five wrong tries, also at the same moment', async () => {
  const { data } = await calls.bindCard(
    { agentId, cardNo: '6222020000005678', bankName: '工商银行', bankMobile: '13800000000' },
    call,
  )
  const tries = await Promise.allSettled(
    Array.from({ length: 12 }, () => calls.bindCardCheck({ id: data.id, value: '0' }, call)),
  )
  const codes = tries.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'right'))
  expect(codes.filter((code) => code === 'bank_card_check_wrong')).toHaveLength(4)
  const { data: all } = await calls.companySubAccounts({ agentId }, call)
  expect(all.cards.find(({ id }) => id === data.id)).toMatchObject({ state: 'refused', triesLeft: 0 })
})

it('opens sub-accounts, and asks again for what the bank did not answer', async () => {
  bank.setMood({ losesRequests: 100 })
  const { data } = await calls.addSubAccount({ agentId, name: '合作方', note: '' }, call)
  expect(data.state).toBe('opening')
  bank.setMood({ losesRequests: 0, copies: 0 })
  for (let round = 0; round < 4; round += 1) {
    clock.advance(10 * minuteMs)
    await world.accounts.work()
  }
  const { data: all } = await calls.companySubAccounts({ agentId }, call)
  expect(all.subAccounts).toMatchObject([{ name: '合作方', state: 'open' }])
})

it('believes no notice that is not the bank’s, or that was changed', async () => {
  const other = await bankWorldKeys()
  expect(() => world.adapter.read(Buffer.from(other))).toThrow(EnvelopeError)
  expect(() => world.adapter.read(Buffer.from('{}'))).toThrow(EnvelopeError)
})

/** A notice of another bank, well-formed and signed with its own key. */
async function bankWorldKeys(): Promise<string> {
  const { createSandboxKeys } = await import('../bank/sandbox/server.ts')
  const { sealEnvelope } = await import('../bank/envelope.ts')
  const report = { number: 'a'.repeat(32), state: 'paid', at: 1, bankNumber: null, reason: '' }
  return sealEnvelope({
    keys: createSandboxKeys().bank(),
    random: world.kit.random,
    clock,
    memberId: world.server.memberId,
    service: 'notice',
    content: { about: 'payout', report },
  })
}

it('shows a company who stopped its withdrawals, and lets nobody change their own', async () => {
  const terms = { isAllowed: false, minCents: 100, dailyCents: 100_000, feeCents: 0, secondCents: 100 }
  const change = { agentId, version: 0, terms, reason: '待核实' }
  await expect(handlers.setWithdrawalTerms(change, call)).rejects.toMatchObject({ code: 'withdrawal_terms_own' })
  const platform = world.person(20, 2, [2, 3, 4])
  await handlers.setWithdrawalTerms(change, platform)
  await expect(handlers.setWithdrawalTerms(change, platform)).rejects.toMatchObject({ code: 'conflict' })
  const { data } = await handlers.withdrawalTerms({}, call)
  expect(data).toMatchObject({ canChange: false, versions: [{ madeBy: 'n20', reason: '待核实' }] })
  await expect(handlers.fileWithdrawal({ cardId: 1, cents: 20_000 }, call)).rejects.toMatchObject({
    code: 'withdrawal_stopped',
  })
})
