import type { ReactNode } from 'react'
import { ActivityFormPage } from '../activities/ActivityFormPage.tsx'
import { inviteKind } from './inviteKind.tsx'

/** Makes or changes an invite activity. */
export default function InviteActivityFormPage(): ReactNode {
  return <ActivityFormPage of={inviteKind} />
}
