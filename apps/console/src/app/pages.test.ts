import { expect, test } from 'vitest'
import { menuRows } from '@saddle/contract/menu.ts'
import { absentPages } from './absent.ts'
import { builtPaths } from './pages.ts'

test('every page of the menu is either built or absent', () => {
  const pages = menuRows.filter((row) => !row.group && row.redirect === undefined).map((row) => row.path)
  expect([...builtPaths, ...absentPages].toSorted()).toEqual(pages.toSorted())
})
