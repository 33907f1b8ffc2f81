import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { endpointKey, queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { useAction } from './useAction.ts'

const { refuseInvoices, restoreInvoices, listInvoices } = endpoints
let platform: FakePlatform
/** What arrived at the platform: ids and key. */
const sent: { readonly ids: readonly number[]; readonly key: string | null }[] = []
let isReachable = true
let refusal: AppError | null = null

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  isReachable = true
  refusal = null
  platform.on(refuseInvoices, (input, { headers }) => {
    const { ids } = input as { ids: number[] }
    sent.push({ ids, key: headers.get('idempotency-key') })
    if (!isReachable) throw new TypeError('the line broke')
    if (refusal !== null) throw refusal
    return { suc: true, data: { done: ids, refused: [] } }
  })
  platform.on(restoreInvoices, (input) => {
    const { ids } = input as { ids: number[] }
    sent.push({ ids, key: 'restored' })
    return { suc: true, data: { done: ids, refused: [] } }
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

function Rows({ done = true }: { done?: boolean }): ReactNode {
  const refuse = useAction(refuseInvoices, {
    stale: [listInvoices],
    done: (answer) => (done ? `已拒绝 ${answer.data.done.length} 张` : null),
    undo: (answer) => ({ ids: answer.data.done }),
  })
  const send = (id: number) => refuse.send({ ids: [id], reason: '信息不完整' })
  return (
    <>
      <button type="button" onClick={() => send(1)}>
        甲
      </button>
      <button type="button" onClick={() => send(2)}>
        乙
      </button>
      <output aria-label="busy">{String(refuse.isBusy)}</output>
    </>
  )
}

const click = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))
const settled = (): Promise<void> => waitFor(() => expect(screen.getByLabelText('busy').textContent).toBe('false'))

test('a double click sends once, and so do two buttons of one action; the next one has a new key', async () => {
  render(<Rows />)
  act(() => {
    screen.getByRole('button', { name: '甲' }).click()
    screen.getByRole('button', { name: '甲' }).click()
    screen.getByRole('button', { name: '乙' }).click()
  })
  await waitFor(() => expect(currentToasts()[0]?.text).toBe('已拒绝 1 张'))
  expect(sent.map(({ ids }) => ids)).toEqual([[1]])
  click('乙')
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]?.ids).toEqual([2])
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
})

test('after a lost answer the same is offered again under its key; another row has its own', async () => {
  isReachable = false
  render(<Rows />)
  click('甲')
  await waitFor(() => expect(currentToasts()[0]?.text).toBe('网络出现问题，请稍后再试'))
  await settled()
  click('乙')
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
  await settled()
  isReachable = true
  const offer = currentToasts()[0]?.action
  expect(offer?.label).toBe('再试一次')
  act(() => offer?.run())
  await waitFor(() => expect(sent).toHaveLength(3))
  expect(sent[2]?.key).toBe(sent[1]?.key)
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe('已拒绝 1 张'))
})

test('a refusal is told once, stale lists are read anew, and the next try has a new key', async () => {
  queryClient.setQueryData([...endpointKey(listInvoices), {}, ''], { suc: true })
  refusal = new AppError('invoice_decided')
  render(<Rows />)
  click('甲')
  await waitFor(() => expect(currentToasts().map(({ text }) => text)).toEqual(['该申请已经处理，请刷新后查看']))
  expect(queryClient.getQueryCache().findAll({ queryKey: endpointKey(listInvoices) })[0]?.state.isInvalidated).toBe(
    true,
  )
  expect(currentToasts()[0]?.action).toBeUndefined()
  await settled()
  refusal = null
  click('甲')
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
})

test('it is taken back from the message by the call that the contract names, also when the page is gone', async () => {
  render(<Rows />)
  click('甲')
  await waitFor(() => expect(currentToasts()[0]?.action?.label).toBe('撤销'))
  cleanup()
  act(() => currentToasts()[0]?.action?.run())
  await waitFor(() => expect(sent.at(-1)).toEqual({ ids: [1], key: 'restored' }))
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe('已撤销'))
})

test('the contract links a row with the call that takes it back', () => {
  expect(refuseInvoices.reverse.path).toBe(restoreInvoices.path)
})
