import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { BankCard } from '@saddle/contract/finance/accounts.ts'
import { usualWithdrawalTerms } from '@saddle/contract/finance/withdrawals.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { Cards } from './Cards.tsx'
import { TermsPart } from './TermsPart.tsx'

configure({ asyncUtilTimeout: 15_000 })

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
let platform: FakePlatform
let cards: BankCard[]
const sent: [string, unknown][] = []

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  cards = [card]
  platform.on(endpoints.companySubAccounts, () => ({ suc: true, data: { cards, subAccounts: [] } }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

const answer = (endpoint: Endpoint, data: unknown): void =>
  platform.on(endpoint, (input) => {
    sent.push([endpoint.path, input])
    return { suc: true, data }
  })
const show = (children: ReactNode): void =>
  void render(<QueryClientProvider client={queryClient}>{children}</QueryClientProvider>)
const dialog = () => within(screen.getByRole('dialog'))
const type = (label: RegExp, value: string): void =>
  void fireEvent.change(dialog().getByLabelText(label), { target: { value } })
/** A double click: the second one comes before the button is drawn as busy. */
const twice = (name: string): void => {
  const button = dialog().getByRole<HTMLButtonElement>('button', { name })
  act(() => {
    button.click()
    button.click()
  })
}
const told = (): readonly string[] => currentToasts().map(({ text }) => text)

test('a card is bound with digits alone, and no draft of its number is kept', async () => {
  cards = []
  answer(endpoints.bindCard, card)
  show(<Cards agentId={3} />)
  expect(await screen.findByText('还没有绑定银行卡，绑定后才能提现。')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '绑定银行卡' }))
  type(/^卡号/, '6222 0200 0000 1234')
  type(/^开户银行/, '招商银行')
  type(/^银行预留手机号/, '13800006688')
  expect(JSON.stringify(Object.entries(localStorage))).not.toContain('6222020000001234')
  twice('绑定并验证')
  await waitFor(() => expect(told()).toEqual(['银行卡已登记，请完成验证']))
  expect(sent).toEqual([
    [
      endpoints.bindCard.path,
      { agentId: 3, cardNo: '6222020000001234', bankName: '招商银行', bankMobile: '13800006688' },
    ],
  ])
})

test('a wrong check says how many tries are left and keeps the dialog', async () => {
  platform.on(endpoints.bindCardCheck, (input) => {
    sent.push([endpoints.bindCardCheck.path, input])
    throw new AppError('bank_card_check_wrong', { values: { left: 4 } })
  })
  show(<Cards agentId={3} />)
  fireEvent.click(await screen.findByRole('button', { name: '验证' }))
  type(/^收到的金额/, '12')
  twice('验证')
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
  twice('解绑')
  await waitFor(() => expect(told()).toEqual(['银行卡已解绑']))
  expect(sent).toEqual([[endpoints.unbindCard.path, { id: 5, reason: '' }]])
})

test('terms of withdrawals hold together, and are changed with a reason', async () => {
  const terms = usualWithdrawalTerms
  answer(endpoints.setWithdrawalTerms, { version: 1 })
  platform.on(endpoints.withdrawalTerms, () => ({ suc: true, data: { terms, canChange: true, versions: [] } }))
  show(<TermsPart agentId={3} />)
  fireEvent.click(await screen.findByRole('button', { name: '变更提现条件' }))
  type(/^原因/, '核实中')
  type(/^每笔手续费/, '100')
  expect(dialog().getByText('手续费应低于最低提现金额')).toBeTruthy()
  type(/^每笔手续费/, '3')
  fireEvent.click(dialog().getByLabelText('暂停提现'))
  twice('变更提现条件')
  await waitFor(() => expect(told()).toEqual(['提现条件已变更']))
  expect(sent).toEqual([
    [
      endpoints.setWithdrawalTerms.path,
      { agentId: 3, version: 0, terms: { ...terms, isAllowed: false, feeCents: 300 }, reason: '核实中' },
    ],
  ])
})

test('terms that may not be changed are shown without a button', async () => {
  platform.on(endpoints.withdrawalTerms, () => ({
    suc: true,
    data: { terms: usualWithdrawalTerms, canChange: false, versions: [] },
  }))
  show(<TermsPart agentId={3} />)
  expect(await screen.findByText(/允许提现/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
