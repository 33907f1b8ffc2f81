import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { inviteReasonWords, inviteReasons, inviteStates } from '@saddle/contract/marketing/invites.ts'
import {
  ownInvitesMax,
  type RiderOwnInvites,
  type riderInviteEndpoints,
} from '@saddle/contract/marketing/riderInvites.ts'
import type { Reward } from '@saddle/contract/marketing/rewards.ts'
import { agentOfApp } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { isWithheld } from '../holdout/holdout.ts'
import { activityAt, bindInvite, bindUntil, ensureCode, newcomerOf, type InviteActivity } from '../invites/bind.ts'
import type { InviteDeps } from '../invites/deps.ts'
import type { Rewards } from '../rewards/rewards.ts'

type Deps = InviteDeps & { readonly rewards: Pick<Rewards, 'price'> }
type Own = RiderOwnInvites['list'][number]

/** Invites as the riders' applications see them. */
export function createRiderInviteHandlers(deps: Deps): Handlers<typeof riderInviteEndpoints> {
  const { kit, riders } = deps
  return {
    riderOwnInvites: async ({ phone, agentId }, call) => {
      const agent = agentOfApp(call, agentId)
      const [known] = await riders.idsByPhone(scopeOfAgent(agent), phone)
      const data = await kit.db.system((tx) => ownInvites(deps, tx, { agentId: agent, phone, known }))
      return { suc: true, data }
    },

    riderBindInvite: async ({ phone, agentId, code, device }, call) => {
      const agent = agentOfApp(call, agentId)
      const at = kit.clock.now()
      const bound = await kit.db.system(async (tx) => {
        const [riderId = 0] = await riders.ensure(tx, [{ agentId: agent, phone, name: null }])
        if (device !== undefined) await riders.noteDevice(tx, { riderId, agentId: agent, appId: call.app.id, device })
        return bindInvite(tx, { agentId: agent, riderId, code, at })
      })
      if ('refusal' in bound) throw new AppError(bound.refusal)
      return { suc: true, data: wordsOf(bound) }
    },
  }
}

/** What a rider hears of an invite. */
function wordsOf({
  state,
  reason,
  boundAt,
  rideBy,
  countedAt,
  dueAt,
}: {
  readonly state: Own['state']
  readonly reason: keyof typeof inviteReasonWords | null
  readonly boundAt: number
  readonly rideBy: number
  readonly countedAt: number | null
  readonly dueAt: number | null
}): Omit<Own, 'phone'> {
  return { state, reason: reason === null ? null : inviteReasonWords[reason], boundAt, rideBy, countedAt, dueAt }
}

const ownRow = rowsOf(
  rowOf('invite', 'i', ['state', 'reason', 'bound_at', 'ride_by', 'counted_at', 'due_at']),
  rowOf('rider', 'r', ['phone_sealed', 'phone_hash']),
).codes({ state: inviteStates, reason: inviteReasons })
const codeRow = rowOf('invite_code', 'c', ['code'])
const countsRow = rowOfValues({
  invited: computed('integer', sql`count(*)`),
  counted: computed('integer', sql`count(i.counted_at)`),
  pending: computed('integer', sql`count(*) filter (where i.state = 'pending')`),
  rewarded: computed('integer', sql`count(*) filter (where i.state = 'rewarded')`),
  refused: computed('integer', sql`count(*) filter (where i.state in ('refused', 'reversed'))`),
})

async function ownInvites(
  deps: Deps,
  tx: Tx,
  {
    agentId,
    phone,
    known: asked,
  }: { readonly agentId: number; readonly phone: string; readonly known?: number | undefined },
): Promise<RiderOwnInvites> {
  const at = new Date(deps.kit.clock.now())
  const running = await activityAt(tx, { agentId, at })
  const activity = running === undefined ? null : await shownActivity(deps, tx, { agentId, activity: running, at })
  const none = { invited: 0, counted: 0, pending: 0, rewarded: 0, refused: 0, list: [], broughtBy: null }
  // A new rider is registered while there is something to invite for: the code is there at the first look.
  const [riderId] =
    asked === undefined && running !== undefined
      ? await deps.riders.ensure(tx, [{ agentId, phone, name: null }])
      : [asked]
  if (riderId === undefined) return { agentId, activity, code: null, ...none, mayBindUntil: null }
  const of = { agentId, riderId }
  const isOffered =
    running !== undefined && !(await isWithheld(tx, { ...of, id: running.id, percent: running.holdoutPercent }))
  const [known] = (await codeRow.select`from invite_code c where c.rider_id = ${riderId}`.execute(tx)).rows
  const code = known?.code ?? (isOffered ? await ensureCode(deps, tx, of) : null)
  const { rows: counts } = await countsRow.select`
    from invite i where i.inviter_id = ${riderId} and i.agent_id = ${agentId}`.execute(tx)
  const { rows: list } = await ownRow.select`
    from invite i join rider r on r.id = i.invited_id
    where i.inviter_id = ${riderId} and i.agent_id = ${agentId}
    order by i.bound_at desc, i.id desc limit ${ownInvitesMax}`.execute(tx)
  const { rows: by } = await ownRow.select`
    from invite i join rider r on r.id = i.inviter_id
    where i.invited_id = ${riderId} and i.agent_id = ${agentId}`.execute(tx)
  const [brought] = by
  const newcomer = await newcomerOf(tx, { ...of, at: at.getTime() })
  const mayBind = running !== undefined && brought === undefined
  return {
    agentId,
    activity: isOffered ? activity : null,
    code,
    ...none,
    ...counts[0],
    list: list.map((row) => Object.assign({ phone: deps.riders.maskedPhone(row) }, wordsOf(ownRow.present(row)))),
    broughtBy: brought === undefined ? null : wordsOf(ownRow.present(brought)),
    mayBindUntil: mayBind ? bindUntil(newcomer, running.terms.bindDays, at.getTime()) : null,
  }
}

async function shownActivity(
  { rewards }: Deps,
  tx: Tx,
  { agentId, activity, at }: { readonly agentId: number; readonly activity: InviteActivity; readonly at: Date },
): Promise<NonNullable<RiderOwnInvites['activity']>> {
  const { name, endsAt, terms } = activity
  const { minMinutes, minMetres, waitHours, bindDays, rideDays } = terms
  const shown = async (ofSide: readonly Reward[]) =>
    (await rewards.price(tx, { agentId, rewards: ofSide, at })).map(({ reward, name: title, cents }) => ({
      kind: reward.kind,
      name: title,
      count: reward.kind === 'coupon' ? reward.count : 1,
      cents,
    }))
  return {
    name,
    endsAt,
    inviterRewards: await shown(terms.inviterRewards),
    invitedRewards: await shown(terms.invitedRewards),
    minMinutes,
    minMetres,
    waitHours,
    bindDays,
    rideDays,
  }
}
