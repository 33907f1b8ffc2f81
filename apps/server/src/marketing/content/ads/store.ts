import { sql, type RawBuilder } from 'kysely'
import {
  adContentSchema,
  adDaysMax,
  adList,
  adRate,
  adSlots,
  type AdContent,
  type AdDay,
  type AdDayFilter,
} from '@saddle/contract/marketing/ads.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'
import { shownState } from './rules.ts'
import { joinTarget, presentTargetOf, targetColumns } from './targets.ts'

/** Content that is stored; what has no value yet gets its default. */
export const contentOf = (stored: unknown): AdContent => adContentSchema.parse(stored)

export const storedStates = ['draft', 'on', 'paused', 'ended'] as const

/** The state that a list shows: the same as `shownState`. */
const stateAt = (now: Date): RawBuilder<unknown> => sql`
  case when ap.state in ('on', 'paused') and ap.ends_at <= ${now} then 'ended'
    when ap.state = 'on' and ap.starts_at > ${now} then 'scheduled' else ap.state end`

export const placementRow = rowOf('ad_placement', 'ap', [
  'id',
  'agent_id',
  'slot',
  'state',
  'version',
  'name',
  'starts_at',
  'ends_at',
  'created_at',
  'changed_at',
  'changed_by',
]).codes({ state: storedStates, slot: adSlots })

const versionOf = sql`
  join ad_version v on v.placement_id = ap.id and v.version = ap.version and v.agent_id = ap.agent_id`

const placementColumns = rowsOf(
  placementRow,
  rowOf('ad_version', 'v', ['content']),
  rowOf('agent', 'agent', ['company']),
  targetColumns,
  rowOfValues({
    impressions: computed('bigint', sql`c.impressions`),
    taps: computed('bigint', sql`c.taps`),
    rider_days: computed('bigint', sql`c.riders`),
  }),
)

export const placementRows = tableList(adList, {
  table: 'ad_placement',
  alias: 'ap',
  tenant: 'agent',
  columns: placementColumns,
  joins: sql`
    ${versionOf} join agent on agent.id = ap.agent_id ${joinTarget}
    cross join lateral (
      select coalesce(sum(n.impressions), 0) as impressions, coalesce(sum(n.taps), 0) as taps,
        coalesce(sum(n.riders), 0) as riders
      from ad_total n where n.placement_id = ap.id and n.agent_id = ap.agent_id
    ) c`,
  sorts: { created: ['created_at', 'instant'] },
  find: ({ states, slots, name, areaIds, id }, { now }: { readonly now: Date }) => ({
    narrowed: [id !== undefined && sql`ap.id = ${id}`],
    where: [
      states !== undefined && sql`(${stateAt(now)}) = any (${states}::text[])`,
      slots !== undefined && sql`ap.slot = any (${slots}::text[])`,
      areaIds !== undefined && sql`(ap.area_ids = '{}' or ap.area_ids && ${areaIds}::bigint[])`,
      name !== undefined && sql`strpos(lower(ap.name), lower(${name})) > 0`,
    ],
  }),
})

export const spanOfRow = ({
  state,
  starts_at,
  ends_at,
}: Pick<RowOf<typeof placementRow>, 'state' | 'starts_at' | 'ends_at'>) => ({
  state,
  startsAt: starts_at.getTime(),
  endsAt: ends_at?.getTime() ?? null,
})

export function presentPlacement(row: RowOf<typeof placementColumns>, nowMs: number) {
  const { startsAt: _startsAt, endsAt: _endsAt, ...shown } = placementColumns.present(row)
  const { impressions, taps } = row
  return {
    ...presentTargetOf(shown, nowMs),
    content: contentOf(row.content),
    state: shownState(spanOfRow(row), nowMs),
    rate: adRate(impressions, taps),
  }
}

const versionColumns = rowsOf(rowOf('ad_version', 'v', ['version', 'content', 'made_at', 'made_by']), targetColumns)
const versionsMax = 50

