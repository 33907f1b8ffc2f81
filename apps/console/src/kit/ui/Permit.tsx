import type { ReactNode } from 'react'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { usePermissions } from '#kit/session/permissions.ts'

interface Props {
  /** One code, a comma-list (all of them) or a `||`-list (any of them). */
  readonly action: string
  readonly children: ReactNode
}

/** Shows its children only to users with the named permission (specification, section 5). */
export function Permit({ action, children }: Props): ReactNode {
  const { held } = usePermissions()
  return holdsPermission(held, action) ? children : null
}
