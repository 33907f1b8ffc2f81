import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Confirm } from './Confirm.tsx'

afterEach(cleanup)

function open(changes: { refusal?: string; typed?: string } = {}) {
  const onConfirm = vi.fn<() => void>()
  render(
    <Confirm title="删除用户" action="删除“周”" busy={false} onConfirm={onConfirm} onClose={() => {}} {...changes}>
      <p>效果</p>
    </Confirm>,
  )
  return onConfirm
}

const button = () => screen.getByRole<HTMLButtonElement>('button', { name: '删除“周”' })

test('shows the effect and does it', () => {
  const onConfirm = open()
  expect(screen.getByText('效果')).toBeTruthy()
  fireEvent.click(button())
  expect(onConfirm).toHaveBeenCalledOnce()
})

test('wants the name typed where nothing brings it back', () => {
  const onConfirm = open({ typed: '周' })
  const field = screen.getByLabelText('输入“周”以确认')
  fireEvent.change(field, { target: { value: '吴' } })
  expect(button().disabled).toBe(true)
  fireEvent.submit(field)
  expect(onConfirm).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: '周 ' } })
  fireEvent.click(button())
  expect(onConfirm).toHaveBeenCalledOnce()
})

test('says why it cannot be done, and then asks for nothing', () => {
  open({ refusal: '不能修改、停用或删除自己的账号与角色', typed: '周' })
  expect(screen.getByRole('alert').textContent).toBe('不能修改、停用或删除自己的账号与角色')
  expect(button().disabled).toBe(true)
  expect(screen.queryByLabelText('输入“周”以确认')).toBeNull()
})
