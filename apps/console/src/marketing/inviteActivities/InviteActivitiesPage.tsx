import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { ActivitiesPage } from '../activities/ActivitiesPage.tsx'
import { InvitesPage } from '../invites/InviteList.tsx'
import { InviteTree } from '../invites/InviteTree.tsx'
import { inviteKind } from './inviteKind.tsx'
import '#kit/list/stateTabs.css'

/** Invite activities, every invite, and the tree of who brought whom. */
export default function InviteActivitiesPage(): ReactNode {
  const [search] = useSearchParams()
  const view = search.get('view') ?? ''
  const link = (name: string, label: string) => (
    <Link to={name === '' ? '?' : `?view=${name}`} aria-current={view === name ? 'page' : undefined}>
      {label}
    </Link>
  )
  return (
    <>
      <nav className="state-tabs invite-views" aria-label={t('邀请有礼')}>
        {link('', t('活动'))}
        {link('invites', t('邀请记录'))}
        {link('tree', t('邀请关系'))}
      </nav>
      {view === 'invites' ? <InvitesPage /> : view === 'tree' ? <InviteTree /> : <ActivitiesPage of={inviteKind} />}
    </>
  )
}
