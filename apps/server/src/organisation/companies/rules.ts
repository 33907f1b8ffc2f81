import { AppError } from '@saddle/contract/errors.ts'

/** A company as the tree knows it. */
export interface Company {
  readonly id: number
  readonly parentId: number | null
}

/**
 * Throws where a company may not be put below another: the root stays the root, nobody moves the company that they work
 * for, and no company comes to stand below itself. `below` are the company and everything below it.
 */
export function checkMove(options: {
  company: Company
  parentId: number
  callerAgentId: number
  below: ReadonlySet<number>
}): void {
  const { company, parentId, callerAgentId, below } = options
  if (company.parentId === null || company.id === callerAgentId) throw new AppError('own_company')
  if (below.has(parentId)) throw new AppError('company_below_itself')
}
