import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { choice } from './choiceFields.tsx'
import { FormDialog, FormDrawer } from './FormDialog.tsx'
import { limitsOf } from './limits.ts'
import { reason, text, yuan } from './textFields.tsx'

const { flushInvoice, platformCharge } = endpoints
let platform: FakePlatform
const sent: { readonly input: unknown; readonly key: string | null }[] = []
let answer: () => unknown = () => ({ suc: true, data: {} })
const onClose = vi.fn<() => void>()

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  onClose.mockReset()
  answer = () => ({ suc: true, data: {} })
  for (const endpoint of [flushInvoice, platformCharge]) {
    platform.on(endpoint, (input, { headers }) => {
      sent.push({ input, key: headers.get('idempotency-key') })
      return answer()
    })
  }
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

function showFlush(): void {
  render(
    <QueryClientProvider client={queryClient}>
      <FormDialog
        title="红冲发票"
        call={flushInvoice}
        about={5}
        fields={{
          redNumber: text({ label: t('红字发票号码'), refusals: ['invoice_number_taken'] }),
          reason: reason({ presets: ['抬头有误', '金额有误'] }),
        }}
        input={(values) => ({ id: 5, ...values })}
        submit="红冲发票"
        done={() => '已红冲'}
        onClose={onClose}
      />
    </QueryClientProvider>,
  )
}

function showCharge(): void {
  render(
    <QueryClientProvider client={queryClient}>
      <FormDialog
        title="扣款"
        call={platformCharge}
        about={7}
        fields={{
          direction: choice<'debit' | 'credit'>({
            label: '方向',
            initial: 'debit',
            options: [
              { value: 'debit', label: '扣款' },
              { value: 'credit', label: '加款' },
            ],
          }),
          cents: yuan({ label: '金额', maxCents: 300, over: (most) => `最多退 ${most} 元` }),
          reason: reason(),
        }}
        adjust={({ direction }) => ({ cents: { label: direction === 'debit' ? '扣多少' : '加多少' } })}
        input={(values) => ({ riderId: 7, account: 'balance' as const, ...values })}
        submit={({ cents }) => `扣 ${money(cents)} 元`}
        onClose={onClose}
      />
    </QueryClientProvider>,
  )
}

const submit = (): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name: /^(红冲发票|扣 )/ })
const number = (): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(/^红字发票号码/)
const why = (): HTMLTextAreaElement => screen.getByLabelText<HTMLTextAreaElement>(/^原因/)
const type = (into: HTMLElement, value: string): void => void fireEvent.change(into, { target: { value } })
/** The text beside the button. */
const beside = (): string => document.querySelector('.form-reason')?.textContent ?? ''
const fill = (): void => {
  type(number(), '12345678')
  type(why(), '抬头有误')
}

test('limits come from the contract', () => {
  expect(limitsOf(flushInvoice, 'reason')).toEqual({ isRequired: true, minLength: 1, maxLength: 200 })
  expect(limitsOf(platformCharge, 'cents')).toEqual({ isRequired: true, minimum: 1, maximum: 1_000_000 })
  expect(limitsOf(endpoints.issueInvoices, 'invoices.0.link')).toEqual({ isRequired: false, maxLength: 400 })
  expect(limitsOf(platformCharge, 'direction').codes).toEqual(['debit', 'credit'])
  showFlush()
  expect(why().maxLength).toBe(200)
})

test('the reason why the button is off stands beside it', () => {
  showFlush()
  expect(submit().disabled).toBe(true)
  expect(beside()).toBe('请填写红字发票号码')
  type(number(), '12345678')
  expect(beside()).toBe('请填写原因')
  type(number(), '123')
  type(why(), '抬头有误')
  expect(beside()).toBe('发票号码为 8 位或 20 位数字')
  expect(submit().disabled).toBe(true)
  type(number(), '12345678')
  expect(beside()).toBe('')
  expect(submit().disabled).toBe(false)
})

test('an amount says what is wrong with it, the button says the sum, and fields depend on each other', () => {
  showCharge()
  expect(submit().textContent).toBe('扣 -- 元')
  type(screen.getByLabelText('扣多少'), 'abc')
  expect(beside()).toBe('金额应为数字，最多两位小数')
  type(screen.getByLabelText('扣多少'), '3.01')
  expect(beside()).toBe('最多退 3.00 元')
  type(screen.getByLabelText('扣多少'), '3')
  expect(submit().textContent).toBe('扣 3.00 元')
  fireEvent.click(screen.getByLabelText('加款'))
  expect(screen.getByLabelText('加多少')).toBeTruthy()
})

