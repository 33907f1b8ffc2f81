import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from './fakePlatform.ts'
import { logIn, withPlatform } from './session.ts'

export const button = (name: string): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name })
export const type = (label: RegExp | string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } })
/** A double click: the second one comes before the button is drawn as busy. */
export const twice = (name: string): void =>
  act(() => {
    button(name).click()
    button(name).click()
  })
export const show = (children: ReactNode): void =>
  void render(<QueryClientProvider client={queryClient}>{children}</QueryClientProvider>)

/** Dialogs of somebody who is logged in: what they send is kept in `sent`, and each test begins without any. */
export function withDialogs() {
  configure({ asyncUtilTimeout: 15_000 })
  const sent: unknown[] = []
  const onClose = vi.fn<() => void>()
  const onDone = vi.fn<() => void>()
  let platform: FakePlatform
  beforeEach(async () => {
    platform = await withPlatform()
    logIn(platform)
    sent.length = 0
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
    onClose,
    onDone,
    platform: () => platform,
    /** What the platform answers to a call; a function may throw a refusal. */
    answer: (endpoint: Endpoint, data: unknown): void =>
      platform.on(endpoint, (input) => {
        sent.push(input)
        return { suc: true, data: typeof data === 'function' ? (data as () => unknown)() : data }
      }),
  }
}
