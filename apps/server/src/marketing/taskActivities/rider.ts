import type { RiderActivity, riderActivityEndpoints, TaskTerms } from '@saddle/contract/marketing/taskActivities.ts'
import { taskTermsSchema } from '@saddle/contract/marketing/taskActivities.ts'
import { businessDayStart } from '@saddle/contract/time.ts'
import { agentOfApp } from '#finance/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { Riders } from '#rider/public.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { roundAt } from './rules.ts'
import { isWithinTime, runningActivities, type Running } from './running.ts'

const progressRow = rowOf('task_progress', 'p', ['activity_id', 'begins_on', 'value'])

type Deps = {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly riders: Pick<Riders, 'idsByPhone'>
  readonly rewards: Rewards
}

/** Activities that count rides, as the riders' applications see them. */
export function createRiderActivityHandlers({ kit, riders, rewards }: Deps): Handlers<typeof riderActivityEndpoints> {
  return {
    riderActivities: async ({ phone, agentId: asked }, call) => {
      const agentId = agentOfApp(call, asked)
      const [riderId = 0] = await riders.idsByPhone(scopeOfAgent(agentId), phone)
      const now = kit.clock.now()
      const list = await kit.db.system(async (tx) => {
        const running = await runningActivities(tx, { agentIds: [agentId], kind: 'task', terms: taskTermsSchema })
        const own = running.filter((one) => isWithinTime(one.common, now) && !one.leavesOut(riderId))
        const { rows } = await progressRow.select`
          from task_progress p
          where p.rider_id = ${riderId} and p.agent_id = ${agentId}
            and p.activity_id = any (${own.map(({ id }) => id)}::bigint[])`.execute(tx)
        const shown: RiderActivity[] = []
        for (const activity of own) {
          const rounds = rows.filter((row) => row.activity_id === activity.id)
          const seen = await show(tx, rewards, { activity, rounds, now })
          if (seen !== null) shown.push(seen)
        }
        return shown
      })
      return { suc: true, data: { list } }
    },
  }
}

async function show(
  tx: Tx,
  rewards: Rewards,
  asked: {
    readonly activity: Running<TaskTerms>
    readonly rounds: readonly { readonly begins_on: string; readonly value: number }[]
    readonly now: number
  },
): Promise<RiderActivity | null> {
  const { activity, rounds, now } = asked
  const { id, agentId, common, terms } = activity
  const { beginsOn, endsOn } = roundAt({ startsAt: common.startsAt, days: terms.days }, now)
  const round = rounds.find((row) => row.begins_on === beginsOn)
  // The rider's only round is over.
  if (!terms.repeats && round === undefined && rounds.length > 0) return null
  const value = round?.value ?? 0
  const levels: RiderActivity['levels'] = []
  for (const { target, rewards: given } of terms.levels) {
    const priced = await rewards.price(tx, { agentId, rewards: given, at: new Date(now) })
    levels.push({
      target,
      isReached: target <= value,
      rewards: priced.map(({ reward, name, cents }) => ({
        kind: reward.kind,
        name,
        count: reward.kind === 'coupon' ? reward.count : 1,
        cents,
      })),
    })
  }
  const end = businessDayStart(endsOn)
  return {
    id,
    agentId,
    name: common.name,
    measure: terms.measure,
    value,
    roundEndsAt: common.endsAt === null ? end : Math.min(end, common.endsAt),
    endsAt: common.endsAt,
    areaIds: common.areaIds,
    levels,
  }
}