test('a preset reason is put in by one press; Enter sends, and a double click sends once', async () => {
  const user = userEvent.setup()
  showFlush()
  await user.click(screen.getByRole('button', { name: '金额有误' }))
  expect(why().value).toBe('金额有误')
  await user.type(number(), '12345678')
  act(() => {
    submit().click()
    submit().click()
  })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent.map(({ input }) => input)).toEqual([{ id: 5, redNumber: '12345678', reason: '金额有误' }])
  expect(currentToasts().map(({ text }) => text)).toEqual(['已红冲'])
  cleanup()
  showFlush()
  await user.type(why(), '再来')
  await user.type(number(), '87654321{Enter}')
  await waitFor(() => expect(sent).toHaveLength(2))
})

test('a refusal stands at its field or above the button, and nothing is lost', async () => {
  answer = () => {
    throw new AppError('invoice_number_taken')
  }
  const shown = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
  showFlush()
  fill()
  fireEvent.click(submit())
  const told = await screen.findByRole('alert')
  expect(told.textContent).toBe('该发票号码已登记过')
  await waitFor(() => expect(shown.mock.contexts, 'the button may be far below the field').toEqual([told]))
  shown.mockRestore()
  expect(number().getAttribute('aria-invalid')).toBe('true')
  expect([number().value, why().value]).toEqual(['12345678', '抬头有误'])
  expect(currentToasts()).toEqual([])
  type(number(), '12345679')
  expect(screen.queryByRole('alert')).toBeNull()
  answer = () => {
    throw new AppError('invoice_decided')
  }
  fireEvent.click(submit())
  expect((await screen.findByRole('alert')).textContent).toBe('该申请已经处理，请刷新后查看')
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
  expect(onClose).not.toHaveBeenCalled()
})

test('a lost connection keeps the form and its key', async () => {
  answer = () => {
    throw new TypeError('the line broke')
  }
  showFlush()
  fill()
  fireEvent.click(submit())
  expect((await screen.findByRole('alert')).textContent).toContain('没有收到服务器的答复')
  expect(number().value).toBe('12345678')
  answer = () => ({ suc: true, data: {} })
  fireEvent.click(submit())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent[1]?.key).toBe(sent[0]?.key)
})

test('what waits for a second person closes the form and is told', async () => {
  answer = () => {
    throw new AppError('money_held', { values: { id: 31 } })
  }
  showCharge()
  type(screen.getByLabelText('扣多少'), '2')
  type(why(), '补偿')
  fireEvent.click(submit())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(currentToasts()[0]?.text).toContain('31')
})

test('Esc closes an untouched form at once and asks before it loses something', async () => {
  const user = userEvent.setup()
  showFlush()
  await user.click(why())
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
  type(why(), '抬头有误')
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: '继续填写' }))
  expect(why().value).toBe('抬头有误')
  await user.click(why())
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: '放弃' }))
  expect(onClose).toHaveBeenCalledTimes(2)
})

test('what was left by accident is offered to the same person for the same thing, and discarded after success', async () => {
  showFlush()
  fill()
  cleanup()
  showFlush()
  expect(screen.getByText('继续上次的编辑？')).toBeTruthy()
  expect(why().value).toBe('')
  fireEvent.click(screen.getByRole('button', { name: '继续' }))
  expect([number().value, why().value]).toEqual(['12345678', '抬头有误'])
  fireEvent.click(submit())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  cleanup()
  showFlush()
  expect(screen.queryByText('继续上次的编辑？')).toBeNull()
})

test('in a drawer, too, what was typed is not lost by closing, and one press sends it once', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <FormDrawer
        title="红冲发票"
        call={flushInvoice}
        about={6}
        fields={{ redNumber: text({ label: t('红字发票号码') }), reason: reason() }}
        input={(values) => ({ id: 6, ...values })}
        submit="红冲发票"
        done={() => '已红冲'}
        onClose={onClose}
      />
    </QueryClientProvider>,
  )
  fireEvent.change(screen.getByLabelText('红字发票号码'), { target: { value: '12345678' } })
  fireEvent.click(screen.getByRole('button', { name: '取消' }))
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: '继续填写' }))
  fireEvent.change(screen.getByLabelText(/^原因/), { target: { value: '抬头有误' } })
  const send = screen.getByRole<HTMLButtonElement>('button', { name: '红冲发票' })
  act(() => {
    send.click()
    send.click()
  })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent.map(({ input }) => input)).toEqual([{ id: 6, redNumber: '12345678', reason: '抬头有误' }])
  expect(currentToasts().map(({ text: told }) => told)).toEqual(['已红冲'])
})
