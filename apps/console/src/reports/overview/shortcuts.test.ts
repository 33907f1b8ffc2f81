import { expect, test } from 'vitest'
import { permittedRecents, shortcutGroups } from './shortcuts.ts'

const held = new Set(['all', '0221', '03', '0301'])

test('only permitted pages are offered, in groups', () => {
  const groups = shortcutGroups(held).map(({ title, pages }) => [title, pages.map((row) => row.path)])
  expect(groups).toEqual([
    ['大屏', ['/screenHome']],
    ['车辆监控', ['/vehicle/operation-map']],
  ])
})

test('a page used before is offered only while it is permitted', () => {
  expect(permittedRecents(['/vehicle/operation-map', '/black-list', '/gone'], held).map((row) => row.path)).toEqual([
    '/vehicle/operation-map',
  ])
})
