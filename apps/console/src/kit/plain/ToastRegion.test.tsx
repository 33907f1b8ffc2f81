import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearToasts, currentToasts, notify } from '#kit/notify.ts'
import { ToastRegion } from './ToastRegion.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  clearToasts()
  vi.useRealTimers()
})

const texts = (): readonly string[] => currentToasts().map(({ text }) => text)

test('messages wait while they are pointed at, and go again afterwards', () => {
  render(<ToastRegion />)
  const undo = vi.fn<() => void>()
  act(() => {
    notify.success({ text: '已拒绝', action: { label: '撤销', run: undo } })
    notify.success({ text: '已保存' })
  })
  fireEvent.pointerEnter(screen.getByRole('region', { name: '消息' }))
  act(() => void vi.advanceTimersByTime(60_000))
  expect(texts()).toEqual(['已拒绝', '已保存'])
  fireEvent.pointerLeave(screen.getByRole('region', { name: '消息' }))
  act(() => void vi.advanceTimersByTime(4_000))
  expect(texts()).toEqual(['已拒绝'])
  fireEvent.click(screen.getByRole('button', { name: '撤销' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(texts()).toEqual([])
})

test('closing one of them while pointing at it does not hold the others for ever', () => {
  render(<ToastRegion />)
  act(() => {
    notify.success({ text: '甲' })
    notify.success({ text: '乙' })
  })
  fireEvent.pointerEnter(screen.getByRole('region', { name: '消息' }))
  fireEvent.click(screen.getAllByRole('button', { name: '关闭' })[0]!)
  act(() => void vi.advanceTimersByTime(4_000))
  expect(texts()).toEqual([])
})
