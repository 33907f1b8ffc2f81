import { sql } from 'kysely'
import type { AdEvent, AdEventRefusal } from '@saddle/contract/marketing/riderContent.ts'
import { businessDayOf, dayMs, utcDayOf } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { unnest } from '#kit/db/unnest.ts'
import { shardOf } from '../checks.ts'
import { countEvents, dayKey, refusalOf, type Counted, type Seen } from './rules.ts'

const placementIdRow = rowOf('ad_placement', 'ap', ['id'])
const eventIdRow = rowOf('ad_event', 'e', ['event_id'])
const seenRow = rowsOf(
  rowOf('ad_rider_day', 's', ['placement_id', 'impressions', 'taps']),
  rowOfValues({ day: computed('text', sql`s.day`) }),
)

export interface Report {
  readonly agentId: number
  readonly areaId: number
  readonly riderId: number
  readonly events: readonly AdEvent[]
  readonly nowMs: number
}

export interface Reported {
  readonly counted: number
  readonly repeated: number
  readonly refused: { id: string; why: AdEventRefusal }[]
}

/**
 * Counts what the app of one rider reports. The rider's row is locked: two reports of one rider at once are counted one
 * after the other. Rows of figures are locked in the order of their keys, and reports of other riders mostly use others.
 */
export async function countReport(tx: Tx, report: Report): Promise<Reported> {
  const { agentId, riderId, events, nowMs } = report
  await sql`select from rider where id = ${riderId} and agent_id = ${agentId} for no key update`.execute(tx)
  const named = [...new Set(events.map(({ placementId }) => placementId))]
  const { rows: placements } = await placementIdRow.select`
    from ad_placement ap
    where ap.id = any (${named}::bigint[]) and ap.agent_id = ${agentId} and ap.state <> 'draft'`.execute(tx)
  const known = new Set(placements.map(({ id }) => id))
  const refused: Reported['refused'] = []
  const taken = new Map<string, AdEvent>()
  for (const event of events) {
    const why = refusalOf(event, { known, nowMs })
    if (why !== null) refused.push({ id: event.id, why })
    else if (!taken.has(event.id)) taken.set(event.id, event)
  }
  const fresh = await keepIds(tx, report, [...taken.values()])
  const before = await readSeen(tx, report, fresh)
  const { counts, refused: others } = countEvents(fresh, before)
  await addCounts(tx, report, { counts, before })
  refused.push(...others)
  const counted = fresh.length - others.length
  return { counted, repeated: events.length - counted - refused.length, refused }
}

/** The events that were not reported before. */
async function keepIds(tx: Tx, { agentId, riderId }: Report, events: readonly AdEvent[]): Promise<AdEvent[]> {
  if (events.length === 0) return []
  const rows = unnest<AdEvent>({
    rows: events,
    alias: 'n',
    columns: { id: ['text', ({ id }) => id], at: ['timestamptz', ({ at }) => at] },
  })
  const { rows: added } = await eventIdRow
    .query(
      (list) => sql`
      with e as (
        insert into ad_event (rider_id, event_id, agent_id, at)
        select ${riderId}::bigint, n.id, ${agentId}::bigint, n.at from ${rows}
        on conflict (rider_id, event_id) do nothing returning event_id
      ) select ${list} from e`,
    )
    .execute(tx)
  const ids = new Set(added.map(({ event_id: id }) => id))
  return events.filter(({ id }) => ids.has(id))
}

/** What the rider saw on the days of the events. */
async function readSeen(
  tx: Tx,
  { agentId, riderId }: Report,
  events: readonly AdEvent[],
): Promise<ReadonlyMap<string, Seen>> {
  const days = [...new Set(events.map(({ at }) => businessDayOf(at)))]
  const { rows } = await seenRow.select`
    from ad_rider_day s
    where s.rider_id = ${riderId} and s.agent_id = ${agentId} and s.day = any (${days}::date[])`.execute(tx)
  return new Map(rows.map((row) => [dayKey(row.placement_id, row.day), row]))
}

