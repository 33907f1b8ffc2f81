import { inviteActivityEndpoints } from '@saddle/contract/marketing/inviteActivities.ts'
import {
  inviteEndpoints,
  inviteReasonLabels,
  type Invite,
  type InviteState,
} from '@saddle/contract/marketing/invites.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

/** Readings that a decision about an invite makes stale. */
export const staleInvites = [
  inviteEndpoints.listInvites,
  inviteEndpoints.sumInvites,
  inviteEndpoints.inviteTree,
  inviteEndpoints.findInInviteTree,
  inviteEndpoints.riderInvites,
  inviteActivityEndpoints.listInviteActivities,
]

export const toneOfInvite: Readonly<Record<InviteState, Tone>> = {
  registered: 'info',
  pending: 'warn',
  rewarded: 'good',
  refused: 'bad',
  reversed: 'off',
}

/** What the rules saw, as far as it speaks against the invite. */
export function likenessText({ facts }: Pick<Invite, 'facts'>): string {
  const found = [
    ...(facts.sameDevice ? [t('同一设备')] : []),
    ...(facts.samePayer ? [t('同一支付账户')] : []),
    ...(facts.samePerson ? [t('同一证件')] : []),
    ...(facts.olderAccount ? [t('有更早的账号')] : []),
  ]
  return found.length === 0 ? t('未发现') : found.join(t('、'))
}

/** Why it earns nothing; what a person wrote stands behind it. */
export const reasonText = ({ reason, note }: Pick<Invite, 'reason' | 'note'>): string =>
  reason === null
    ? '--'
    : note === ''
      ? t(inviteReasonLabels[reason])
      : t('{{reason}}：{{note}}', { reason: t(inviteReasonLabels[reason]), note })

/** What happens next, or when it ended. */
export function nextText(invite: Pick<Invite, 'state' | 'rideBy' | 'dueAt' | 'endedAt'>): string {
  if (invite.state === 'registered') return t('{{time}} 前完成首骑', { time: dateTime(invite.rideBy) })
  if (invite.state === 'pending') return t('{{time}} 发奖励', { time: dateTime(invite.dueAt) })
  return dateTime(invite.endedAt)
}
