import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { ViewSegments } from '#kit/plain/ViewSegments.tsx'
import { ActivitiesPage } from '../activities/ActivitiesPage.tsx'
import { InvitesPage } from '../invites/InviteList.tsx'
import { InviteTree } from '../invites/InviteTree.tsx'
import { inviteKind } from './inviteKind.tsx'

const views = ['activities', 'invites', 'tree'] as const
type View = (typeof views)[number]
const viewLabels: Readonly<Record<View, string>> = { activities: '邀请活动', invites: '邀请记录', tree: '邀请关系' }

/** Invite activities, every invite, and the tree of who brought whom. */
export default function InviteActivitiesPage(): ReactNode {
  const [search] = useSearchParams()
  const view = views.find((one) => one === search.get('view')) ?? 'activities'
  const nav = (
    <ViewSegments<View>
      path="/marketing/invite-activity-task"
      label={t('邀请有礼')}
      options={views.map((one) => ({ value: one, label: t(viewLabels[one]) }))}
      value={view}
    />
  )
  if (view === 'invites') return <InvitesPage views={nav} />
  if (view === 'tree') return <InviteTree views={nav} />
  return <ActivitiesPage of={inviteKind} views={nav} />
}
