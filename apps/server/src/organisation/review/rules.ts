import { financialStatusActive } from '@saddle/contract/constants.ts'
import { applyFinancialStatus, permissionTree } from '@saddle/contract/permissions.ts'
import type { StoredPerson } from '#organisation/people/store.ts'

/** Why nothing that a person was given holds now; null: it holds. */
export function blockedBy(person: Pick<StoredPerson, 'state' | 'role'>, isCompanyEnabled: boolean): string | null {
  if (!isCompanyEnabled) return '所在公司已停用'
  if (person.state !== 'enabled') return '账号已停用'
  if (person.role === null) return '没有角色'
  return person.role.state === 'enabled' ? null : '角色已停用'
}

type Account = { readonly status: number | null; readonly accountLevel: number | null } | null

/** Every code of a person in the order of the tree, where it comes from, and what withholds it now. */
export function grantsOf(person: Pick<StoredPerson, 'codes' | 'role'>, account: Account) {
  const held = new Set(person.codes)
  const effective = new Set(applyFinancialStatus(person.codes, account))
  const reason = account?.status === financialStatusActive ? '资金账户级别不包含' : '资金账户尚未开通'
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
