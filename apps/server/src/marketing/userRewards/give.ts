import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { Reward } from '@saddle/contract/marketing/rewards.ts'
import type { HandSkipReason } from '@saddle/contract/marketing/userRewards.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import { lockRiders } from '../coupons/issue.ts'
import type { UserRewardDeps } from './deps.ts'

type Asked = {
  readonly agentId: number
  readonly riderIds?: readonly number[] | undefined
  readonly phones?: readonly string[] | undefined
  readonly rewards: readonly Reward[]
  readonly note: string
}
type Skipped = { at: number; why: HandSkipReason }
type Given = { given: number; refused: number; skipped: Skipped[]; ids: number[] }

const handRow = rowOfValues({ id: computed('bigint', sql`nextval('reward_hand')`) })

/**
 * Gives each rider of a list the same rewards. What they are worth counts as an act on riders' money of the person; above
 * what one person may do in a day, a second one confirms it.
 */
export async function giveByHand(deps: UserRewardDeps, call: SessionCall, asked: Asked): Promise<Given> {
  const { kit, audit, rewards, riders, finance } = deps
  const { agentId, riderIds, phones = [], note } = asked
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
  const at = new Date(kit.clock.now())
  const own = { ...call.scope, agentIds: [agentId] }
  const wanted = riderIds ?? (await riders.idsByPhones(own, phones)).map(([id]) => id)
  const by = { id: call.caller.operatorId, name: call.caller.name }
  const granted = await finance.secondPerson.hold(call, asked, (count) =>
    kit.db.system(async (tx) => {
      const chosen = await chooseRiders(tx, agentId, wanted)
      const [first] = chosen.riderIds
      if (first === undefined) return { ids: [], skipped: chosen.skipped }
      const priced = await rewards.price(tx, { agentId, rewards: asked.rewards, at })
      const cents = priced.reduce((sum, item) => sum + item.cents, 0) * chosen.riderIds.length
      const money = { act: 'reward', agentId, areaId: null, riderId: first, cents, reason: note } as const
      if (cents > 0) await count(tx, money)
      const cause = { kind: 'hand', id: await nextHand(tx) } as const
      const ids: number[] = []
      for (const riderId of chosen.riderIds) {
        const grant = { agentId, riderId, activityId: null, version: null, rewards: asked.rewards, cause, at, by, note }
        ids.push(...(await rewards.grant(tx, { ...grant, isLater: true })).ids)
      }
      const after = { riders: chosen.riderIds.length, rewards: asked.rewards, cents, note }
      const subject = { agentId, subjectKind: 'reward', subjectId: cause.id }
      await audit.act(tx, call, { ...subject, action: 'reward.give', after })
      return { ids, skipped: chosen.skipped }
    }),
  )
  // Each in a transaction of its own: what one of them waits for holds up no other.
  const given = await rewards.giveNow(granted.ids)
  return { given: given.length, refused: granted.ids.length - given.length, ...granted }
}

async function nextHand(tx: Tx): Promise<number> {
  const { rows } = await handRow.select``.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a sequence gave no number')
  return row.id
}

async function chooseRiders(
  tx: Tx,
  agentId: number,
  wanted: readonly (number | undefined)[],
): Promise<{ riderIds: number[]; skipped: Skipped[] }> {
  const known = await lockRiders(tx, agentId, [...new Set(wanted.filter((id) => id !== undefined))])
  const chosen = new Set<number>()
  const skipped: Skipped[] = []
  for (const [at, id] of wanted.entries()) {
    if (id === undefined || !known.has(id)) skipped.push({ at, why: 'unknown' })
    else if (chosen.has(id)) skipped.push({ at, why: 'twice' })
    else chosen.add(id)
  }
  return { riderIds: [...chosen].toSorted((a, b) => a - b), skipped }
}
