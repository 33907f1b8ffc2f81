import type { ReactNode } from 'react'
import { ActivityFormPage } from '../activities/ActivityFormPage.tsx'
import { fixedKind } from './fixedKind.tsx'

export default function FixedActivityFormPage(): ReactNode {
  return <ActivityFormPage of={fixedKind} />
}
