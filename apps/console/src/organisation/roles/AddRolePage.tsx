import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { idOf } from '../parts/link.ts'
import { ownRoles } from './roles.ts'
import { NewRole } from './RoleScreens.tsx'

/** A new role of the own company; `from` names the role that it begins as a copy of. */
export default function AddRolePage(): ReactNode {
  const [query] = useSearchParams()
  const from = idOf(query.get('from'))
  return <NewRole key={from ?? 'new'} source={ownRoles} from={from} agentId={null} />
}
