import { expect, test } from 'vitest'
import { menuRows } from '@saddle/contract/menu.ts'
import { chordMs, groupLetters, keyAction, letterOf } from './keys.ts'

const plain = { command: false, writing: false, sinceGMs: null }

test('every root of the menu has a letter and every letter leads somewhere', () => {
  for (const row of menuRows.filter((each) => each.parent === null && !each.hidden)) {
    expect(letterOf(row.path)).not.toBeNull()
  }
  for (const path of Object.values(groupLetters)) expect(menuRows.some((row) => row.path === path)).toBe(true)
})

test('single keys', () => {
  expect(keyAction({ ...plain, key: '/' })).toEqual({ do: 'search' })
  expect(keyAction({ ...plain, key: '?' })).toEqual({ do: 'help' })
  expect(keyAction({ ...plain, key: 'x' })).toBeNull()
  expect(keyAction({ ...plain, key: 'K', command: true })).toEqual({ do: 'palette' })
})

test('g and a letter', () => {
  expect(keyAction({ ...plain, key: 'g' })).toEqual({ do: 'wait' })
  expect(keyAction({ ...plain, key: 'v', sinceGMs: 300 })).toEqual({ do: 'group', path: '/vehicle' })
  expect(keyAction({ ...plain, key: 'v', sinceGMs: chordMs + 1 })).toBeNull()
})

test('letters belong to the field one writes in, the palette opens from anywhere', () => {
  expect(keyAction({ ...plain, key: '/', writing: true })).toBeNull()
  expect(keyAction({ ...plain, key: 'g', writing: true })).toBeNull()
  expect(keyAction({ ...plain, key: 'k', writing: true, command: true })).toEqual({ do: 'palette' })
})
