import { permissionTree } from '@saddle/contract/permissions.ts'
import { describe, expect, test } from 'vitest'
import { differences, forestOf, foundLines, ticksOf, toggled, withBelow } from './permissionForest.ts'

const rows = permissionTree
  .filter((row) => row.code !== 'all')
  .map(({ code, title, parent }) => ({ code, title, parent, grantable: code !== '0305' }))
const forest = forestOf(rows)
const titles = (codes: Iterable<string>) => [...codes].toSorted()

describe('forest', () => {
  test('has every line once, each below its parent', () => {
    expect(forest.lines).toHaveLength(rows.length)
    expect(forest.byCode.get('030101')).toMatchObject({ depth: 2, parent: '0301' })
    expect(withBelow(forest, '0301')).toEqual(['0301', '030101'])
  })

  test('finds by title and code, with what is above and below', () => {
    expect(titles(foundLines(forest, '远程') ?? [])).toEqual(['03', '0301', '030101'])
    expect(titles(foundLines(forest, '0302') ?? [])).toEqual(['03', '0302'])
    expect(foundLines(forest, '  ')).toBeNull()
    expect(foundLines(forest, '没有这个')?.size).toBe(0)
  })
})

describe('ticking', () => {
  test('takes along what is below and above, and leaves out what cannot be granted', () => {
    const group = toggled(forest, new Set(), '03')
    expect(group.has('030101')).toBe(true)
    expect(group.has('0305')).toBe(false)
    expect(titles(toggled(forest, new Set(), '030101'))).toEqual(['03', '0301', '030101'])
  })

  test('a second click empties it, and the group that nothing is left of', () => {
    const held = toggled(forest, new Set(), '0301')
    expect(toggled(forest, held, '0301').size).toBe(0)
    // Unticking one action of a page keeps the page ticked.
    expect(titles(toggled(forest, held, '030101'))).toEqual(['03', '0301'])
  })

  test('never gives or takes what cannot be granted', () => {
    const held = new Set(['03', '0305'])
    expect(toggled(forest, held, '0305')).toEqual(held)
    const emptied = toggled(forest, toggled(forest, held, '03'), '03')
    expect(titles(emptied)).toEqual(['0305'])
  })

  test('a box is mixed while only a part of it is held', () => {
    const ticks = ticksOf(forest, new Set(['03', '0301']))
    expect([ticks.get('03'), ticks.get('0301'), ticks.get('030101'), ticks.get('07')]).toEqual([
      'mixed',
      'mixed',
      'off',
      'off',
    ])
    expect(ticksOf(forest, new Set(['03', '0301', '030101'])).get('0301')).toBe('on')
  })
})

test('two roles differ by what only one of them holds', () => {
  const { left, right } = differences(forest, ['03', '0301'], ['03', '030101', '07'])
  expect(left.map((one) => one.code)).toEqual(['0301'])
  expect(right).toEqual([
    { code: '030101', title: '远程开关锁', trail: ['车辆监控', '运营地图'] },
    { code: '07', title: '用户管理', trail: [] },
  ])
})
