import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { ListPage } from '#kit/list/ListPage.tsx'
import { ScopeNote } from '../parts/ScopeNote.tsx'
import { ownRoles } from './roles.ts'
import { useRoles } from './useRoles.tsx'

/** Roles of the own company. */
export default function RolesPage(): ReactNode {
  const { list, add, toRow, body, dialog } = useRoles(ownRoles)
  return (
    <>
      <ListPage list={list} title={t('角色管理')} actions={add} above={<ScopeNote />} toRow={toRow} {...body} />
      {dialog}
    </>
  )
}
