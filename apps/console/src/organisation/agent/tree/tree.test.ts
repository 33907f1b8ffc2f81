import { describe, expect, it } from 'vitest'
import type { AgentNode } from '@saddle/contract/organisation/franchise.ts'
import { treeRows, treeStep } from './tree.ts'

const node = (id: number, parentId: number | null, company: string, areas: readonly string[] = []): AgentNode => ({
  id,
  parentId,
  company,
  state: 'enabled',
  devicePolicy: 'open',
  financeTotpFrom: null,
  areas: areas.length,
  accounts: 0,
  roles: 0,
  vehicles: 0,
  areaList: areas.map((name, index) => ({ id: id * 100 + index, name, state: 'enabled' })),
  createdAt: 0,
})
const nodes = [
  node(2, null, '平台'),
  node(3, 2, '青禾出行', ['老城', '新区']),
  node(4, 2, '西山出行', ['景区']),
  node(5, 3, '青禾南区', ['南站']),
]
const labels = (keyword = '', toggled: readonly string[] = [], list: readonly AgentNode[] = nodes): string[] =>
  treeRows({ nodes: list, toggled: new Set(toggled), keyword }).map((row) => '  '.repeat(row.depth) + row.label)

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
    expect(labels('', ['c3'])).toEqual(['平台', '  青禾出行', '  西山出行', '    景区'])
  })

  it('are closed below the first level when they are many', () => {
    const many = [...nodes, ...Array.from({ length: 80 }, (_, index) => node(100 + index, 4, `分部${index}`))]
    expect(labels('', [], many)).toEqual(['平台', '  青禾出行', '  西山出行'])
    expect(labels('', ['c4'], many)).toHaveLength(3 + 1 + 80)
  })

  it('begin at whoever’s parent is not seen, and end although the data has a ring', () => {
    expect(labels('', [], nodes.slice(1))).toEqual([
      '青禾出行',
      '  老城',
      '  新区',
      '  青禾南区',
      '    南站',
      '西山出行',
      '  景区',
    ])
    expect(labels('', [], [node(7, 8, '甲'), node(8, 7, '乙')])).toEqual([])
    expect(labels('', [], [node(1, null, '根'), node(7, 1, '甲'), node(7, 7, '甲')])).toEqual(['根', '  甲'])
  })

  it('that a keyword meets are shown with what they stand below', () => {
    expect(labels('南')).toEqual(['平台', '  青禾出行', '    青禾南区', '      南站'])
    expect(labels('景区', ['c2'])).toEqual(['平台', '  西山出行', '    景区'])
    expect(labels('青禾出行')).toEqual(['平台', '  青禾出行'])
    expect(labels('没有')).toEqual([])
  })
})

describe('keys', () => {
  const rows = treeRows({ nodes, toggled: new Set(['c4']), keyword: '' })
  const from = (label: string): number => rows.findIndex((row) => row.label === label)

  it('walk, open, close, and climb', () => {
    expect(treeStep(rows, 0, 'ArrowDown')).toEqual({ to: 1 })
    expect(treeStep(rows, 0, 'ArrowUp')).toEqual({ to: 0 })
    expect(treeStep(rows, 0, 'End')).toEqual({ to: rows.length - 1 })
    expect(treeStep(rows, 3, 'Home')).toEqual({ to: 0 })
    expect(treeStep(rows, from('西山出行'), 'ArrowRight')).toEqual({ toggle: 'c4' })
    expect(treeStep(rows, from('青禾出行'), 'ArrowRight')).toEqual({ to: from('老城') })
    expect(treeStep(rows, from('青禾出行'), 'ArrowLeft')).toEqual({ toggle: 'c3' })
    expect(treeStep(rows, from('新区'), 'ArrowLeft')).toEqual({ to: from('青禾出行') })
    expect(treeStep(rows, from('新区'), 'ArrowRight')).toBeNull()
    expect(treeStep(rows, 0, 'x')).toBeNull()
    expect(treeStep([], 0, 'ArrowDown')).toBeNull()
  })
})
