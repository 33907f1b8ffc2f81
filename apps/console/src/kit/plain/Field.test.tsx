import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { AreaField, Field } from './Field.tsx'

afterEach(cleanup)

const noteOf = (control: HTMLElement): HTMLElement | null =>
  document.querySelector(`[id="${control.getAttribute('aria-describedby')}"]`)

it('ties label and hint to the control', () => {
  render(<Field label="手机号" hint="11 位数字" optionalText="选填" beside={<button type="button">获取</button>} />)
  const control = screen.getByLabelText(/手机号/)
  expect(noteOf(control)?.textContent).toBe('11 位数字')
  expect(control.getAttribute('aria-invalid')).toBe('false')
  expect(screen.getByText('选填')).toBeTruthy()
  expect(screen.getByRole('button', { name: '获取' })).toBeTruthy()
})

it('tells a fault in place of the hint', () => {
  render(<AreaField label="原因" hint="必填" error="请填写原因" />)
  const control = screen.getByLabelText('原因')
  expect(control.getAttribute('aria-invalid')).toBe('true')
  expect(noteOf(control)?.textContent).toBe('请填写原因')
  expect(screen.getByRole('alert').textContent).toBe('请填写原因')
  expect(screen.queryByText('必填')).toBeNull()
})

it('describes a control by nothing where there is neither', () => {
  render(<Field label="姓名" />)
  expect(screen.getByLabelText('姓名').hasAttribute('aria-describedby')).toBe(false)
})
