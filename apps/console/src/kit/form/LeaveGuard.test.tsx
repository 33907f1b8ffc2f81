import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { LeaveGuard } from './LeaveGuard.tsx'

afterEach(cleanup)

function open(isDirty: boolean, isKept: boolean) {
  const router = createMemoryRouter(
    [
      { path: '/edit', element: <LeaveGuard isDirty={isDirty} isKept={isKept} /> },
      { path: '/list', element: <p>list</p> },
    ],
    { initialEntries: ['/edit'] },
  )
  render(<RouterProvider router={router} />)
  return router
}

const closeWindow = (): boolean => {
  const event = new Event('beforeunload', { cancelable: true })
  globalThis.dispatchEvent(event)
  return !event.defaultPrevented
}

it('lets a page go that has nothing to lose', async () => {
  const router = open(false, false)
  expect(closeWindow()).toBe(true)
  await act(() => router.navigate('/list'))
  expect(screen.getByText('list')).toBeDefined()
})

it('asks first, stays, and leaves when told', async () => {
  const router = open(true, false)
  expect(closeWindow()).toBe(false)
  await act(() => router.navigate('/list'))
  expect(screen.getByText('未保存的修改将会丢失。')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: '继续编辑' }))
  expect(router.state.location.pathname).toBe('/edit')
  await act(() => router.navigate('/list'))
  fireEvent.click(screen.getByRole('button', { name: '放弃修改并离开' }))
  expect(await screen.findByText('list')).toBeDefined()
})

it('does not ask within the page, and says when changes are kept', async () => {
  const router = open(true, true)
  await act(() => router.navigate('/edit?step=2'))
  expect(screen.queryByText('离开此页面？')).toBeNull()
  await act(() => router.navigate('/list'))
  expect(screen.getByText(/一天之内回到这里可以继续编辑/)).toBeDefined()
})
