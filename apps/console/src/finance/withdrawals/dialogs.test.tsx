import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { BankBalance, BankCard } from '@saddle/contract/finance/accounts.ts'
import type { Withdrawal } from '@saddle/contract/finance/withdrawals.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { PanelContext } from '#kit/list/DetailPanel.tsx'
import { queryClient } from '#kit/query.ts'
import { button, show as showPlain, told, twice, withDialogs } from '#test/dialogs.tsx'
import { WithdrawalPanel } from './WithdrawalPanel.tsx'
import { WithdrawDialog } from './WithdrawDialog.tsx'
import WithdrawalsPage from './WithdrawalsPage.tsx'

const balance: BankBalance = {
  availableCents: 9_000_000,
  withdrawingCents: 0,
  inTransitCents: 0,
  paidCents: 0,
  minCents: 10_000,
  feeCents: 200,
  dailyCents: 50_000_000,
  leftTodayCents: 8_000_000,
  secondCents: 5_000_000,
  stopped: null,
}
const card: BankCard = {
  id: 5,
  state: 'bound',
  checkKind: 'amount',
  bankName: '招商银行',
  cardNo: '**** **** **** 1234',
  bankMobile: '138****6688',
  holder: '江城出行',
  triesLeft: 5,
  addedAt: 1,
  addedBy: '周可',
  boundAt: 1,
  restsUntil: 1,
  reason: '',
}
const withdrawal: Withdrawal = {
  id: 41,
  agentId: 3,
  company: '江城出行',
  number: 'ab'.repeat(16),
  state: 'waiting',
  cents: 6_000_100,
  feeCents: 200,
  bankName: '招商银行',
  lastDigits: '1234',
  askedAt: 1_800_000_000_000,
  askedBy: '周可',
  isOwn: false,
  needsSecond: true,
  secondBy: null,
  expiresAt: 1_800_086_400_000,
  paidAt: null,
  endedAt: null,
  bankNumber: null,
  reason: '',
}

let cards: BankCard[]
const { calls: sent, onClose, answer, platform } = withDialogs()

beforeEach(() => {
  cards = [card]
  platform().on(endpoints.companySubAccounts, () => ({ suc: true, data: { cards, subAccounts: [] } }))
  platform().on(endpoints.bankBalance, () => ({ suc: true, data: balance }))
  platform().on(endpoints.listWithdrawals, () => ({
    suc: true,
    data: { list: [], nextCursor: null, count: 0, isCountCut: false },
  }))
  platform().on(endpoints.sumWithdrawals, () => ({
    suc: true,
    data: { rows: 0, isCut: false, sums: { cents: 0, feeCents: 0 } },
  }))
  platform().on(endpoints.withdrawalDetail, () => ({
    suc: true,
    data: { withdrawal, steps: [], sources: [], isCut: false },
  }))
})
afterEach(() => void vi.restoreAllMocks())

const show = (children: ReactNode): void =>
  showPlain(
    <PanelContext value={{ close: onClose, previous: null, next: null, takesFocus: false }}>
      <MemoryRouter>{children}</MemoryRouter>
    </PanelContext>,
  )
const amount = (yuan: string): void =>
  void fireEvent.change(screen.getByLabelText(/^提现金额/), { target: { value: yuan } })
const next = '下一步：输入支付密码'

