import { financialStatusActive } from '@saddle/contract/constants.ts'
import { accessBlocks, codeBlocks } from '@saddle/contract/organisation/review.ts'
import { applyFinancialStatus, permissionTree } from '@saddle/contract/permissions.ts'
import type { StoredPerson } from '#organisation/people/store.ts'

/** Why nothing that a person was given holds now; null: it holds. */
export function blockedBy(person: Pick<StoredPerson, 'state' | 'role' | 'isCompanyEnabled'>): string | null {
  if (!person.isCompanyEnabled) return accessBlocks.company
  if (person.state !== 'enabled') return accessBlocks.person
  if (person.role === null) return accessBlocks.noRole
  return person.role.state === 'enabled' ? null : accessBlocks.role
}

type Account = { readonly status: number | null; readonly accountLevel: number | null } | null

/** Every code of a person in the order of the tree, where it comes from, and what withholds it now. */
export function grantsOf(person: Pick<StoredPerson, 'codes' | 'role'>, account: Account) {
  const held = new Set(person.codes)
  const effective = new Set(applyFinancialStatus(person.codes, account))
  const reason = account?.status === financialStatusActive ? codeBlocks.level : codeBlocks.account
  return permissionTree
    .filter(({ code }) => code === 'all' || held.has(code))
    .map(({ code, title }) => {
      if (code === 'all') {
        return { code, title, source: 'everybody' as const, roleId: null, roleName: null, withheld: null }
      }
      return {
        code,
        title,
        source: 'role' as const,
        roleId: person.role?.id ?? null,
        roleName: person.role?.name ?? null,
        withheld: effective.has(code) ? null : reason,
      }
    })
}
