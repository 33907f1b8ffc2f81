import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { usePermissions } from '#kit/session/permissions.ts'

interface Props {
  readonly riderId: number
  /** The part of their money that is to be open. */
  readonly money?: 'deposit' | 'payments'
  readonly children: ReactNode
}

/** A rider's name or number that leads to their page, for those who may see it. */
export function RiderLink({ riderId, money, children }: Props): ReactNode {
  const { held } = usePermissions()
  if (!holdsPermission(held, '070101||0401||08')) return children
  const part = money === undefined ? '' : `&money=${money}`
  return <Link to={`/user-info-detail?rider=${riderId}${part}`}>{children}</Link>
}
