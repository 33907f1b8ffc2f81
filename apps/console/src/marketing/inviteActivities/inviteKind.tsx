import {
  inviteActivityEndpoints as calls,
  type InviteTerms,
  type inviteTermsSchema,
} from '@saddle/contract/marketing/inviteActivities.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhoneCard } from '#kit/ui/PhoneFrame.tsx'
import type { ActivityKindUi } from '../activities/kind.ts'
import { timeText } from '../activities/words.ts'
import { metresText } from '../benefits/benefitFields.ts'
import { InvitesOfActivity } from '../invites/InviteList.tsx'
import { rewardsText, useRewardChoices, type RewardChoices } from '../rewards/rewardFields.tsx'
import { inviteFields, inviteTermsOf, type InviteFields } from './inviteFields.ts'

const wordsOr = (rewards: InviteTerms['inviterRewards'], names: RewardChoices): string =>
  rewards.length === 0 ? t('无') : rewardsText(rewards, names)

/** The same with names, inside of the phone. */
function Rewards({ title, rewards }: { readonly title: string; readonly rewards: InviteTerms['inviterRewards'] }) {
  return <PhoneCard title={title} lines={[wordsOr(rewards, useRewardChoices())]} />
}

/** What the first ride of a friend must be. */
const rideText = ({ minMinutes, minMetres }: InviteTerms): string =>
  [
    t('首次付费骑行'),
    ...(minMinutes === 0 ? [] : [t('至少骑行 {{count}} 分钟', { count: minMinutes })]),
    ...(minMetres === 0 ? [] : [t('至少骑行 {{distance}}', { distance: metresText(minMetres) })]),
  ].join(t('，'))

function fraudText({ refuseSameDevice, refuseSamePayer, refuseSamePerson }: InviteTerms): string {
  const refused = [
    ...(refuseSameDevice ? [t('同一设备')] : []),
    ...(refuseSamePayer ? [t('同一支付账户')] : []),
    ...(refuseSamePerson ? [t('同一证件')] : []),
    t('循环邀请'),
  ]
  return refused.join(t('、'))
}

/** Invite activities, on the pages that all kinds share. */
export const inviteKind: ActivityKindUi<typeof inviteTermsSchema, InviteFields> = {
  title: () => t('邀请有礼'),
  calls: {
    list: calls.listInviteActivities,
    sums: calls.sumInviteActivities,
    file: calls.exportInviteActivities,
    create: calls.createInviteActivity,
    change: calls.changeInviteActivity,
    switchState: calls.switchInviteActivity,
    versions: calls.inviteActivityVersions,
    preview: calls.previewInviteActivity,
  },
  givesRewards: true,
  listPath: '/marketing/invite-activity-task',
  formPath: '/marketing/invite-activity-task-edit',
  fields: inviteFields,
  termsOf: inviteTermsOf,
  words: ({ inviterRewards, invitedRewards }, names) =>
    t('邀请人：{{inviter}}；好友：{{invited}}', {
      inviter: wordsOr(inviterRewards, names),
      invited: wordsOr(invitedRewards, names),
    }),
  facts: (terms, names) => [
    [t('邀请人奖励'), wordsOr(terms.inviterRewards, names)],
    [t('好友奖励'), wordsOr(terms.invitedRewards, names)],
    [t('计入条件'), rideText(terms)],
    [t('填码期限'), t('注册后 {{count}} 天内', { count: terms.bindDays })],
    [t('首骑期限'), t('填码后 {{count}} 天内', { count: terms.rideDays })],
    [t('等待时间'), t('首骑后 {{count}} 小时', { count: terms.waitHours })],
    [t('不通过的邀请'), fraudText(terms)],
    [t('最多邀请层级'), number(terms.depthMax)],
  ],
  renderPhone: ({ common, terms }) => (
    <>
      <PhoneCard
        title={common.name || t('邀请有礼')}
        lines={[
          rideText(terms),
          t('好友注册后 {{count}} 天内填写邀请码', { count: terms.bindDays }),
          t('首骑后 {{count}} 小时发放，全额退款则不发放', { count: terms.waitHours }),
          ...(common.riderUses === null ? [] : [t('每人最多 {{count}} 次', { count: common.riderUses })]),
          ...(common.riderDayUses === null ? [] : [t('每天限 {{count}} 次', { count: common.riderDayUses })]),
          timeText(common),
        ]}
      />
      <PhoneCard title={t('我的邀请码')} lines={[t('分享给好友')]} aside="K7XR4M" />
      <Rewards title={t('我得到')} rewards={terms.inviterRewards} />
      <Rewards title={t('好友得到')} rewards={terms.invitedRewards} />
    </>
  ),
  renderMore: ({ id }) => <InvitesOfActivity activityId={id} />,
  previewTitles: () => [t('期间新用户'), t('最多可计入的新用户')],
}
