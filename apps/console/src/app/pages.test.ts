import { expect, test } from 'vitest'
import { menuRows, type MenuRow } from '@saddle/contract/menuRows.ts'
import { absentPages } from './absent.ts'
import { builtPaths } from './pages.ts'

test('every page of the menuRows is either built or absent', () => {
  const rows: readonly MenuRow[] = menu
  const pages = rows.filter((row) => !row.group && row.redirect === undefined).map((row) => row.path)
  expect([...builtPaths, ...absentPages].sort()).toEqual([...pages].sort())
})
