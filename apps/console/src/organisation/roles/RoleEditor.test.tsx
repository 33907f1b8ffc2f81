import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RoleEditor } from './RoleEditor.tsx'
import type { RoleContent } from './roles.ts'

const rows = [
  { code: '02', title: '概览', parent: null, grantable: true },
  { code: '06', title: '生产管理', parent: null, grantable: true },
]
const onSave = vi.fn<(content: RoleContent) => void>()

function open(changes: { isSaved?: boolean; isFixed?: boolean } = {}) {
  const initial = { name: '运维', description: '', codes: ['02'] }
  const { isSaved = false, isFixed = false } = changes
  const element = (
    <RoleEditor initial={initial} rows={rows} action="保存" busy={false} onSave={onSave} {...{ isSaved, isFixed }} />
  )
  const router = createMemoryRouter([
    { path: '/', element },
    { path: '/other', element: <p>别处</p> },
  ])
  render(<RouterProvider router={router} />)
  return router
}

const leave = (router: ReturnType<typeof open>) => act(() => router.navigate('/other'))
const isElsewhere = () => screen.queryByText('别处') !== null

beforeEach(() => onSave.mockReset())
afterEach(cleanup)

test('hands over what was changed, once there is a change and a name', () => {
  open()
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: '保存' })
  expect(save().disabled).toBe(true)
  fireEvent.click(screen.getByRole('checkbox', { name: /生产管理/ }))
  fireEvent.change(screen.getByLabelText('角色名称'), { target: { value: '  ' } })
  fireEvent.click(save())
  expect(screen.getByRole('alert').textContent).toBe('请填写角色名称')
  expect(onSave).not.toHaveBeenCalled()
  fireEvent.change(screen.getByLabelText(/^角色名称/), { target: { value: ' 生产 ' } })
  fireEvent.click(save())
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ name: '生产', description: '', codes: ['02', '06'] })
})

test('asks before unsaved changes are lost', async () => {
  const router = open()
  fireEvent.click(screen.getByRole('checkbox', { name: /生产管理/ }))
  await leave(router)
  expect(isElsewhere()).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: '继续编辑' }))
  expect(screen.queryByText('未保存的修改将会丢失。')).toBeNull()
  await leave(router)
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: '放弃修改并离开' })))
  expect(isElsewhere()).toBe(true)
})

test('lets go without a question when nothing is lost', async () => {
  await leave(open())
  expect(isElsewhere()).toBe(true)
  cleanup()
  const router = open({ isSaved: true })
  fireEvent.click(screen.getByRole('checkbox', { name: /生产管理/ }))
  await leave(router)
  expect(isElsewhere()).toBe(true)
})

test('a fixed role is only read', () => {
  open({ isFixed: true })
  fireEvent.click(screen.getByRole('checkbox', { name: /生产管理/ }))
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /生产管理/ }).checked).toBe(false)
  expect(screen.queryByRole('button', { name: '保存' })).toBeNull()
})