describe('a withdrawal', () => {
  test('is within what is available, the least sum and what is left of the day, and says what arrives', async () => {
    show(<WithdrawDialog agentId={3} balance={balance} onClose={onClose} onFiled={onClose} />)
    await screen.findByText('100.00 至 80,000.00 元')
    amount('99.99')
    expect((await screen.findAllByText('至少 100.00 元')).length).toBeGreaterThan(0)
    expect(button(next).disabled).toBe(true)
    amount('80000.01')
    expect(button(next).disabled).toBe(true)
    amount('1234')
    expect(await screen.findByText(/到账 1,232\.00 元。/)).toBeTruthy()
    expect(screen.queryByText(/需另一人复核/)).toBeNull()
    amount('50000.01')
    expect(await screen.findByText(/需另一人复核/)).toBeTruthy()
  })

  test('goes to no card that rests, and to none where there is none', async () => {
    cards = [{ ...card, restsUntil: Date.now() + hourMs }]
    show(<WithdrawDialog agentId={3} balance={balance} onClose={onClose} onFiled={onClose} />)
    fireEvent.mouseDown(await screen.findByRole('combobox'))
    expect((await screen.findByTitle(/起可用/)).className).toContain('disabled')
    cleanup()
    queryClient.clear()
    cards = [{ ...card, state: 'unbound' }]
    show(<WithdrawDialog agentId={3} balance={balance} onClose={onClose} onFiled={onClose} />)
    expect(await screen.findByText('还没有绑定银行卡，请先到账户管理绑定')).toBeTruthy()
  })

  test('is filed once, gets its password at the bank, and is submitted once', async () => {
    answer(endpoints.fileWithdrawal, { id: 41, feeCents: 200, needsSecond: false, expiresAt: 2_000_000_000_000 })
    answer(endpoints.authoriseWithdrawal, { redirectUrl: 'https://bank.example/authorise?t=1' })
    answer(endpoints.sendWithdrawal, { id: 41, state: 'sent' })
    const tab = { opener: 'x', location: { href: '' }, close: vi.fn<() => void>() }
    const opened = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window)
    show(<WithdrawalsPage />)
    const file = await screen.findByRole<HTMLButtonElement>('button', { name: '申请提现' })
    await waitFor(() => expect(file.disabled).toBe(false))
    fireEvent.click(file)
    await screen.findByText('100.00 至 80,000.00 元')
    amount('1234')
    await waitFor(() => expect(button(next).disabled).toBe(false))
    twice(next)
    fireEvent.click(await screen.findByRole('button', { name: '打开银行页面' }))
    await waitFor(() => expect(tab.location.href).toBe('https://bank.example/authorise?t=1'))
    expect(tab.opener, 'the bank knows nothing of this page').toBeNull()
    expect(opened).toHaveBeenCalledOnce()
    twice('已输入密码，提交提现')
    await waitFor(() => expect(screen.queryByRole('button', { name: '打开银行页面' })).toBeNull())
    expect(sent).toEqual([
      [endpoints.fileWithdrawal.path, { cardId: 5, cents: 123_400 }],
      [endpoints.authoriseWithdrawal.path, { id: 41 }],
      [endpoints.sendWithdrawal.path, { id: 41 }],
    ])
    expect(told()).toEqual(['提现已提交：银行处理中'])
  })

  test('that the bank has not authorised stays where it is', async () => {
    platform().on(endpoints.sendWithdrawal, () => {
      throw new AppError('withdrawal_not_authorised')
    })
    show(<WithdrawalPanel withdrawal={{ ...withdrawal, state: 'authorising', isOwn: true }} />)
    fireEvent.click(button('已输入密码，提交提现'))
    await waitFor(() => expect(told()).toEqual(['银行尚未收到支付密码授权，请先在银行页面输入支付密码']))
  })
})

describe('a withdrawal that waits', () => {
  test('is confirmed once by another person', async () => {
    answer(endpoints.confirmWithdrawal, { id: 41, state: 'sent' })
    show(<WithdrawalPanel withdrawal={withdrawal} />)
    twice('复核通过 60,001.00 元')
    await waitFor(() => expect(told()).toEqual(['复核通过：银行处理中']))
    expect(sent).toEqual([[endpoints.confirmWithdrawal.path, { id: 41 }]])
  })

  test('is not confirmed by whoever filed it, who may take it back after a question', async () => {
    answer(endpoints.cancelWithdrawal, { id: 41, state: 'cancelled' })
    show(<WithdrawalPanel withdrawal={{ ...withdrawal, isOwn: true }} />)
    expect(button('需另一人复核').disabled).toBe(true)
    fireEvent.click(button('撤回提现'))
    fireEvent.change(await screen.findByLabelText(/^原因/), { target: { value: '金额有误' } })
    expect(sent).toEqual([])
    const [, submit] = screen.getAllByRole('button', { name: '撤回提现' })
    act(() => {
      submit?.click()
      submit?.click()
    })
    await waitFor(() => expect(told()).toEqual(['提现已撤回，资金在可提现余额中']))
    expect(sent).toEqual([[endpoints.cancelWithdrawal.path, { id: 41, note: '金额有误' }]])
  })
})

test('a withdrawal whose end is unknown can only be asked for', async () => {
  answer(endpoints.askWithdrawal, { id: 41, state: 'unknown' })
  show(<WithdrawalPanel withdrawal={{ ...withdrawal, state: 'unknown' }} />)
  expect(screen.queryByRole('button', { name: /撤回|拒绝|复核/ })).toBeNull()
  fireEvent.click(button('向银行查询'))
  await waitFor(() => expect(told()).toEqual(['银行答复：结果查询中']))
})
