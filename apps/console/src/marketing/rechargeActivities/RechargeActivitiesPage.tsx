import type { ReactNode } from 'react'
import { ActivitiesPage } from '../activities/ActivitiesPage.tsx'
import { rechargeKind } from './rechargeKind.tsx'

/** Gift balance and coupons for riders who recharge. */
export default function RechargeActivitiesPage(): ReactNode {
  return <ActivitiesPage of={rechargeKind} />
}
