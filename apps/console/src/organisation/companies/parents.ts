import type { AgentNode } from '@saddle/contract/organisation/companies.ts'

/** Where a company may stand: below every other one that is not itself below it. */
export function parentsFor(
  nodes: readonly AgentNode[],
  companyId: number | null,
): { readonly value: number; readonly label: string }[] {
  const below = new Set(companyId === null ? [] : [companyId])
  // Parents stand before their children in no certain order, so until nothing more is found.
  for (let size = -1; size !== below.size;) {
    size = below.size
    for (const { id, parentId } of nodes) if (parentId !== null && below.has(parentId)) below.add(id)
  }
  return nodes.filter(({ id }) => !below.has(id)).map(({ id, company }) => ({ value: id, label: company }))
}
