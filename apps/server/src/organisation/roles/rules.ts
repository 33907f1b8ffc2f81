import { AppError } from '@saddle/contract/errors.ts'
import { permissionTree, type Permission } from '@saddle/contract/permissions.ts'

const namedMax = 5

/** The codes that a role may hold, once each and in the order of the tree; `all` is everybody's and nobody's to give. */
export function roleCodes(codes: readonly string[]): Permission[] {
  const wanted = new Set(codes)
  return permissionTree.map((row) => row.code).filter((code) => code !== 'all' && wanted.has(code))
}

/** Codes that are in one list only: what a change gives or takes. */
export function changedCodes(before: readonly string[], after: readonly string[]): string[] {
  const [old, next] = [new Set(before), new Set(after)]
  return [...old].filter((code) => !next.has(code)).concat([...next].filter((code) => !old.has(code)))
}

/** Nobody gives, and nobody takes, what they do not hold. Throws grant_exceeds with the titles of what is missing. */
export function assertHeld(held: ReadonlySet<string>, codes: readonly string[]): void {
  const missing = codes.filter((code) => !held.has(code))
  if (missing.length === 0) return
  const titles = permissionTree.filter((row) => missing.includes(row.code)).map((row) => row.title)
  throw new AppError('grant_exceeds', { values: { detail: namesText(titles, '项') } })
}

/** A few names in full and how many there are: 张三、李四 等 7 人. */
export function namesText(names: readonly string[], counter: '人' | '项', count = names.length): string {
  const shown = names.slice(0, namedMax).join('、')
  return count > namedMax ? `${shown} 等 ${count} ${counter}` : shown
}
