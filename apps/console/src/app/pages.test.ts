import { expect, test } from 'vitest'
import { menuRows } from '@saddle/contract/menu.ts'
import { builtPaths } from './pages.ts'

test('every page of the menu is built', () => {
  const pages = menuRows.filter((row) => !row.group && row.redirect === undefined).map((row) => row.path)
  expect(builtPaths.toSorted()).toEqual(pages.toSorted())
})
