import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { overridePermissions } from '#kit/session/permissions.ts'
import { Sider } from './Sider.tsx'
import { unfolded } from './store.ts'

function At({ path }: { readonly path: string }): ReactElement {
  return (
    <MemoryRouter initialEntries={[path]}>
      <Sider path={path} />
    </MemoryRouter>
  )
}

const root = (name: string): HTMLElement => screen.getByRole('button', { name })
const isOpen = (name: string): boolean => root(name).getAttribute('aria-expanded') === 'true'
const menu = (): HTMLElement => screen.getByRole('navigation', { name: '主菜单' })

beforeEach(() => {
  unfolded.set({ collapsed: false, open: [], remembered: [] })
  overridePermissions(['all', '0221', '03', '0301', '0302', '09', '0901', '10'])
})
afterEach(cleanup)

test('only permitted pages are in the menu', () => {
  render(<At path="/log" />)
  const links = within(menu()).getAllByRole('link', { hidden: true })
  expect(links.map((link) => link.textContent)).toEqual(['运营大屏', '运营地图', '车辆查询', '换电统计'])
  expect(within(menu()).queryByText('权限管理')).toBeNull()
})

test('the group of the page is open and the page is marked', () => {
  render(<At path="/vehicle/vehicle-query" />)
  expect(isOpen('车辆监控')).toBe(true)
  expect(within(menu()).getByText('车辆查询').getAttribute('aria-current')).toBe('page')
})

test('a page that is not in the menu marks the one that it belongs to', () => {
  render(<At path="/vehicle-info" />)
  expect(isOpen('车辆监控')).toBe(true)
  expect(within(menu()).getByText('车辆查询').getAttribute('aria-current')).toBe('page')
})

test('opening a sub-menu closes the other one', () => {
  render(<At path="/vehicle/vehicle-query" />)
  fireEvent.click(root('运维管理'))
  expect([isOpen('车辆监控'), isOpen('运维管理')]).toEqual([false, true])
  fireEvent.click(root('运维管理'))
  expect([isOpen('车辆监控'), isOpen('运维管理')]).toEqual([false, false])
})

test('folding the menu remembers the open sub-menu', () => {
  render(<At path="/log" />)
  fireEvent.click(root('运维管理'))
  fireEvent.click(root('收起菜单'))
  expect(isOpen('运维管理')).toBe(false)
  fireEvent.click(root('展开菜单'))
  expect(isOpen('运维管理')).toBe(true)
})

test('folded, a group shows its pages beside itself', () => {
  unfolded.set({ collapsed: true, open: [], remembered: [] })
  render(<At path="/log" />)
  expect(screen.queryByRole('link', { name: '换电统计' })).toBeNull()
  fireEvent.click(root('运维管理'))
  expect(screen.getByRole('link', { name: '换电统计' }).getAttribute('href')).toBe('/data/power-change-statistics')
})
