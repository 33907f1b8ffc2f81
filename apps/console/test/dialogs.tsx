import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from './fakePlatform.ts'
import { logIn, withPlatform } from './session.ts'

/** What the open dialog has; the page below it may have buttons of the same names. */
export const dialog = () => within(screen.getByRole('dialog'))
type Part = Pick<ReturnType<typeof dialog>, 'getByRole' | 'getByLabelText'>
export const button = (name: string, inside: Part = screen): HTMLButtonElement =>
  inside.getByRole<HTMLButtonElement>('button', { name })
export const type = (label: RegExp | string, value: string, inside: Part = screen): void =>
  void fireEvent.change(inside.getByLabelText(label), { target: { value } })
/** What the messages say. */
export const told = (): readonly string[] => currentToasts().map(({ text }) => text)
/** A double click: the second one comes before the button is drawn as busy. */
export const twice = (name: string, inside: Part = screen): void => {
  const found = button(name, inside)
  act(() => {
    found.click()
    found.click()
  })
}
export const show = (children: ReactNode): void =>
  void render(<QueryClientProvider client={queryClient}>{children}</QueryClientProvider>)

/** Dialogs of somebody who is logged in: what they send is kept in `sent`, in `calls` with its path; each test begins without any. */
export function withDialogs() {
  configure({ asyncUtilTimeout: 15_000 })
  const sent: unknown[] = []
  const calls: [path: string, input: unknown][] = []
  const onClose = vi.fn<() => void>()
  const onDone = vi.fn<() => void>()
  let platform: FakePlatform
  beforeEach(async () => {
    platform = await withPlatform()
    logIn(platform)
    sent.length = 0
    calls.length = 0
    onClose.mockReset()
    onDone.mockReset()
  })
  afterEach(() => {
    cleanup()
    queryClient.clear()
    clearToasts()
  })
  return {
    sent,
    calls,
    onClose,
    onDone,
    platform: () => platform,
    /** What the platform answers to a call; a function may throw a refusal. */
    answer: (endpoint: Endpoint, data: unknown): void =>
      platform.on(endpoint, (input) => {
        sent.push(input)
        calls.push([endpoint.path, input])
        return { suc: true, data: typeof data === 'function' ? (data as () => unknown)() : data }
      }),
  }
}
