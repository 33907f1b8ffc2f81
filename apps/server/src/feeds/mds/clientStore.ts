import type { Boundary } from '@saddle/contract/feeds/mds.ts'
import { jurisdictionLimits } from '@saddle/contract/feeds/mds.ts'
import { sql } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'

const clientRow = rowsOf(
  rowOf('mds_client', 'c', ['id', 'agent_id', 'secret_hash', 'expires_at']),
  rowOf('mds_jurisdiction', 'j', ['boundary']),
  rowOf('mds_provider', 'p', ['provider_id']),
  rowOfValues({
    area_ids: computed('bigint[]', sql`array(select sa.id from service_area sa where sa.agent_id = c.agent_id)`),
  }),
).json<{ boundary: Boundary }>()

/** Credentials in use, of a company that is enabled and a jurisdiction that has not ended. */
export const selectMdsClient = (clientId: string) => clientRow.select`
  from mds_client c
  join mds_jurisdiction j on j.id = c.jurisdiction_id and j.ended_at is null
  join mds_provider p on p.agent_id = c.agent_id
  join agent a on a.id = c.agent_id and a.state = 'enabled'
  where c.client_id = ${clientId} and c.revoked_at is null`

export interface MdsUse {
  readonly clientId: number
  readonly day: string
  readonly calls: number
  readonly refused: number
  readonly lastAt: number
}

export const addMdsUses = (uses: readonly MdsUse[]) => sql`
  with used as (
    select u.client_id, c.agent_id, u.day::date as day, u.calls, u.refused, u.last_at
    from ${unnest<MdsUse>({
      rows: uses,
      alias: 'u',
      columns: {
        client_id: ['bigint', ({ clientId }) => clientId],
        day: ['text', ({ day }) => day],
        calls: ['bigint', ({ calls }) => calls],
        refused: ['bigint', ({ refused }) => refused],
        last_at: ['timestamptz', ({ lastAt }) => lastAt],
      },
    })}
    join mds_client c on c.id = u.client_id
  ), seen as (
    update mds_client c set last_used_at = greatest(c.last_used_at, used.last_at) from used where c.id = used.client_id
  )
  insert into mds_client_day (client_id, agent_id, day, calls, refused)
  select client_id, agent_id, day, calls, refused from used
  on conflict (client_id, day) do update set
    calls = mds_client_day.calls + excluded.calls, refused = mds_client_day.refused + excluded.refused`

const providerRow = rowOf('mds_provider', 'p', ['provider_id', 'version'])

export const selectProvider = (agentId: number) => providerRow.select`from mds_provider p where p.agent_id = ${agentId}`

const jurisdictionRow = rowOf('mds_jurisdiction', 'j', [
  'id',
  'agent_id',
  'name',
  'boundary',
  'created_at',
  'created_by',
  'version',
]).json<{ boundary: Boundary }>()
export type JurisdictionRow = RowOf<typeof jurisdictionRow>

export const selectJurisdictions = (agentId: number) => jurisdictionRow.select`
  from mds_jurisdiction j where j.agent_id = ${agentId} and j.ended_at is null
  order by j.created_at desc, j.id desc limit ${jurisdictionLimits.perCompany}`

/** One that has not ended, of the scope, held until the transaction ends. */
export const lockJurisdiction = ({ agentIds }: Scope, id: number) => jurisdictionRow.select`
  from mds_jurisdiction j where j.id = ${id} and j.ended_at is null and j.agent_id = any (${agentIds}::bigint[]) for update`

const usageRow = rowsOf(
  rowOf('mds_client', 'c', [
    'id',
    'jurisdiction_id',
    'name',
    'client_id',
    'expires_at',
    'created_at',
    'created_by',
    'revoked_at',
    'last_used_at',
  ]),
  rowOfValues({
    calls: computed('bigint', sql`coalesce(d.calls, 0)`),
    refused: computed('bigint', sql`coalesce(d.refused, 0)`),
  }),
)
export type ClientRow = RowOf<typeof usageRow>

export const selectClients = ({ agentId, since }: { readonly agentId: number; readonly since: string }) =>
  usageRow.select`
  from mds_client c
  left join lateral (
    select sum(calls) as calls, sum(refused) as refused from mds_client_day
    where client_id = c.id and agent_id = ${agentId} and day >= ${since}::date
  ) d on true
  where c.agent_id = ${agentId}
  order by c.revoked_at is not null, c.created_at desc, c.id desc limit ${jurisdictionLimits.clientsPerCompany}`

const heldRow = rowOf('mds_client', 'c', ['id', 'agent_id', 'name', 'client_id'])

/** Credentials of the scope that are in use, held until the transaction ends. */
export const lockClient = ({ agentIds }: Scope, id: number) => heldRow.select`
  from mds_client c where c.id = ${id} and c.revoked_at is null and c.agent_id = any (${agentIds}::bigint[]) for update`

const areaRow = rowOf('service_area', 'sa', ['id', 'ring']).json<{ ring: [number, number][] }>()

export const selectRings = (scope: Scope, { agentId, areaIds }: { agentId: number; areaIds: readonly number[] }) =>
  areaRow.select`
  from service_area sa
  where sa.agent_id = ${agentId} and sa.agent_id = any (${scope.agentIds}::bigint[]) and sa.id = any (${areaIds}::bigint[])
  order by sa.id limit ${jurisdictionLimits.polygons}`
