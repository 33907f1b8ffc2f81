import type { ReactNode } from 'react'
import { ActivitiesPage } from '../activities/ActivitiesPage.tsx'
import { fixedKind } from './fixedKind.tsx'

export default function FixedActivitiesPage(): ReactNode {
  return <ActivitiesPage of={fixedKind} />
}
