import { expect, it } from 'vitest'
import type { AgentNode } from '@saddle/contract/organisation/companies.ts'
import { parentsFor } from './parents.ts'

it('a company may stand anywhere but below itself', () => {
  const node = (id: number, parentId: number | null) => ({ id, parentId, company: `公司${id}` }) as AgentNode
  // A child before its parent.
  const nodes = [node(2, null), node(6, 5), node(3, 2), node(5, 3), node(4, 2)]
  expect(parentsFor(nodes, 3).map(({ value }) => value)).toEqual([2, 4])
  expect(parentsFor(nodes, null)).toHaveLength(5)
})
