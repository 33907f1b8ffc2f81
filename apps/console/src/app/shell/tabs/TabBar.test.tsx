import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactElement } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearToasts, useToasts } from '#kit/notify.ts'
import { TabBar } from './TabBar.tsx'
import { openTabs } from './store.ts'

const paths = ['/log', '/vehicle/operation-map', '/vehicle/vehicle-query']
const titles = ['首页', '运营地图', '车辆查询']

function Where(): ReactElement {
  return <output aria-label="where">{useLocation().pathname}</output>
}

function Warnings(): ReactElement {
  return <output aria-label="warnings">{useToasts().map((toast) => toast.text)}</output>
}

const link = (title: string): HTMLElement => screen.getByRole('link', { name: title })
const shown = (): (string | null)[] =>
  within(screen.getByRole('navigation'))
    .queryAllByRole('link')
    .map((each) => each.textContent)

beforeEach(() => {
  clearToasts()
  openTabs.set({ list: paths.map((path) => ({ path, search: '' })), active: '/log' })
  render(
    <MemoryRouter initialEntries={['/log']}>
      <TabBar />
      <Where />
      <Warnings />
    </MemoryRouter>,
  )
})
afterEach(cleanup)

function choose(title: string, entry: string): void {
  fireEvent.contextMenu(link(title))
  fireEvent.click(screen.getByRole('menuitem', { name: entry }))
}

test('a tab closes by its button, and the last one has none', () => {
  fireEvent.click(screen.getByRole('button', { name: /关闭 .*运营地图|关闭 运营地图/ }))
  expect(shown()).toEqual(['首页', '车辆查询'])
  fireEvent.click(screen.getByRole('button', { name: /首页/ }))
  expect(shown()).toEqual(['车辆查询'])
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByLabelText('where').textContent).toBe('/vehicle/vehicle-query')
})

test('close right and left, and their warnings', () => {
  choose(titles[2] as string, '关闭右侧')
  expect(screen.getByLabelText('warnings').textContent).toBe('右侧没有标签')
  clearToasts()
  choose(titles[0] as string, '关闭左侧')
  expect(screen.getByLabelText('warnings').textContent).toBe('左侧没有标签')
  choose(titles[1] as string, '关闭左侧')
  expect(shown()).toEqual(['运营地图', '车辆查询'])
  expect(screen.getByLabelText('where').textContent).toBe('/vehicle/operation-map')
  choose(titles[1] as string, '关闭右侧')
  expect(shown()).toEqual(['运营地图'])
})

test('close current and close all', () => {
  choose(titles[0] as string, '关闭当前')
  expect(shown()).toEqual(['运营地图', '车辆查询'])
  choose(titles[2] as string, '全部关闭')
  expect(shown()).toEqual(['首页'])
  expect(screen.getByLabelText('where').textContent).toBe('/log')
})
