import { beforeEach, expect, test } from 'vitest'
import { nobodyLoggedIn, somebody } from '#test/session.ts'
import { currentSelection, scopeKeyOf, setSelection } from './scope.ts'
import { startSession } from './store.ts'

beforeEach(() => nobodyLoggedIn())

test('the selection belongs to the person and comes back with the person', () => {
  startSession(somebody)
  setSelection({ agentIds: [3], opAreaIds: [1, 2] })
  startSession({ ...somebody, opManId: 'c'.repeat(24) })
  expect(currentSelection()).toEqual({})
  setSelection({ agentIds: [4] })
  startSession(somebody)
  expect(currentSelection()).toEqual({ agentIds: [3], opAreaIds: [1, 2] })
})

test('the key tells everything, nothing and some apart', () => {
  const keys = [{}, { agentIds: [] }, { agentIds: [1, 2] }, { agentIds: [12] }, { opAreaIds: [1, 2] }].map(scopeKeyOf)
  expect(new Set(keys).size).toBe(keys.length)
})

test('a damaged selection counts as everything', () => {
  const opManId = 'd'.repeat(24)
  startSession({ ...somebody, opManId })
  localStorage.setItem(`xc__scope-${opManId}`, JSON.stringify({ value: { agentIds: ['x'], opAreaIds: 3 } }))
  expect(currentSelection()).toEqual({})
})
