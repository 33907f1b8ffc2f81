import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { chatEndpoints, type ChatMessage } from '@saddle/contract/support/chat.ts'
import { chatWindow } from '#kit/chatWindow.ts'
import { overrideConfig } from '#kit/config.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { ChatButton } from './ChatButton.tsx'
import { mergeMessages, visitorText } from './rules.ts'

// The page loads chunks on demand; the timeout only ends a hung test.

let platform: FakePlatform
const said: ChatMessage[] = []
const message = (id: number, text: string, fromSupport = false): ChatMessage => ({
  id,
  conversationId: 1,
  fromSupport,
  authorName: fromSupport ? '客服' : '王芳',
  text,
  sentAt: 1_700_000_000_000,
})

beforeEach(async () => {
  platform = await withPlatform()
  chatWindow.set('shut')
  said.length = 0
  platform.on(chatEndpoints.listMyMessages, (input) => {
    const { afterId } = input as { afterId: number }
    return { suc: true, data: { list: said.filter((each) => each.id > afterId) } }
  })
})
afterEach(() => {
  cleanup()
  clearToasts()
  vi.restoreAllMocks()
})

const press = (): void => void fireEvent.click(screen.getByRole('button', { name: '在线客服' }))
const field = (): Promise<HTMLTextAreaElement> =>
  screen.findByRole<HTMLTextAreaElement>('textbox', { name: '输入消息' })

test('a visitor is told to log in', () => {
  render(<ChatButton />)
  press()
  expect(visitorText).toBe('尊敬的用户，您好，登录后才可以和我聊天哦！')
  expect(screen.getByText(visitorText)).toBeTruthy()
  press()
  expect(screen.queryByText(visitorText)).toBeNull()
})

test('somebody who is logged in writes to the support, and markup stays text', async () => {
  logIn(platform)
  said.push(message(1, '<b>您好</b>', true))
  platform.on(chatEndpoints.sendMyMessage, (input) => {
    said.push(message(2, (input as { text: string }).text))
    return { suc: true, data: said.at(-1) }
  })
  render(<ChatButton />)
  press()
  expect(await screen.findByText('<b>您好</b>')).toBeTruthy()
  const box = await field()
  fireEvent.change(box, { target: { value: ' 锁打不开 ' } })
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(await screen.findByText('锁打不开')).toBeTruthy()
  await waitFor(() => expect(box.value).toBe(''))
})

test('a refused message keeps its text and is tried again under the same key', async () => {
  logIn(platform)
  const keys: (string | null)[] = []
  platform.on(chatEndpoints.sendMyMessage, (_input, heard) => {
    keys.push(heard.headers.get('idempotency-key'))
    throw new AppError('too_many_requests')
  })
  render(<ChatButton />)
  press()
  const box = await field()
  fireEvent.change(box, { target: { value: '在吗' } })
  for (const tries of [1, 2]) {
    fireEvent.keyDown(box, { key: 'Enter' })
    await waitFor(() => expect(keys).toHaveLength(tries))
    await screen.findByText('操作过于频繁，请稍后再试')
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: '发送' }).disabled).toBe(false))
  }
  expect(box.value).toBe('在吗')
  expect(new Set(keys).size).toBe(1)
})

test('a draft outlives the window', async () => {
  logIn(platform)
  render(<ChatButton />)
  press()
  fireEvent.change(await field(), { target: { value: '写到一半' } })
  press()
  expect(screen.queryByRole('textbox')).toBeNull()
  press()
  expect((await field()).value).toBe('写到一半')
})

test('only those who answer have an inbox', async () => {
  logIn(platform)
  overridePermissions(['all'])
  render(<ChatButton />)
  press()
  await field()
  expect(screen.queryByRole('button', { name: '收件箱' })).toBeNull()
  cleanup()
  chatWindow.set('shut')
  overridePermissions(['all', '180101'])
  platform.on(chatEndpoints.listConversations, () => ({
    suc: true,
    data: {
      list: [{ id: 9, operatorName: '李强', company: '江城', lastText: '提现多久到账', lastAt: Date.now(), unread: 2 }],
    },
  }))
  platform.on(chatEndpoints.listConversationMessages, () => ({
    suc: true,
    data: { list: [message(5, '提现多久到账？')] },
  }))
  render(<ChatButton />)
  press()
  fireEvent.click(await screen.findByRole('button', { name: '收件箱' }))
  fireEvent.click(await screen.findByRole('button', { name: /李强/ }))
  expect(await screen.findByText('提现多久到账？')).toBeTruthy()
})

test('a configured third-party script is asked for, and a failure is told', async () => {
  logIn(platform)
  overrideConfig({ chatScriptUrl: 'https://chat.example.com/a.js' })
  // The test's browser loads no script: it answers with an error, as a blocked address would.
  const append = vi.spyOn(document.head, 'append')
  render(<ChatButton />)
  press()
  await waitFor(() => expect(currentToasts().map((toast) => toast.text)).toEqual(['网络出现问题，请稍后再试']))
  const [script] = append.mock.calls.flat()
  expect(script).toMatchObject({ src: 'https://chat.example.com/a.js' })
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('messages are merged by id', () => {
  const known = [message(1, 'a'), message(3, 'c')]
  expect(mergeMessages(known, [message(3, 'c')])).toBe(known)
  expect(mergeMessages(known, [message(2, 'b'), message(3, 'c')]).map((each) => each.text)).toEqual(['a', 'b', 'c'])
})
