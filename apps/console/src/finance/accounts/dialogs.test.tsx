import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { BankCard } from '@saddle/contract/finance/accounts.ts'
import { usualWithdrawalTerms } from '@saddle/contract/finance/withdrawals.ts'
import { dialog, show, told, twice, type, withDialogs } from '#test/dialogs.tsx'
import { Cards } from './Cards.tsx'
import { TermsPart } from './TermsPart.tsx'

const card: BankCard = {
  id: 5,
  state: 'checking',
  checkKind: 'amount',
  bankName: '招商银行',
  cardNo: '**** **** **** 1234',
  bankMobile: '138****6688',
  holder: '江城出行',
  triesLeft: 5,
  addedAt: 1,
  addedBy: '周可',
  boundAt: null,
  restsUntil: null,
  reason: '',
}
let cards: BankCard[]
const { calls: sent, answer, platform } = withDialogs()

beforeEach(() => {
  cards = [card]
  platform().on(endpoints.companySubAccounts, () => ({ suc: true, data: { cards, subAccounts: [] } }))
})

test('a card is bound with digits alone, and no draft of its number is kept', async () => {
  cards = []
  answer(endpoints.bindCard, card)
  show(<Cards agentId={3} />)
  expect(await screen.findByText('还没有绑定银行卡，绑定后才能提现。')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '绑定银行卡' }))
  type(/^卡号/, '6222 0200 0000 1234', dialog())
  type(/^开户银行/, '招商银行', dialog())
  type(/^银行预留手机号/, '13800006688', dialog())
  expect(JSON.stringify(Object.entries(localStorage))).not.toContain('6222020000001234')
  twice('绑定并验证', dialog())
  await waitFor(() => expect(told()).toEqual(['银行卡已登记，请完成验证']))
  expect(sent).toEqual([
    [
      endpoints.bindCard.path,
      { agentId: 3, cardNo: '6222020000001234', bankName: '招商银行', bankMobile: '13800006688' },
    ],
  ])
})

test('a wrong check says how many tries are left and keeps the dialog', async () => {
  answer(endpoints.bindCardCheck, () => {
    throw new AppError('bank_card_check_wrong', { values: { left: 4 } })
  })
  show(<Cards agentId={3} />)
  fireEvent.click(await screen.findByRole('button', { name: '验证' }))
  type(/^收到的金额/, '12', dialog())
  twice('验证', dialog())
  expect((await dialog().findByRole('alert')).textContent).toContain('4')
  expect(sent).toEqual([[endpoints.bindCardCheck.path, { id: 5, value: '12' }]])
})

test('a card is unbound after a warning that it cannot be taken back', async () => {
  cards = [{ ...card, state: 'bound', boundAt: 1, restsUntil: 1 }]
  answer(endpoints.unbindCard, { ...card, state: 'unbound' })
  show(<Cards agentId={3} />)
  fireEvent.click(await screen.findByRole('button', { name: '解绑' }))
  expect(dialog().getByText(/解绑后不能恢复/)).toBeTruthy()
  expect(sent).toEqual([])
  twice('解绑', dialog())
  await waitFor(() => expect(told()).toEqual(['银行卡已解绑']))
  expect(sent).toEqual([[endpoints.unbindCard.path, { id: 5, reason: '' }]])
})

test('terms of withdrawals hold together, and are changed with a reason', async () => {
  const terms = usualWithdrawalTerms
  answer(endpoints.setWithdrawalTerms, { version: 1 })
  platform().on(endpoints.withdrawalTerms, () => ({ suc: true, data: { terms, canChange: true, versions: [] } }))
  show(<TermsPart agentId={3} />)
  fireEvent.click(await screen.findByRole('button', { name: '变更提现条件' }))
  type(/^原因/, '核实中', dialog())
  type(/^每笔手续费/, '100', dialog())
  expect(dialog().getByText('手续费应低于最低提现金额')).toBeTruthy()
  type(/^每笔手续费/, '3', dialog())
  fireEvent.click(dialog().getByLabelText('暂停提现'))
  twice('变更提现条件', dialog())
  await waitFor(() => expect(told()).toEqual(['提现条件已变更']))
  expect(sent).toEqual([
    [
      endpoints.setWithdrawalTerms.path,
      { agentId: 3, version: 0, terms: { ...terms, isAllowed: false, feeCents: 300 }, reason: '核实中' },
    ],
  ])
})

test('terms that may not be changed are shown without a button', async () => {
  platform().on(endpoints.withdrawalTerms, () => ({
    suc: true,
    data: { terms: usualWithdrawalTerms, canChange: false, versions: [] },
  }))
  show(<TermsPart agentId={3} />)
  expect(await screen.findByText(/允许提现/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
