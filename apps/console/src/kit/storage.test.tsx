import { beforeEach, expect, test } from 'vitest'
import { clearStored, readStored, writeStored } from './storage.ts'

beforeEach(() => localStorage.clear())

test('values stand under xc__ and come back until they expire', () => {
  writeStored('token', 'abc', 1_000)
  expect(Object.keys(localStorage)).toEqual(['xc__token'])
  expect(readStored('token', Date.now() + 900)).toBe('abc')
  expect(readStored('token', Date.now() + 1_001)).toBeNull()
  expect(localStorage.length).toBe(0)
})

test('what somebody else damaged counts as missing', () => {
  localStorage.setItem('xc__a', '{')
  localStorage.setItem('xc__b', '"text"')
  expect(readStored('a')).toBeNull()
  expect(readStored('b')).toBeNull()
})

test('logging out removes what is the person’s and keeps what is the browser’s', () => {
  for (const key of ['session', 'finance', 'scope-1', 'language', 'theme', 'device', 'lists-1-orders'])
    writeStored(key, 1)
  localStorage.setItem('other', '1')
  clearStored()
  expect(Object.keys(localStorage).sort()).toEqual([
    'other',
    'xc__device',
    'xc__language',
    'xc__lists-1-orders',
    'xc__theme',
  ])
})
