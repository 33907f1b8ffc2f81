import { describe, expect, it } from 'vitest'
import type { AgentNode } from '@saddle/contract/organisation/companies.ts'
import { pathTo, treeRows, treeStep } from './tree.ts'

const node = (id: number, parentId: number | null, company: string, areas: readonly string[] = []): AgentNode => ({
  id,
  parentId,
  company,
  state: 'enabled',
  devicePolicy: 'open',
  financeTotpFrom: null,
  figures: null,
  areaList: areas.map((name, index) => ({ id: id * 100 + index, name, state: 'enabled' })),
  createdAt: 0,
})
const nodes = [
  node(2, null, '平台'),
  node(3, 2, '青禾出行', ['老城', '新区']),
  node(4, 2, '西山出行', ['景区']),
  node(5, 3, '青禾南区', ['南站']),
]
const labels = (
  keyword = '',
  opened: Readonly<Record<string, boolean>> = {},
  list: readonly AgentNode[] = nodes,
): string[] =>
  treeRows({ nodes: list, opened: new Map(Object.entries(opened)), keyword }).map(
    (row) => '  '.repeat(row.depth) + row.label,
  )

describe('the lines of the tree', () => {
  it('stand below their companies, all open while they are few', () => {
    expect(labels()).toEqual([
      '平台',
      '  青禾出行',
      '    老城',
      '    新区',
      '    青禾南区',
      '      南站',
      '  西山出行',
      '    景区',
    ])
    expect(labels('', { c3: false })).toEqual(['平台', '  青禾出行', '  西山出行', '    景区'])
  })

  it('are closed below the first level when they are many', () => {
    const many = [...nodes, ...Array.from({ length: 80 }, (_, index) => node(100 + index, 4, `分部${index}`))]
    expect(labels('', {}, many)).toEqual(['平台', '  青禾出行', '  西山出行'])
    expect(labels('', { c4: true }, many)).toHaveLength(3 + 1 + 80)
  })

  it('begin at whoever’s parent is not seen, and end although the data has a ring', () => {
    expect(labels('', {}, nodes.slice(1))).toEqual([
      '青禾出行',
      '  老城',
      '  新区',
      '  青禾南区',
      '    南站',
      '西山出行',
      '  景区',
    ])
    expect(labels('', {}, [node(7, 8, '甲'), node(8, 7, '乙')])).toEqual([])
    expect(labels('', {}, [node(1, null, '根'), node(7, 1, '甲'), node(7, 7, '甲')])).toEqual(['根', '  甲'])
  })

  it('that a keyword meets are shown with what they stand below', () => {
    expect(labels('南')).toEqual(['平台', '  青禾出行', '    青禾南区', '      南站'])
    expect(labels('景区', { c2: false })).toEqual(['平台', '  西山出行', '    景区'])
    expect(labels('青禾出行')).toEqual(['平台', '  青禾出行'])
    expect(labels('没有')).toEqual([])
  })
})

it('what is above a line is known, so that it can be opened for it', () => {
  expect(pathTo(nodes, 'a500')).toEqual(['c5', 'c3', 'c2'])
  expect(pathTo(nodes, 'c5')).toEqual(['c3', 'c2'])
  expect(pathTo(nodes, 'c2')).toEqual([])
  expect(pathTo(nodes, 'a999')).toEqual([])
  expect(pathTo([node(7, 8, '甲'), node(8, 7, '乙')], 'c7')).toEqual(['c8', 'c7'])
})

describe('keys', () => {
  const rows = treeRows({ nodes, opened: new Map([['c4', false]]), keyword: '' })
  const from = (label: string): number => rows.findIndex((row) => row.label === label)

  it('walk, open, close, and climb', () => {
    expect(treeStep(rows, 0, 'ArrowDown')).toEqual({ to: 1 })
    expect(treeStep(rows, 0, 'ArrowUp')).toEqual({ to: 0 })
    expect(treeStep(rows, 0, 'End')).toEqual({ to: rows.length - 1 })
    expect(treeStep(rows, 3, 'Home')).toEqual({ to: 0 })
    expect(treeStep(rows, from('西山出行'), 'ArrowRight')).toBe('turn')
    expect(treeStep(rows, from('青禾出行'), 'ArrowRight')).toEqual({ to: from('老城') })
    expect(treeStep(rows, from('青禾出行'), 'ArrowLeft')).toBe('turn')
    expect(treeStep(rows, from('新区'), 'ArrowLeft')).toEqual({ to: from('青禾出行') })
    expect(treeStep(rows, from('新区'), 'ArrowRight')).toBeNull()
    expect(treeStep(rows, 0, 'x')).toBeNull()
    expect(treeStep([], 0, 'ArrowDown')).toBeNull()
  })
})
