import { expect, test } from 'vitest'
import { menuRows } from '@saddle/contract/menu.ts'
import { permissionCodes } from '@saddle/contract/permissions.ts'
import { menuNodes, revealRoot, rootOf, setCollapsed, toggleRoot, type Unfolded } from './model.ts'

const shut: Unfolded = { collapsed: false, open: [], remembered: [] }

test('someone with every code sees every row that is not hidden', () => {
  const nodes = menuNodes(new Set(permissionCodes))
  const shown = nodes.flatMap((node) => [node.row].concat(node.children).map((row) => row.path))
  expect(shown.toSorted()).toEqual(
    menuRows
      .filter((row) => !row.hidden)
      .map((row) => row.path)
      .toSorted(),
  )
})

test('groups and pages are filtered by the same rule', () => {
  const nodes = menuNodes(new Set(['all', '03', '0302', '0901']))
  expect(nodes.map((node) => node.row.path)).toEqual(['/vehicle'])
  expect(nodes[0]?.children.map((row) => row.path)).toEqual(['/vehicle/vehicle-query'])
  expect(nodes[0]?.to).toBe('/vehicle/vehicle-query')
})

test('a group without a permitted page is left out', () => {
  expect(menuNodes(new Set(['all', '07']))).toEqual([])
})

test('hidden pages never appear', () => {
  const nodes = menuNodes(new Set(['all', '10', '1001']))
  expect(nodes[0]?.children.map((row) => row.path)).toEqual(['/permissions/role'])
})

test('the root of a page', () => {
  expect(rootOf('/black-list')).toBe('/user-manage')
  expect(rootOf('/screenHome')).toBe('/screenHome')
  expect(rootOf('/nowhere')).toBeNull()
})

test('opening a sub-menu closes the others', () => {
  const one = toggleRoot(shut, '/vehicle')
  expect(one.open).toEqual(['/vehicle'])
  const other = toggleRoot(one, '/data')
  expect(other.open).toEqual(['/data'])
  expect(toggleRoot(other, '/data').open).toEqual([])
})

test('collapsing remembers what was open and unfolding restores it', () => {
  const open = toggleRoot(shut, '/data')
  const collapsed = setCollapsed(open, true)
  expect(collapsed.open).toEqual([])
  expect(setCollapsed(collapsed, false).open).toEqual(['/data'])
  expect(setCollapsed(collapsed, true)).toBe(collapsed)
})

test('a page opened while collapsed is what unfolds later', () => {
  const collapsed = setCollapsed(toggleRoot(shut, '/data'), true)
  const moved = revealRoot(collapsed, '/vehicle')
  expect(moved.open).toEqual([])
  expect(setCollapsed(moved, false).open).toEqual(['/vehicle'])
})
