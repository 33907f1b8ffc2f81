import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useLocation } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { OwnNotice } from '@saddle/contract/notices/inbox.ts'
import type { ServerEvent } from '@saddle/contract/telemetry/live.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { pageTests } from '#test/page.tsx'
import Bell from './Bell.tsx'

const { on, sent, show } = pageTests()
const at = 1_795_000_000_000
let notices: OwnNotice[]
let ring: (event: ServerEvent) => void

const notice = (id: number, title: string, path: string, readAt: number | null): OwnNotice => ({
  id,
  event: 'alarm_serious',
  title,
  body: `${title}，请处理`,
  path,
  at,
  readAt,
})

beforeEach(() => {
  notices = [notice(2, 'SD100005 电池过热', '/vehicle-info?vehicle=5', null), notice(1, '提现失败', '/account', at)]
  vi.spyOn(liveSocket, 'onEvent').mockImplementation((listener) => {
    ring = listener
    return () => {}
  })
  on(endpoints.countOwnNotices, () => ({
    suc: true,
    data: { unread: notices.filter(({ readAt }) => readAt === null).length },
  }))
  on(endpoints.listOwnNotices, () => ({
    suc: true,
    data: { list: notices, nextCursor: null, count: notices.length, isCountCut: false },
  }))
  on(endpoints.readOwnNotices, (input) => {
    const { ids } = input as { readonly ids?: readonly number[] }
    notices = notices.map((one) => (ids?.includes(one.id) === false ? one : { ...one, readAt: at }))
    return { suc: true, data: { read: 1 } }
  })
  show(
    <>
      <Bell />
      <Address />
    </>,
  )
})
afterEach(() => vi.restoreAllMocks())

function Address() {
  const { pathname, search } = useLocation()
  return <output>{`${pathname}${search}`}</output>
}

test('a notice in the bell leads to what it is about and is read by that', async () => {
  fireEvent.click(await screen.findByRole('button', { name: '消息，1 条未读' }))
  const panel = within(await screen.findByRole('dialog', { name: '消息' }))
  fireEvent.click(await panel.findByRole('link', { name: /SD100005 电池过热/ }))
  expect(screen.getByRole('status').textContent).toBe('/vehicle-info?vehicle=5')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await screen.findByRole('button', { name: '消息' })).toBeTruthy()
  expect(sent(endpoints.readOwnNotices)).toEqual([{ ids: [2] }])
})

test('a notice that was read before leads on without being read again', async () => {
  fireEvent.click(await screen.findByRole('button', { name: '消息，1 条未读' }))
  fireEvent.click(await screen.findByRole('link', { name: /提现失败/ }))
  expect(screen.getByRole('status').textContent).toBe('/account')
  expect(sent(endpoints.readOwnNotices)).toEqual([])
  expect(screen.getByRole('button', { name: '消息，1 条未读' })).toBeTruthy()
})

test('a notice that arrives is counted at once, and all are read by one press', async () => {
  await screen.findByRole('button', { name: '消息，1 条未读' })
  notices = [notice(3, '退款待审核', '/audit', null), ...notices]
  act(() => ring({ type: 'notice' }))
  fireEvent.click(await screen.findByRole('button', { name: '消息，2 条未读' }))
  await screen.findByRole('link', { name: /退款待审核/ })
  fireEvent.click(screen.getByRole('button', { name: '全部已读' }))
  expect(await screen.findByRole('button', { name: '消息' })).toBeTruthy()
  expect(sent(endpoints.readOwnNotices)).toEqual([{}])
  await waitFor(() =>
    expect(screen.getAllByRole('link', { name: /，请处理/ }).map((one) => one.getAttribute('data-unread'))).toEqual([
      'false',
      'false',
      'false',
    ]),
  )
})
