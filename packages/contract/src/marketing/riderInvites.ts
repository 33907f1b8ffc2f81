import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { riderDeviceSchema } from '#contract/rider/self.ts'
import { inviteCodeLength, inviteStates } from './invites.ts'
import { rewardKinds } from './rewards.ts'

/** Invites as applications of riders see them. */

const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const
const riderPath = '/rider/v1/invite'
const phone = z.string().regex(phonePattern)
const agentId = idSchema.optional()

/** Wrong codes that a rider may try in a day. */
export const inviteGuessesMax = 5
/** Invites that are shown. */
export const ownInvitesMax = 50

/** What people type between the characters of a code does not count. */
export const inviteCodeSchema = searchTextSchema
  .overwrite((text) => text.replaceAll(/[\s-]/g, '').toUpperCase())
  .regex(new RegExp(`^[A-Z2-9]{${inviteCodeLength}}$`), { error: '邀请码为 6 位字母与数字' })

/** What a side gets: so many coupons or cards of a name, or gift balance. */
const ownRewardSchema = z.object({
  kind: z.enum(rewardKinds),
  name: z.string(),
  count: z.int(),
  /** What all of them are worth at most. */
  cents: z.int(),
})

const ownInvite = {
  state: z.enum(inviteStates),
  /** Why it earns nothing, in words for riders; null where it may earn something. */
  reason: z.string().nullable(),
  boundAt: instantSchema,
  /** Until when the first ride must have ended. */
  rideBy: instantSchema,
  countedAt: instantSchema.nullable(),
  /** When the rewards are given. */
  dueAt: instantSchema.nullable(),
}

export const riderOwnInvitesSchema = z.object({
  agentId: answeredIdSchema,
  /** Null while no activity rewards invites of this rider. */
  activity: z
    .object({
      name: z.string(),
      endsAt: instantSchema.nullable(),
      inviterRewards: z.array(ownRewardSchema),
      invitedRewards: z.array(ownRewardSchema),
      minMinutes: z.int(),
      minMetres: z.int(),
      waitHours: z.int(),
      bindDays: z.int(),
      rideDays: z.int(),
    })
    .nullable(),
  /** To hand on; null where there is no activity and there was none. */
  code: z.string().nullable(),
  invited: z.int(),
  counted: z.int(),
  pending: z.int(),
  rewarded: z.int(),
  refused: z.int(),
  /** The latest of them. */
  list: z.array(z.object({ phone: z.string(), ...ownInvite })),
  /** How this rider came; null: nobody brought them. */
  broughtBy: z.object(ownInvite).nullable(),
  /** Until when this rider may still say who brought them; null: no more. */
  mayBindUntil: instantSchema.nullable(),
})
export type RiderOwnInvites = z.infer<typeof riderOwnInvitesSchema>

export const riderInviteEndpoints = defineEndpoints({
  riderOwnInvites: {
    ...app,
    method: 'GET',
    path: riderPath,
    summary: '骑行者的邀请码，邀请了谁及其状态，最多五十条',
    input: z.object({ phone, agentId }),
    output: answerOf(riderOwnInvitesSchema),
  },
  riderBindInvite: {
    ...app,
    method: 'POST',
    path: `${riderPath}/bind`,
    summary: '新用户填写邀请码：注册后若干天内、首次付费骑行之前，一次；重复填写同一个返回同样的结果',
    input: z.object({ phone, agentId, code: inviteCodeSchema, device: riderDeviceSchema.optional() }),
    output: answerOf(z.object(ownInvite)),
  },
})
