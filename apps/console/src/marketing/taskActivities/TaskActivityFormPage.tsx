import type { ReactNode } from 'react'
import { ActivityFormPage } from '../activities/ActivityFormPage.tsx'
import { taskKind } from './taskKind.tsx'

export default function TaskActivityFormPage(): ReactNode {
  return <ActivityFormPage of={taskKind} />
}
