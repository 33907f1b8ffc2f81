import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { currentToasts } from '#kit/notify.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import ChargeDialog from './ChargeDialog.tsx'
import { MoneyActions } from './MoneyActions.tsx'
import MoneyDialog, { type MoneyAction } from './MoneyDialog.tsx'
import { button, show, twice, type, withDialogs } from '#test/dialogs.tsx'

const wallet = { riderId: 1042, balanceCents: 5_000, giftCents: 200, depositCents: 0, frozenCents: 0, cardCents: 0 }
const { sent, onClose, answer, platform } = withDialogs()
const beside = (): string => document.querySelector('.form-reason')?.textContent ?? ''
const told = (): readonly string[] => currentToasts().map(({ text }) => text)

describe('a charge by hand', () => {
  test('says what of which account, and takes no more than there is', async () => {
    answer(endpoints.platformCharge, { chargeId: 7, wallet: { ...wallet, balanceCents: 3_800 } })
    answer(endpoints.undoPlatformCharge, wallet)
    show(<ChargeDialog wallet={wallet} onClose={onClose} />)
    expect(beside()).toBe('请填写金额')
    type(/^金额/, '50.01')
    expect(beside()).toBe('最多扣 50.00 元')
    fireEvent.click(screen.getByLabelText('赠送余额'))
    type(/^金额/, '2.01')
    expect(beside()).toBe('最多扣 2.00 元')
    fireEvent.click(screen.getByLabelText('余额'))
    type(/^金额/, '12')
    expect(beside()).toBe('请填写原因')
    fireEvent.click(button('费用更正'))
    twice('从余额扣 12.00 元')
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(sent).toEqual([{ riderId: 1042, account: 'balance', direction: 'debit', cents: 1_200, reason: '费用更正' }])
    expect(told()).toEqual(['余额现为 38.00 元'])
    act(() => currentToasts()[0]?.action?.run())
    await waitFor(() => expect(told()).toContain('已撤销'))
    expect(sent.at(-1)).toEqual({ chargeId: 7, reason: '撤销' })
  })

  test('may add more than there is, up to the bound of one charge', async () => {
    show(<ChargeDialog wallet={wallet} onClose={onClose} />)
    fireEvent.click(screen.getByLabelText('增加'))
    type(/^金额/, '10000.01')
    expect(beside()).toBe('最多 10,000.00 元')
    type(/^金额/, '10000')
    type(/^原因/, '补偿')
    expect(button('给余额加 10,000.00 元').disabled).toBe(false)
  })

  test('that waits for a second person is told as such, and its dialog closes', async () => {
    platform().on(endpoints.platformCharge, () => {
      throw new AppError('money_held', { values: { id: 31 } })
    })
    show(<ChargeDialog wallet={wallet} onClose={onClose} />)
    type(/^金额/, '20')
    type(/^原因/, '补偿')
    fireEvent.click(button('从余额扣 20.00 元'))
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(currentToasts()).toMatchObject([{ kind: 'info', text: expect.stringContaining('编号 31') }])
  })

  test('that is refused keeps what was typed', async () => {
    platform().on(endpoints.platformCharge, () => {
      throw new AppError('balance_insufficient')
    })
    show(<ChargeDialog wallet={wallet} onClose={onClose} />)
    type(/^金额/, '20')
    type(/^原因/, '补偿')
    fireEvent.click(button('从余额扣 20.00 元'))
    expect((await screen.findByRole('alert')).textContent).toBe('账户余额不足')
    expect(screen.getByLabelText<HTMLInputElement>(/^金额/).value).toBe('20')
    expect(onClose).not.toHaveBeenCalled()
  })
})

