import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { usePermissions } from '#kit/session/permissions.ts'

interface Props {
  readonly riderId: number
  /** The section of the rider's money that is opened. */
  readonly money?: 'deposit' | 'payments'
  readonly children: ReactNode
}

/** A rider's name or number; a link to the rider's page for users who may see it. */
export function RiderLink({ riderId, money, children }: Props): ReactNode {
  const { held } = usePermissions()
  if (!holdsPermission(held, '070101||0401||08')) return children
  const part = money === undefined ? '' : `&money=${money}`
  return <Link to={`/user-info-detail?rider=${riderId}${part}`}>{children}</Link>
}
