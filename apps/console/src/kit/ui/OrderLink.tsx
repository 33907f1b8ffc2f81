import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface Props {
  readonly orderId: number | null
  /** What people read; null where the order is not theirs to see. */
  readonly number: string | null
}

/** A ride order by its number, linked to its page; a dash where there is none. */
export function OrderLink({ orderId, number }: Props): ReactNode {
  if (orderId === null) return '--'
  return number === null ? orderId : <Link to={`/user-order-detail?order=${orderId}`}>{number}</Link>
}
