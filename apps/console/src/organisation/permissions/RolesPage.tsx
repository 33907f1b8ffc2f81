import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { ScopeNote } from '../parts/ScopeNote.tsx'
import { ownRoles } from '../parts/sources.ts'
import { RoleTable } from '../parts/RoleTable.tsx'

/** Roles of the own company. */
export default function RolesPage(): ReactNode {
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('角色管理')}</h1>
      </header>
      <ScopeNote />
      <RoleTable source={ownRoles} />
    </div>
  )
}
