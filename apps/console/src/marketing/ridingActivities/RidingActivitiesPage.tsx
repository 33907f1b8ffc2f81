import type { ReactNode } from 'react'
import { ActivitiesPage } from '../activities/ActivitiesPage.tsx'
import { ridingKind } from './ridingKind.tsx'

/** Discounts on rides by time, area, vehicle, weather or parking place. */
export default function RidingActivitiesPage(): ReactNode {
  return <ActivitiesPage of={ridingKind} />
}
