import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { inviteEndpoints, inviteStateLabels } from '@saddle/contract/marketing/invites.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { toneOfInvite } from './words.ts'

/** Who brought a rider and how many the rider brought, on the rider's own page; nothing where there is neither. */
export function RiderInvites({ riderId }: { readonly riderId: number }): ReactNode {
  const { data } = useEndpoint(inviteEndpoints.riderInvites, { riderId }, { quiet: true })
  if (data === undefined) return null
  const { code, broughtBy, brought, rewarded, refused } = data.data
  if (code === null && broughtBy === null && brought === 0) return null
  const filter = encodeURIComponent(JSON.stringify({ inviterId: riderId }))
  return (
    <section className="page-card">
      <h2>{t('邀请')}</h2>
      <div className="rider-body">
        <Facts
          facts={[
            [
              t('由谁邀请'),
              broughtBy === null ? (
                '--'
              ) : (
                <span key="by">
                  <RiderLink riderId={broughtBy.riderId}>{broughtBy.phone}</RiderLink>{' '}
                  <Mark tone={toneOfInvite[broughtBy.state]}>{t(inviteStateLabels[broughtBy.state])}</Mark>
                </span>
              ),
            ],
            [t('邀请码'), code ?? '--'],
            [
              t('已邀请'),
              brought === 0 ? (
                '0'
              ) : (
                <Link key="brought" to={`/marketing/invite-activity-task?view=invites&filter=${filter}`}>
                  {t('{{count}} 人', { count: brought })}
                </Link>
              ),
            ],
            [t('已发奖励'), number(rewarded)],
            [t('未通过'), number(refused)],
          ]}
        />
      </div>
    </section>
  )
}
