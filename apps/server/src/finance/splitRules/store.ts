import { sql } from 'kysely'
import {
  statementPeriods,
  usualStatementPeriod,
  type SplitTermsRow,
  type SplitTermsState,
} from '@saddle/contract/finance/splitRules.ts'
import { splitTermsSchema, wholeBasisPoints, type SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import { addDays } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

const versionsMax = 20_000
const placesMax = 5_000

const versionRow = rowsOf(
  rowOf('split_terms', 't', [
    'id',
    'agent_id',
    'area_id',
    'version',
    'first_day',
    'terms',
    'reason',
    'made_at',
    'made_by',
  ]),
  rowOf('agent', 'a', ['company']),
  rowOf('service_area', 'r', ['name as area_name']).optional(),
)
export type VersionRow = RowOf<typeof versionRow>

/** Every version of the scope's companies and areas, the newest of each place first. */
export function selectVersions(scope: Scope) {
  return versionRow.select`
    from split_terms t
    join agent a on a.id = t.agent_id
    left join service_area r on r.id = t.area_id
    where t.agent_id = any (${scope.agentIds}::bigint[])
      and ((t.area_id is null and ${scope.areaIds.length > 0}) or t.area_id = any (${scope.areaIds}::bigint[]))
    order by t.agent_id, t.area_id nulls first, t.version desc limit ${versionsMax}`
}

const ownerBasisPointsOf = ({ parties }: SplitTerms): number =>
  parties.reduce((rest, { share }) => rest - (share.of === 'rest' ? share.basisPoints : 0), wholeBasisPoints)

/**
 * The versions with the days that they hold for: from its first day on a version replaces all of its place that were made
 * before it. `rows` has the newest of each place first.
 */
export function versionsOf(rows: readonly VersionRow[], today: string): SplitTermsRow[] {
  const nextDays = new Map<string, string>()
  return rows.map((row) => {
    const place = `${row.agent_id} ${row.area_id ?? ''}`
    const nextDay = nextDays.get(place)
    if (nextDay === undefined || row.first_day < nextDay) nextDays.set(place, row.first_day)
    const terms = splitTermsSchema.parse(row.terms)
    const { feeBearer, feeBasisPoints } = terms
    return {
      id: row.id,
      agentId: row.agent_id,
      company: row.company,
      areaId: row.area_id,
      areaName: row.area_name,
      version: row.version,
      state: stateOf(row.first_day, nextDay, today),
      firstDay: row.first_day,
      lastDay: nextDay === undefined || nextDay <= row.first_day ? null : addDays(nextDay, -1),
      feeBearer,
      feeBasisPoints,
      terms,
      ownerBasisPoints: ownerBasisPointsOf(terms),
      reason: row.reason,
      madeAt: row.made_at.getTime(),
      madeBy: row.made_by,
    }
  })
}

function stateOf(firstDay: string, nextDay: string | undefined, today: string): SplitTermsState {
  if (nextDay !== undefined && nextDay <= firstDay) return 'replaced'
  if (firstDay > today) return 'coming'
  return nextDay !== undefined && nextDay <= today ? 'past' : 'current'
}

const placeRow = rowsOf(
  rowOf('agent', 'a', ['id as agent_id', 'company', 'parent_id']),
  rowOf('service_area', 'r', ['id as area_id', 'name as area_name']).optional(),
  rowOfValues({
    reserve_cents: computed(
      'bigint',
      sql`coalesce((select v.cents from split_reserve v where v.agent_id = a.id order by v.id desc limit 1), 0)`,
    ),
    statement_period: computed(
      'text',
      sql`coalesce((select p.period from split_statement_period p where p.agent_id = a.id order by p.id desc limit 1),
        ${sql.lit(usualStatementPeriod)})`,
    ),
  }),
).codes({ statement_period: statementPeriods })

/** The companies and areas of the scope: each company before its areas. */
export function selectPlaces(scope: Scope) {
  return placeRow.select`
    from agent a
    join (
      select p.id as agent_id, null::bigint as area_id from agent p where p.id = any (${scope.agentIds}::bigint[]) and ${scope.areaIds.length > 0}
      union all
      select s.agent_id, s.id from service_area s
      where s.id = any (${scope.areaIds}::bigint[]) and s.agent_id = any (${scope.agentIds}::bigint[])
    ) p on p.agent_id = a.id
    left join service_area r on r.id = p.area_id
    order by a.id, r.name nulls first, r.id nulls first limit ${placesMax}`
}

const partyRow = rowOf('split_party', 'p', ['id', 'name'])

/** The ids of parties by their names; those of new names are made. */
export async function ensureParties(tx: Tx, agentId: number, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  await sql`
    insert into split_party (agent_id, name) select ${agentId}, name from unnest(${names}::text[]) n (name)
    on conflict do nothing`.execute(tx)
  const { rows } = await partyRow.select`
    from split_party p where p.agent_id = ${agentId} and p.name = any (${names}::text[])`.execute(tx)
  return new Map(rows.map(({ id, name }) => [name, id]))
}

type NewTerms = {
  readonly agentId: number
  readonly areaId: number | null
  readonly firstDay: string
  readonly terms: SplitTerms
  readonly reason: string
  readonly madeAt: number
  readonly madeById: number | null
  readonly madeBy: string
}

const LOCK_NUMBER = 7_202_612
const insertedRow = rowOf('split_terms', ['id', 'version'])

/** Adds the next version of a place. */
export async function insertTerms(tx: Tx, terms: NewTerms): Promise<RowOf<typeof insertedRow>> {
  const { agentId, areaId, firstDay, reason, madeAt, madeById, madeBy } = terms
  // Two changes of a company at once get numbers one after the other.
  await sql`select pg_advisory_xact_lock(${LOCK_NUMBER}::integer, ${agentId}::integer)`.execute(tx)
  const { rows } = await insertedRow.returning`
    insert into split_terms (agent_id, area_id, version, first_day, terms, reason, made_at, made_by_id, made_by)
    select ${agentId}::bigint, ${areaId}::bigint, coalesce(max(t.version), 0) + 1, ${firstDay}::date,
      ${JSON.stringify(terms.terms)}::jsonb, ${reason}, ${new Date(madeAt)}::timestamptz, ${madeById}::bigint, ${madeBy}
    from split_terms t where t.agent_id = ${agentId} and t.area_id is not distinct from ${areaId}::bigint`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('an insert returns its row')
  return row
}

const areaRow = rowOf('service_area', 'r', ['id'])

/** Whether an area of the scope is the company's. */
export async function hasArea(tx: Tx, scope: Scope, { agentId, areaId }: { agentId: number; areaId: number }) {
  const { rows } = await areaRow.select`
    from service_area r
    where r.id = ${areaId} and r.agent_id = ${agentId} and r.id = any (${scope.areaIds}::bigint[])`.execute(tx)
  return rows.length > 0
}

const parentRow = rowOf('agent', 'a', ['parent_id'])

/** The company above a company of the scope; undefined where the scope has no such company. */
export function selectParent(scope: Scope, agentId: number) {
  return parentRow.select`
    from agent a where a.id = ${agentId} and a.id = any (${scope.agentIds}::bigint[])`
}
