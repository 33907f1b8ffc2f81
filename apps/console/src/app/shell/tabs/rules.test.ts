import { expect, test } from 'vitest'
import { maxOpenTabs } from '@saddle/contract/constants.ts'
import { closeAll, closeLeft, closeRight, closeTab, openTab, readTabs, tabKey, type Tabs } from './rules.ts'

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

test('each thing has a tab of its own, whatever else its address says', () => {
  const one = { path: '/vehicle-info', search: '?vehicle=SD100001' }
  const other = { path: '/vehicle-info', search: '?vehicle=SD100002' }
  const both = openTab(openTab(of('/log'), one), other)
  expect(both.list).toEqual([{ path: '/log', search: '' }, one, other])
  expect(both.active).toBe(tabKey(other))
  const back = openTab(both, { ...one, search: '?vehicle=SD100001&tab=life' })
  expect(back.list).toHaveLength(3)
  expect(closeTab(back, tabKey(one))).toEqual({ list: [{ path: '/log', search: '' }, other], active: tabKey(other) })
})

test('tabs are read again by the person who opened them, known pages alone', () => {
  const list = [
    { path: '/log', search: '' },
    { path: '/vehicle-info', search: '?vehicle=SD100001' },
  ]
  const stored = JSON.stringify({ of: '7', list: [...list, { path: '/gone', search: '' }, 'x'] })
  expect(readTabs(stored, '7').list).toEqual(list)
  expect(readTabs(stored, '8').list).toEqual([])
  expect(readTabs('no JSON', '7').list).toEqual([])
  expect(readTabs(null, '7').list).toEqual([])
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
