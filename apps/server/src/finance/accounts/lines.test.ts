import { expect, it } from 'vitest'
import { cardRestMs } from '@saddle/contract/finance/withdrawals.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { bankWorld } from '../withdrawals/withdrawals.fixture.ts'

const { db, owner } = await testDatabase()
const world = await bankWorld({ db, owner })
const { accountHandlers: calls, handlers, clock } = world
const platform = world.person(20, 2, [2, 3, 4])
const second = world.person(31, 3)
const call = world.person(30, 3)
const photo = samples.png.toString('base64')
const common = { name: '东湖出行', mobile: '13800000000' }
const person = { accountType: 'person', ...common, identityNumber: '320500199001011234' } as const
const company = {
  accountType: 'company',
  ...common,
  creditCode: '91320594MA1XABCD2E',
  legalPerson: '沈一诺',
  legalPersonId: '320500199001011234',
  email: 'finance@example.com',
} as const

async function actions(): Promise<Set<string>> {
  const rows = await owner.selectFrom('audit_record').select('action').execute()
  return new Set(rows.map(({ action }) => action))
}

it('leaves a line for every change of accounts, cards and withdrawals', async () => {
  await calls.openAccount({ agentId: 4, details: company }, platform)
  for (const kind of ['licence', 'legal_front', 'legal_back'] as const) {
    await calls.uploadCompanyPaper({ agentId: 4, kind, photo }, platform)
  }
  await calls.copyOpening({ fromAgentId: 4, agentId: 2 }, platform)
  await calls.submitCompanyOpening({ agentId: 4 }, platform)
  await calls.openAccount({ agentId: 2, details: person }, platform)
  for (const kind of ['holder_front', 'holder_back'] as const) {
    await calls.uploadPersonPaper({ agentId: 2, kind, photo }, platform)
  }
  await calls.submitPersonOpening({ agentId: 2 }, platform)
  clock.advance(5_000)
  await world.deliver()
  const { cardId, account } = await world.openAccount(3)
  await calls.addSubAccount({ agentId: 3, name: '合作方', note: '' }, call)
  const card = { agentId: 4, cardNo: '6222020000005678', bankName: '工商银行', bankMobile: '13800000000' }
  const { data: made } = await calls.bindCard(card, platform)
  await expect(calls.bindCardCheck({ id: made.id, value: '999999' }, platform)).rejects.toThrow()
  await calls.unbindCard({ id: made.id, reason: '' }, platform)
  clock.advance(cardRestMs)
  await world.addMoney(3, 100_000)
  const terms = { isAllowed: true, minCents: 100, dailyCents: 100_000, feeCents: 0, secondCents: 5_000 }
  await handlers.setWithdrawalTerms({ agentId: 3, version: 0, terms, reason: '测试' }, platform)
  const submitted = async (cents: number): Promise<number> => {
    const { data } = await handlers.fileWithdrawal({ cardId, cents }, call)
    const { data: link } = await handlers.authoriseWithdrawal({ id: data.id }, call)
    await world.enterPassword(link.redirectUrl, account)
    await handlers.sendWithdrawal({ id: data.id }, call)
    return data.id
  }
  await submitted(1_000)
  const waiting = await submitted(6_000)
  await expect(handlers.confirmWithdrawal({ id: waiting }, call)).rejects.toMatchObject({ code: 'second_person_same' })
  await handlers.confirmWithdrawal({ id: waiting }, second)
  await handlers.cancelWithdrawal({ id: await submitted(6_000), note: '' }, second)
  await handlers.exportWithdrawals({ filter: {}, sort: 'asked' }, call)
  await calls.exportCompanyAccounts({ filter: {}, sort: 'company' }, platform)
  await handlers.setWithdrawalTerms(
    { agentId: 3, version: 1, terms: { ...terms, isAllowed: false }, reason: '测试' },
    platform,
  )
  expect([...(await actions())].toSorted()).toEqual(
    expect.arrayContaining([
      'account.copy',
      'account.draft',
      'account.export',
      'account.opened',
      'account.paper',
      'account.sub_account',
      'account.submit',
      'bank_card.add',
      'bank_card.unbind',
      'bank_card.wrong',
      'withdrawal.cancelled',
      'withdrawal.confirmed',
      'withdrawal.export',
      'withdrawal.filed',
      'withdrawal.queued',
      'withdrawal.stop',
      'withdrawal.terms',
      'withdrawal.waiting',
    ]),
  )
})