async function addCounts(
  tx: Tx,
  { agentId, areaId, riderId }: Report,
  { counts, before }: { readonly counts: readonly Counted[]; readonly before: ReadonlyMap<string, Seen> },
): Promise<void> {
  if (counts.length === 0) return
  const shard = shardOf(riderId)
  const isNew = ({ placementId, day }: Counted): boolean =>
    (before.get(dayKey(placementId, day))?.impressions ?? 0) === 0
  const sorted = counts.toSorted((a, b) => a.placementId - b.placementId || (a.day < b.day ? -1 : 1))
  const rows = unnest<Counted>({
    rows: sorted,
    alias: 'n',
    columns: {
      placement_id: ['bigint', (row) => row.placementId],
      day: ['date', (row) => row.day],
      impressions: ['integer', (row) => row.impressions],
      taps: ['integer', (row) => row.taps],
      riders: ['integer', (row) => (isNew(row) ? 1 : 0)],
    },
  })
  await sql`
    insert into ad_rider_day (rider_id, day, placement_id, agent_id, impressions, taps)
    select ${riderId}::bigint, n.day, n.placement_id, ${agentId}::bigint, n.impressions, n.taps from ${rows}
    on conflict (rider_id, day, placement_id) do update
      set impressions = ad_rider_day.impressions + excluded.impressions, taps = ad_rider_day.taps + excluded.taps
  `.execute(tx)
  await sql`
    insert into ad_day (placement_id, area_id, day, shard, agent_id, impressions, taps, riders)
    select n.placement_id, ${areaId}::bigint, n.day, ${shard}::smallint, ${agentId}::bigint, n.impressions, n.taps, n.riders
    from ${rows} order by n.placement_id, n.day
    on conflict (placement_id, day, area_id, shard) do update
      set impressions = ad_day.impressions + excluded.impressions, taps = ad_day.taps + excluded.taps,
        riders = ad_day.riders + excluded.riders`.execute(tx)
  await sql`
    insert into ad_total (placement_id, shard, agent_id, impressions, taps, riders)
    select n.placement_id, ${shard}::smallint, ${agentId}::bigint, sum(n.impressions), sum(n.taps), sum(n.riders)
    from ${rows} group by n.placement_id order by n.placement_id
    on conflict (placement_id, shard) do update
      set impressions = ad_total.impressions + excluded.impressions, taps = ad_total.taps + excluded.taps,
        riders = ad_total.riders + excluded.riders`.execute(tx)
}

/** Ids are kept a day longer than events are taken, so that no clock lets one in twice. */
const keptMs = 3 * dayMs
const purgedPerStep = 5_000
const stepsMax = 100

/** Removes what can no longer be reported: ids of events, and what riders saw on earlier days. Resolves to the number of ids. */
export async function purgeEvents({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now() - keptMs)
  let purged = 0
  for (let step = 0; step < stepsMax; step += 1) {
    const count = await db.system(async (tx) => {
      const { numAffectedRows } = await sql`
        delete from ad_event where (rider_id, event_id) in (
          select rider_id, event_id from ad_event where at < ${before} order by at limit ${purgedPerStep}
          for update skip locked)`.execute(tx)
      return Number(numAffectedRows ?? 0)
    })
    purged += count
    if (count < purgedPerStep) break
  }
  // A day ends later by business time than by UTC: one more is kept.
  const day = utcDayOf(clock.now() - keptMs - dayMs)
  await db.system((tx) => sql`delete from ad_rider_day where day < ${day}::date`.execute(tx))
  return purged
}

/** Impressions of a rider today, by placement. */
export function selectSeen(of: { agentId: number; riderId: number; day: string }) {
  return seenRow.select`
    from ad_rider_day s
    where s.rider_id = ${of.riderId} and s.agent_id = ${of.agentId} and s.day = ${of.day}::date`
}
