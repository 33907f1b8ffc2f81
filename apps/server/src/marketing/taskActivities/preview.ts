import type { ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import type { TaskPreview, TaskTerms } from '@saddle/contract/marketing/taskActivities.ts'
import { businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { createTally } from '../activities/tally.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { amountOf, counts, levelAt, roundAt, valueOf, type Counted, type CountableRide } from './rules.ts'

/** Rides that are looked at; of more the newest. */
const ridesMax = 50_000

const rideRow = rowOf('ride_order', 'o', [
  'rider_id',
  'area_id',
  'started_at',
  'ended_at',
  'distance_m',
  'charged_cents',
]).filled('started_at', 'ended_at', 'charged_cents')
const areaRow = rowOf('service_area', 's', ['id', 'name'])

type Asked = {
  readonly scope: Scope
  readonly agentId: number
  readonly common: ActivityCommon
  readonly terms: TaskTerms
  readonly weeks: number
}
type Ridden = CountableRide & { readonly riderId: number }

/**
 * What a custom activity would have given over the last weeks, within its limits, and how often each level would have been
 * reached. The weeks stand for those to come: its rounds begin with them.
 */
export async function previewTask(
  { kit, rewards }: { readonly kit: Pick<Kit, 'db' | 'clock'>; readonly rewards: Rewards },
  { scope, agentId, common, terms, weeks }: Asked,
): Promise<TaskPreview> {
  const now = kit.clock.now()
  const startsAt = businessDayStart(businessDayOf(now - weeks * 7 * dayMs))
  const { rides, areas, worth } = await kit.db.withScope(scope, async (tx) => {
    const worthOf: number[] = []
    for (const level of terms.levels) {
      const priced = await rewards.price(tx, { agentId, rewards: level.rewards, at: new Date(now) })
      worthOf.push(priced.reduce((sum, item) => sum + item.cents, 0))
    }
    const { rows } = await rideRow.select`
      from ride_order o
      where o.agent_id = ${agentId} and o.state in ('paid', 'part_refunded') and o.placed_at >= ${new Date(startsAt)}
        and o.started_at is not null
        and (cardinality(${common.areaIds}::bigint[]) = 0 or o.area_id = any (${common.areaIds}::bigint[]))
      order by o.placed_at desc, o.id desc limit ${ridesMax + 1}`.execute(tx)
    const names = await areaRow.select`from service_area s where s.agent_id = ${agentId}`.execute(tx)
    return { rides: rows, areas: new Map(names.rows.map(({ id, name }) => [id, name])), worth: worthOf }
  })
  const ridden = rides.slice(0, ridesMax).map((row): Ridden => ({
    riderId: row.rider_id,
    areaId: row.area_id,
    startedAt: row.started_at.getTime(),
    endedAt: row.ended_at.getTime(),
    metres: row.distance_m ?? 0,
    cents: row.charged_cents,
  }))
  const tally = createTally(common)
  const levels = tryLevels({ ridden, common: { ...common, startsAt, endsAt: null }, terms, worth, tally })
  const isCut = rides.length > ridesMax
  return { weeks, considered: ridden.length, isCut, levels, ...tally.result(areas) }
}

/** Counts rides in the order of time, level by level. */
function tryLevels(tried: {
  readonly ridden: readonly Ridden[]
  readonly common: ActivityCommon
  readonly terms: TaskTerms
  readonly worth: readonly number[]
  readonly tally: ReturnType<typeof createTally>
}): TaskPreview['levels'] {
  const { ridden, common, terms, worth, tally } = tried
  const found = terms.levels.map(({ target }) => ({ target, reached: 0, costCents: 0 }))
  const rounds = new Map<string, Counted[]>()
  const firstRound = new Map<number, string>()
  for (const ride of ridden.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (!counts({ common, terms }, ride)) continue
    const { beginsOn } = roundAt({ startsAt: common.startsAt, days: terms.days }, ride.endedAt)
    if (!firstRound.has(ride.riderId)) firstRound.set(ride.riderId, beginsOn)
    if (!terms.repeats && firstRound.get(ride.riderId) !== beginsOn) continue
    const key = `${ride.riderId} ${beginsOn}`
    const before = rounds.get(key) ?? []
    const after = [...before, { day: businessDayOf(ride.endedAt), amount: amountOf(terms.measure, ride) }]
    rounds.set(key, after)
    const to = levelAt(terms.levels, valueOf(terms.measure, after))
    for (let level = levelAt(terms.levels, valueOf(terms.measure, before)); level < to; level += 1) {
      const use = { riderId: ride.riderId, areaId: ride.areaId, at: ride.endedAt, cents: worth[level] ?? 0 }
      const own = found[level]
      if (own === undefined || !tally.canTake(use) || !tally.take(use)) continue
      own.reached += 1
      own.costCents += use.cents
    }
  }
  return found
}
