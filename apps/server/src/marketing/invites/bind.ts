import { sql } from 'kysely'
import type { ErrorCode } from '@saddle/contract/errors.ts'
import { activityCommonSchema } from '@saddle/contract/marketing/activities.ts'
import { inviteTermsSchema, type InviteTerms } from '@saddle/contract/marketing/inviteActivities.ts'
import { inviteCodeLength, type InviteReason } from '@saddle/contract/marketing/invites.ts'
import { inviteGuessesMax } from '@saddle/contract/marketing/riderInvites.ts'
import { businessDayOf, dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { inForce } from '../activities/budget.ts'
import { newCode } from '../coupons/rules.ts'
import { isWithheld } from '../holdout/holdout.ts'
import type { InviteDeps } from './deps.ts'
import { factsOf, likenessOf } from './facts.ts'
import { likenessReason, treeReason } from './rules.ts'
import { ancestorsOf, isEdge, lockInvites, type StoredInvite } from './store.ts'

export type InviteActivity = {
  readonly id: number
  readonly version: number
  readonly name: string
  readonly endsAt: number | null
  readonly holdoutPercent: number
  readonly terms: InviteTerms
}

/** The activity by which invites of a company are rewarded at a moment: of several the newest. */
export async function activityAt(
  tx: Tx,
  { agentId, at }: { readonly agentId: number; readonly at: Date },
): Promise<InviteActivity | undefined> {
  const running = await inForce(tx, { agentId, kind: 'invite', terms: inviteTermsSchema, at })
  const newest = running.at(-1)
  if (newest === undefined) return undefined
  const { id, version, terms, common } = newest
  const { name, endsAt, holdoutPercent } = activityCommonSchema.parse(common)
  return { id, version, name, endsAt, holdoutPercent, terms }
}

const codeRow = rowOf('invite_code', 'c', ['rider_id', 'code'])
const codeTries = 8

/** The code of a rider; made when it is asked for the first time. */
export async function ensureCode(
  { kit }: Pick<InviteDeps, 'kit'>,
  tx: Tx,
  { agentId, riderId }: { readonly agentId: number; readonly riderId: number },
): Promise<string> {
  const at = new Date(kit.clock.now())
  for (let tries = 0; tries < codeTries; tries += 1) {
    const { rows } = await codeRow.select`
      from invite_code c where c.rider_id = ${riderId} and c.agent_id = ${agentId}`.execute(tx)
    const [known] = rows
    if (known !== undefined) return known.code
    await sql`
      insert into invite_code (rider_id, agent_id, code, made_at, is_brought)
      values (${riderId}, ${agentId}, ${newCode(kit.random, inviteCodeLength)}, ${at}, exists (
        select from invite i where i.invited_id = ${riderId} and i.agent_id = ${agentId} and ${isEdge}))
      on conflict do nothing`.execute(tx)
  }
  throw new Error('codes of invites repeat themselves')
}

const riderRow = rowsOf(
  rowOf('rider', 'r', ['created_at']),
  rowOfValues({
    has_ridden: computed(
      'boolean',
      sql`exists (select from ride_order o where o.rider_id = r.id and o.charged_cents > 0)`,
    ),
    wrong: computed('integer', sql`coalesce(g.wrong, 0)`),
  }),
)

type Bind = { readonly agentId: number; readonly riderId: number; readonly code: string; readonly at: number }

/** Until when a rider may say who brought them; null where not any more. */
export function bindUntil(
  rider: { readonly createdAt: number; readonly hasRidden: boolean },
  bindDays: number,
  now: number,
): number | null {
  const until = rider.createdAt + bindDays * dayMs
  return rider.hasRidden || until < now ? null : until
}

/** What is known of a rider who wants to say who brought them. */
export async function newcomerOf(
  tx: Tx,
  { agentId, riderId, at }: Omit<Bind, 'code'>,
): Promise<{ createdAt: number; hasRidden: boolean; wrong: number }> {
  const { rows } = await riderRow.select`
    from rider r left join invite_guess g on g.rider_id = r.id and g.day = ${businessDayOf(at)}::date
    where r.id = ${riderId} and r.agent_id = ${agentId}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`rider ${riderId} is not there`)
  return { createdAt: row.created_at.getTime(), hasRidden: row.has_ridden, wrong: row.wrong }
}

/**
 * Writes down who brought a rider. A refusal is answered and not thrown: a wrong code that was counted must stay counted.
 * Invites of a company are written one after the other, so that no circle and no second inviter slips in between.
 */
export async function bindInvite(tx: Tx, bind: Bind): Promise<StoredInvite | { readonly refusal: ErrorCode }> {
  const { agentId, riderId, code, at } = bind
  await sql`select pg_advisory_xact_lock(hashtextextended('marketing.invite', ${agentId}))`.execute(tx)
  const rider = await newcomerOf(tx, bind)
  if (rider.wrong >= inviteGuessesMax) return { refusal: 'invite_guesses_spent' }
  const { rows } = await codeRow.select`
    from invite_code c where c.agent_id = ${agentId} and c.code = ${code}`.execute(tx)
  const inviterId = rows[0]?.rider_id
  if (inviterId === undefined) {
    await sql`
      insert into invite_guess as g (rider_id, day, agent_id, wrong)
      values (${riderId}, ${businessDayOf(at)}::date, ${agentId}, 1)
      on conflict (rider_id, day) do update set wrong = g.wrong + 1`.execute(tx)
    return { refusal: 'invite_code_unknown' }
  }
  const [known] = await lockInvites(tx, sql`i.invited_id = ${riderId} and i.agent_id = ${agentId}`)
  if (known !== undefined) return known.inviterId === inviterId ? known : { refusal: 'invite_bound' }
  if (inviterId === riderId) return { refusal: 'invite_own_code' }
  const activity = await activityAt(tx, { agentId, at: new Date(at) })
  if (activity === undefined) return { refusal: 'invite_off' }
  if (bindUntil(rider, activity.terms.bindDays, at) === null) return { refusal: 'invite_not_new' }
  return insertInvite(tx, { agentId, inviterId, invitedId: riderId, activity, at })
}

/** Adds the invite, refused at once where the rules say so; the tree shows it either way. */
export async function insertInvite(
  tx: Tx,
  invite: {
    readonly agentId: number
    readonly inviterId: number
    readonly invitedId: number
    readonly activity: InviteActivity
    readonly at: number
  },
): Promise<StoredInvite> {
  const { agentId, inviterId, invitedId, activity, at } = invite
  const { terms } = activity
  const ancestors = await ancestorsOf(tx, { agentId, riderId: inviterId })
  const likeness = await likenessOf(tx, invite)
  const reason: InviteReason | null =
    treeReason({ invitedId, inviterId, ancestors, depthMax: terms.depthMax }) ??
    (await heldOut(tx, invite)) ??
    likenessReason(likeness, terms)
  const { id } = await tx
    .insertInto('invite')
    .values({
      agent_id: agentId,
      activity_id: activity.id,
      version: activity.version,
      inviter_id: inviterId,
      invited_id: invitedId,
      depth: ancestors.length + 1,
      state: reason === null ? 'registered' : 'refused',
      reason,
      facts: JSON.stringify(factsOf(likeness, null)),
      bound_at: new Date(at),
      ride_by: new Date(at + terms.rideDays * dayMs),
      ended_at: reason === null ? null : new Date(at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (reason !== 'cycle') {
    await sql`update invite_code set brought = brought + 1 where rider_id = ${inviterId}`.execute(tx)
    await sql`update invite_code set is_brought = true where rider_id = ${invitedId}`.execute(tx)
  }
  const [stored] = await lockInvites(tx, sql`i.id = ${id}`)
  if (stored === undefined) throw new Error('an invite that was just added is not there')
  return stored
}

async function heldOut(
  tx: Tx,
  invite: { agentId: number; inviterId: number; invitedId: number; activity: InviteActivity },
): Promise<'held_out' | null> {
  const { agentId, activity } = invite
  const of = { agentId, id: activity.id, percent: activity.holdoutPercent }
  for (const riderId of [invite.inviterId, invite.invitedId]) {
    if (await isWithheld(tx, { ...of, riderId })) return 'held_out'
  }
  return null
}
