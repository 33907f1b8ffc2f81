import { expect, test } from 'vitest'
import { maxOpenTabs } from '@saddle/contract/constants.ts'
import { closeAll, closeLeft, closeRight, closeTab, openTab, type Tabs } from './rules.ts'

const of = (...paths: string[]): Tabs => ({
  list: paths.map((path) => ({ path, search: '' })),
  active: paths.at(-1) ?? '',
})
const paths = (tabs: Tabs): string[] => tabs.list.map((tab) => tab.path)

test('a route opens a tab once and becomes active', () => {
  const two = openTab(of('/a'), { path: '/b', search: '' })
  expect(paths(two)).toEqual(['/a', '/b'])
  expect(two.active).toBe('/b')
  const back = openTab(two, { path: '/a', search: '?q=1' })
  expect(paths(back)).toEqual(['/a', '/b'])
  expect(back.active).toBe('/a')
  expect(back.list[0]?.search).toBe('?q=1')
  expect(openTab(back, { path: '/a', search: '?q=1' })).toBe(back)
})

test('the number of tabs is bounded', () => {
  let tabs = of('/p0')
  for (let index = 1; index <= maxOpenTabs + 4; index++) tabs = openTab(tabs, { path: `/p${index}`, search: '' })
  expect(tabs.list).toHaveLength(maxOpenTabs)
  expect(tabs.active).toBe(`/p${maxOpenTabs + 4}`)
  expect(paths(tabs)).not.toContain('/p0')
})

test('a tab closes only when more than one is open', () => {
  expect(paths(closeTab(of('/a'), '/a'))).toEqual(['/a'])
  expect(paths(closeTab(of('/a', '/b'), '/a'))).toEqual(['/b'])
})

test('closing the active tab leads to a neighbour', () => {
  expect(closeTab({ ...of('/a', '/b', '/c'), active: '/b' }, '/b').active).toBe('/c')
  expect(closeTab(of('/a', '/b'), '/b').active).toBe('/a')
  expect(closeTab({ ...of('/a', '/b', '/c'), active: '/a' }, '/c').active).toBe('/a')
})

test('close left and close right, with their warnings', () => {
  const three = { ...of('/a', '/b', '/c'), active: '/a' }
  expect(closeLeft(three, '/a')).toEqual({ warning: '左侧没有标签' })
  expect(closeRight(three, '/c')).toEqual({ warning: '右侧没有标签' })
  expect(closeLeft(three, '/b')).toEqual({ tabs: { list: of('/b', '/c').list, active: '/b' } })
  expect(closeRight(three, '/b')).toEqual({ tabs: { list: of('/a', '/b').list, active: '/a' } })
})

test('close all leaves the home page', () => {
  expect(closeAll('/log')).toEqual({ list: [{ path: '/log', search: '' }], active: '/log' })
})
