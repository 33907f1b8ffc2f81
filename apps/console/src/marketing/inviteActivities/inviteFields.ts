import {
  inviteTermsSchema,
  inviteWaitHoursMax,
  inviteWaitHoursMin,
  type InviteTerms,
} from '@saddle/contract/marketing/inviteActivities.ts'
import { flag } from '#kit/form/choiceFields.tsx'
import type { Inputs } from '#kit/form/field.ts'
import { number } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { rewardsField } from '../rewards/rewardFields.tsx'

const someGift = { kind: 'gift', cents: 1, validDays: 1 } as const
/** What a new activity begins with: the defaults of the contract. */
const usual: InviteTerms = { ...inviteTermsSchema.parse({ inviterRewards: [someGift] }), inviterRewards: [] }

/** The fields of an invite activity's terms; they begin with those of another one. */
export function inviteFields(of: InviteTerms | null) {
  const from = of ?? usual
  const whole = (name: keyof InviteTerms, label: string, unit: string, hint?: string) =>
    number({
      label,
      unit,
      at: `terms.${name}`,
      initial: Number(from[name]),
      ...(hint !== undefined && { hint }),
    })
  const refuse = (name: keyof InviteTerms, label: string, says: string) =>
    flag({ label, says, at: `terms.${name}`, initial: from[name] === true })
  return {
    inviterRewards: rewardsField({
      label: t('邀请人奖励'),
      at: 'terms.inviterRewards',
      initial: from.inviterRewards,
      mayBeEmpty: true,
    }),
    invitedRewards: rewardsField({
      label: t('好友奖励'),
      at: 'terms.invitedRewards',
      initial: from.invitedRewards,
      mayBeEmpty: true,
    }),
    minMinutes: whole('minMinutes', t('首骑最短时长'), t('分钟')),
    minMetres: whole('minMetres', t('首骑最短里程'), t('米')),
    bindDays: whole('bindDays', t('填码期限'), t('天'), t('注册后多少天内可填写邀请码')),
    rideDays: whole('rideDays', t('首骑期限'), t('天'), t('填码后多少天内完成首次付费骑行')),
    waitHours: whole(
      'waitHours',
      t('等待时间'),
      t('小时'),
      t('首骑后 {{min}}–{{max}} 小时发奖励，期间全额退款则撤销', { min: inviteWaitHoursMin, max: inviteWaitHoursMax }),
    ),
    refuseSameDevice: refuse('refuseSameDevice', t('同一设备'), t('双方或同一人邀请的好友用过同一部手机，不通过')),
    refuseSamePayer: refuse('refuseSamePayer', t('同一支付账户'), t('双方用过同一个微信或支付宝账户，不通过')),
    refuseSamePerson: refuse('refuseSamePerson', t('同一证件'), t('双方绑定过同一证件，不通过')),
    depthMax: whole('depthMax', t('最多邀请层级'), t('层'), t('更深的邀请保留关系，不发奖励；循环邀请一律不发')),
  }
}
export type InviteFields = ReturnType<typeof inviteFields>

/** The terms as the calls take them; the values of the form also hold what every activity has. */
export const inviteTermsOf = (values: Inputs<InviteFields>): InviteTerms => ({
  inviterRewards: values.inviterRewards,
  invitedRewards: values.invitedRewards,
  minMinutes: values.minMinutes,
  minMetres: values.minMetres,
  bindDays: values.bindDays,
  rideDays: values.rideDays,
  waitHours: values.waitHours,
  refuseSameDevice: values.refuseSameDevice,
  refuseSamePayer: values.refuseSamePayer,
  refuseSamePerson: values.refuseSamePerson,
  depthMax: values.depthMax,
})
