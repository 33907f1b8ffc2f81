import type { ReactNode } from 'react'
import { ActivitiesPage } from '../activities/ActivitiesPage.tsx'
import { taskKind } from './taskKind.tsx'

export default function TaskActivitiesPage(): ReactNode {
  return <ActivitiesPage of={taskKind} />
}