/** What a placement has shown, the newest first. */
export function selectVersions({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return versionColumns.select`
    from ad_version v ${joinTarget}
    where v.placement_id = ${id} and v.agent_id = any (${scope.agentIds}::bigint[])
    order by v.version desc limit ${versionsMax}`
}

export function presentVersion(row: RowOf<typeof versionColumns>, nowMs: number) {
  return { ...presentTargetOf(versionColumns.present(row), nowMs), content: contentOf(row.content) }
}

const dayColumns = rowsOf(
  rowOf('ad_placement', 'ap', ['id as placement_id', 'agent_id', 'name', 'slot']),
  rowOf('service_area', 's', ['id as area_id', 'name as area']),
  rowOfValues({
    day: computed('text', sql`d.day`),
    impressions: computed('bigint', sql`d.impressions`),
    taps: computed('bigint', sql`d.taps`),
    riders: computed('bigint', sql`d.riders`),
  }),
).codes({ slot: adSlots })

/** Impressions and taps by day and area, the latest days first. */
export function selectDays({ filter, scope }: { filter: AdDayFilter; scope: Pick<Scope, 'agentIds'> }) {
  const { placementId, slots, areaIds, fromDay, toDay } = filter
  const conditions = [
    sql`p.agent_id = any (${scope.agentIds}::bigint[])`,
    sql`n.agent_id = p.agent_id`,
    ...(placementId === undefined ? [] : [sql`n.placement_id = ${placementId}`]),
    ...(slots === undefined ? [] : [sql`p.slot = any (${slots}::text[])`]),
    ...(areaIds === undefined ? [] : [sql`n.area_id = any (${areaIds}::bigint[])`]),
    ...(fromDay === undefined ? [] : [sql`n.day >= ${fromDay}::date`]),
    ...(toDay === undefined ? [] : [sql`n.day <= ${toDay}::date`]),
  ]
  return dayColumns.select`
    from (
      select n.placement_id, n.area_id, n.day, sum(n.impressions) as impressions, sum(n.taps) as taps,
        sum(n.riders) as riders
      from ad_day n join ad_placement p on p.id = n.placement_id
      where ${sql.join(conditions, sql` and `)}
      group by n.placement_id, n.area_id, n.day order by n.day desc, n.placement_id, n.area_id limit ${adDaysMax}
    ) d
    join ad_placement ap on ap.id = d.placement_id
    join service_area s on s.id = d.area_id and s.agent_id = ap.agent_id`
}

export function presentDay(row: RowOf<typeof dayColumns>): AdDay {
  const shown = dayColumns.present(row)
  const { placementId, areaId, day, impressions, taps } = shown
  return { ...shown, id: `${placementId}-${areaId}-${day}`, rate: adRate(impressions, taps) }
}

const trendRow = rowOfValues({
  day: computed('text', sql`n.day`),
  impressions: computed('bigint', sql`sum(n.impressions)`),
  taps: computed('bigint', sql`sum(n.taps)`),
  riders: computed('bigint', sql`sum(n.riders)`),
})

/** Impressions and taps of a placement by day, since a day. */
export function selectTrend(asked: { id: number; sinceDay: string; scope: Pick<Scope, 'agentIds'> }) {
  const { id, sinceDay, scope } = asked
  return trendRow.select`
    from ad_day n
    where n.placement_id = ${id} and n.agent_id = any (${scope.agentIds}::bigint[]) and n.day >= ${sinceDay}::date
    group by n.day order by n.day`
}

const candidateRow = rowsOf(rowOf('ad_placement', 'ap', ['id']), rowOf('ad_version', 'v', ['content']))
const candidatesMax = 200

/** The placements of a slot that are switched on. */
export function selectCandidates({ agentId, slot }: { agentId: number; slot: string }) {
  return candidateRow.select`
    from ad_placement ap ${versionOf}
    where ap.agent_id = ${agentId} and ap.slot = ${slot} and ap.state = 'on' order by ap.id limit ${candidatesMax}`
}
export const presentCandidate = (row: RowOf<typeof candidateRow>) => ({ id: row.id, content: contentOf(row.content) })