const card = { id: 4, name: '月卡', paidBy: 'wechat', refundableCents: 900 } as const
interface Case {
  readonly action: MoneyAction
  readonly endpoint: Endpoint
  readonly data: unknown
  readonly button: string
  readonly input: object
  readonly said: string
}
const cases: readonly Case[] = [
  {
    action: { kind: 'freeze', about: { depositId: 5, cents: 20_000 } },
    endpoint: endpoints.freezeDeposit,
    data: { cases: [{ id: 8, state: 'open' }] },
    button: '冻结 200.00 元',
    input: { depositId: 5, cents: 20_000 },
    said: '已冻结押金',
  },
  {
    action: { kind: 'refundDeposit', about: { depositId: 5, cents: 20_000 } },
    endpoint: endpoints.refundDeposit,
    data: {},
    button: '退还 200.00 元',
    input: { depositId: 5 },
    said: '押金已交支付渠道退还',
  },
  {
    action: { kind: 'recover', about: { caseId: 8, cents: 3_000 } },
    endpoint: endpoints.recoverDeposit,
    data: {},
    button: '扣款 30.00 元',
    input: { caseId: 8, cents: 3_000 },
    said: '已从押金中扣款',
  },
  {
    action: { kind: 'unfreeze', about: { caseId: 8, cents: 3_000 } },
    endpoint: endpoints.unfreezeDeposit,
    data: {},
    button: '解冻 30.00 元',
    input: { caseId: 8 },
    said: '已解冻',
  },
  {
    action: { kind: 'refundCard', about: { card } },
    endpoint: endpoints.refundCard,
    data: { refundedCents: 900 },
    button: '退卡并退回 9.00 元',
    input: { cardId: 4 },
    said: '已退卡，退回 9.00 元',
  },
  {
    action: { kind: 'refundPayment', about: { paymentId: 6, cents: 5_000, giftCents: 800, openGiftCents: 300 } },
    endpoint: endpoints.refundPayment,
    data: { refundId: 9 },
    button: '退 50.00 元',
    input: { paymentId: 6, cents: 5_000 },
    said: '已交支付渠道退款',
  },
  {
    action: { kind: 'returnRefund', about: { refundId: 9, cents: 500 } },
    endpoint: endpoints.returnRefund,
    data: {},
    button: '转 5.00 元为余额',
    input: { refundId: 9 },
    said: '已转为骑行者的余额',
  },
]

describe.each(cases)('$action.kind', ({ action, endpoint, data, button: name, input, said }) => {
  test('needs a reason, says the sum, and is done once', async () => {
    answer(endpoint, data)
    show(<MoneyDialog action={action} onClose={onClose} />)
    expect(button(name).disabled).toBe(true)
    expect(beside()).toBe('请填写原因')
    type(/^原因/, '核实')
    twice(name)
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(sent).toEqual([{ ...input, reason: '核实' }])
    expect(told()).toEqual([said])
  })
})

test.each(cases.filter(({ input }) => 'cents' in input))(
  'no more than there is: $action.kind',
  ({ action, button: name }) => {
    show(<MoneyDialog action={action} onClose={onClose} />)
    type(/^原因/, '核实')
    type(/^金额/, '200.01')
    expect(beside()).toMatch(/^最多 \d+\.00 元$/)
    type(/^金额/, '0')
    expect(beside()).toBe('至少 0.01 元')
    expect(screen.queryByRole('button', { name })).toBeNull()
  },
)

test('a freeze is taken back from the message', async () => {
  answer(endpoints.freezeDeposit, { cases: [{ id: 8, state: 'open' }] })
  answer(endpoints.unfreezeDeposit, {})
  show(<MoneyDialog action={{ kind: 'freeze', about: { depositId: 5, cents: 20_000 } }} onClose={onClose} />)
  type(/^原因/, '核实')
  fireEvent.click(button('冻结 200.00 元'))
  await waitFor(() => expect(currentToasts()[0]?.action?.label).toBe('撤销'))
  act(() => currentToasts()[0]?.action?.run())
  await waitFor(() => expect(told()).toContain('已解冻'))
  expect(sent.at(-1)).toEqual({ caseId: 8, reason: '撤销' })
})

test('who may not move money is offered nothing', async () => {
  const actions = [{ label: '转为余额', action: { kind: 'returnRefund', about: { refundId: 9, cents: 500 } } }] as const
  overridePermissions([])
  show(<MoneyActions permission="07010113" actions={actions} />)
  expect(screen.queryByRole('button')).toBeNull()
  act(() => overridePermissions(['07010113']))
  fireEvent.click(button('转为余额'))
  expect(await screen.findByRole('button', { name: '转 5.00 元为余额' })).toBeTruthy()
})
