import { expect, it } from 'vitest'
import type { AgentNode } from '@saddle/contract/organisation/franchise.ts'
import { dayOf, startOfDay } from './day.ts'
import { placesFor } from './places.ts'

it('a business day begins at midnight in Shanghai', () => {
  expect(startOfDay('2026-12-01')).toBe(Date.UTC(2026, 10, 30, 16))
  expect(dayOf(startOfDay('2026-12-01'))).toBe('2026-12-01')
  expect(dayOf(Date.UTC(2026, 10, 30, 15, 59))).toBe('2026-11-30')
})

it('a company may stand anywhere but below itself', () => {
  const node = (id: number, parentId: number | null) => ({ id, parentId, company: `公司${id}` }) as AgentNode
  // A child before its parent.
  const nodes = [node(2, null), node(6, 5), node(3, 2), node(5, 3), node(4, 2)]
  expect(placesFor(nodes, 3).map(({ value }) => value)).toEqual([2, 4])
  expect(placesFor(nodes, null)).toHaveLength(5)
})
