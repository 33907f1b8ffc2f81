import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearToasts, useToasts } from '#kit/notify.ts'
import SelectModal from './SelectModal.tsx'

const rows = [
  { id: 3, title: '甲城', selected: true },
  { id: 4, title: '乙城', selected: false },
]
const onConfirm = vi.fn<(chosen: ReadonlySet<number>) => void>()
const onCancel = vi.fn<() => void>()

function Warnings(): ReactElement {
  return <output aria-label="warnings">{useToasts().map((toast) => toast.text)}</output>
}

beforeEach(() => {
  clearToasts()
  onConfirm.mockReset()
  onCancel.mockReset()
  render(
    <>
      <SelectModal rows={rows} onConfirm={onConfirm} onCancel={onCancel} />
      <Warnings />
    </>,
  )
})
afterEach(cleanup)

const press = (name: RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))
// antd puts a space between the two Chinese characters of a button.
const confirm = /^确\s?定$/
const boxes = (): boolean[] => screen.getAllByRole<HTMLInputElement>('checkbox').map((box) => box.checked)

test('it is titled 选择, 1000 px wide, and lists title(id)', () => {
  expect(screen.getByRole('dialog').textContent).toContain('选择')
  expect(document.body.textContent).toContain('甲城(3)')
  expect(document.querySelector<HTMLElement>('.ant-modal')?.style.width).toBe('1000px')
  expect(boxes()).toEqual([true, false])
})

test('confirming hands over what is chosen', () => {
  fireEvent.click(screen.getByRole('checkbox', { name: /乙城/ }))
  fireEvent.click(screen.getByRole('checkbox', { name: /甲城/ }))
  press(confirm)
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith(new Set([4]))
})

test('select all and deselect all', () => {
  press(/^全\s?选$/)
  expect(boxes()).toEqual([true, true])
  press(/^取消全选$/)
  expect(boxes()).toEqual([false, false])
})

test('confirming with nothing warns and keeps the modal', () => {
  fireEvent.click(screen.getByRole('checkbox', { name: /甲城/ }))
  press(confirm)
  expect(screen.getByLabelText('warnings').textContent).toBe('请至少选择一项')
  expect(onConfirm).not.toHaveBeenCalled()
})

test('cancel changes nothing', () => {
  press(/^取\s?消$/)
  expect(onCancel).toHaveBeenCalledOnce()
  expect(onConfirm).not.toHaveBeenCalled()
})
