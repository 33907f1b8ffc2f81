import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  segmentList,
  segmentRiderList,
  segmentStates,
  segmentTermsSchema,
  type SegmentTerms,
} from '@saddle/contract/marketing/segments.ts'
import { certificateKinds } from '@saddle/contract/rider/certificates.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'
import { segmentCondition } from './rules.ts'

/** Terms that are stored; what has no value yet gets its default. */
export const termsOf = (stored: unknown): SegmentTerms => segmentTermsSchema.parse(stored)

const segmentRow = rowsOf(
  rowOf('segment', 's', ['id', 'agent_id', 'state', 'version']),
  rowOf('segment_version', 'v', ['terms']),
).codes({ state: segmentStates })

/** The segment, when one of the scope's companies has it. Throws not_found. */
export async function readSegment(
  tx: Tx,
  { id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> },
): Promise<RowOf<typeof segmentRow>> {
  const { rows } = await segmentRow.select`
    from segment s join segment_version v on v.segment_id = s.id and v.version = s.version
    where s.id = ${id} and s.agent_id = any (${scope.agentIds}::bigint[])`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/**
 * For the rest of the transaction, sets are joined by hash. Both sides of what segments and effects join are large; where the
 * database takes one of them to be small, it would go through it once for each row of the other.
 */
export async function joinLargeSets(tx: Tx): Promise<void> {
  await sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)`.execute(tx)
}

/** How many riders of a company meet the conditions now. */
export async function countSegment(
  tx: Tx,
  asked: { readonly agentId: number; readonly terms: SegmentTerms; readonly at: number },
): Promise<number> {
  await joinLargeSets(tx)
  const { rows } = await countRow.select`from rider r where ${segmentCondition(asked)}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function countRiders(tx: Tx, agentId: number): Promise<number> {
  const { rows } = await countRow.select`from rider r where r.agent_id = ${agentId} and r.closed_at is null`.execute(tx)
  return rows[0]?.count ?? 0
}

const listedColumns = rowsOf(
  rowOf('segment', 's', [
    'id',
    'agent_id',
    'name',
    'state',
    'version',
    'size',
    'sized_at',
    'created_at',
    'changed_at',
    'changed_by',
  ]),
  rowOf('segment_version', 'v', ['terms']),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({
    campaigns: computed(
      'bigint',
      sql`(select count(*) from campaign c where c.segment_id = s.id and c.agent_id = s.agent_id)`,
    ),
  }),
).codes({ state: segmentStates })

export const segmentRows = tableList(segmentList, {
  table: 'segment',
  alias: 's',
  tenant: 'agent',
  columns: listedColumns,
  joins: sql`
    join segment_version v on v.segment_id = s.id and v.version = s.version
    join agent on agent.id = s.agent_id`,
  sorts: { created: ['created_at', 'instant'] },
  find: ({ states = segmentStates, name, id }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [id !== undefined && sql`s.id = ${id}`],
    where: [name !== undefined && sql`strpos(lower(s.name), lower(${name})) > 0`],
  }),
})

export const presentSegment = (row: RowOf<typeof listedColumns>) => ({
  ...listedColumns.present(row),
  terms: termsOf(row.terms),
})

const riderColumns = rowsOf(
  rowOf('rider', 'r', [
    'id',
    'agent_id',
    'phone_sealed',
    'phone_hash',
    'certificate_kind',
    'created_at as registered_at',
  ]),
  rowOfValues({
    certified: computed('boolean', sql`r.cert_hash is not null`),
    last_ride_at: computed('timestamptz?', sql`u.last_ride_at`),
    rides: computed('bigint', sql`coalesce(u.rides, 0)`),
    spent_cents: computed('bigint', sql`coalesce(u.cents, 0)`),
  }),
).codes({ certificate_kind: certificateKinds })

/** What is asked for: the conditions of the segment that the filter names. */
export type SegmentAsked = { readonly agentId: number; readonly terms: SegmentTerms; readonly at: number }

export const segmentRiderRows = tableList(segmentRiderList, {
  table: 'rider',
  alias: 'r',
  tenant: 'agent',
  columns: riderColumns,
  joins: sql`left join rider_use u on u.rider_id = r.id`,
  sorts: { registered: ['created_at', 'instant'] },
  find: (_filter, asked: SegmentAsked) => ({ narrowed: [segmentCondition(asked)] }),
})
export const presentSegmentRider = riderColumns.present

const versionColumns = rowOf('segment_version', 'v', ['version', 'terms', 'made_at', 'made_by'])
const versionsMax = 50

/** What a segment has asked for over time, the newest first. */
export function selectVersions({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return versionColumns.select`
    from segment_version v
    where v.segment_id = ${id} and v.agent_id = any (${scope.agentIds}::bigint[])
    order by v.version desc limit ${versionsMax}`
}

export const presentVersion = (row: RowOf<typeof versionColumns>) => ({
  ...versionColumns.present(row),
  terms: termsOf(row.terms),
})
