import { partnerScopes, partnerKeyLimits } from '@saddle/contract/partners/keys.ts'
import { sql } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'

const keyRow = rowsOf(
  rowOf('partner_key', 'k', [
    'id',
    'name',
    'hint',
    'scopes',
    'per_minute',
    'expires_at',
    'created_at',
    'created_by',
    'previous_until',
    'revoked_at',
    'last_used_at',
    'version',
  ]),
  rowOfValues({
    calls: computed('bigint', sql`coalesce(d.calls, 0)`),
    refused: computed('bigint', sql`coalesce(d.refused, 0)`),
  }),
)

/** The keys of a company with their calls since a day, the newest first. */
export const selectKeys = ({ agentId, since }: { readonly agentId: number; readonly since: string }) =>
  keyRow.select`
    from partner_key k
    left join lateral (
      select sum(calls) as calls, sum(refused) as refused from partner_key_day
      where key_id = k.id and day >= ${since}::date
    ) d on true
    where k.agent_id = ${agentId}
    order by k.revoked_at is not null, k.created_at desc, k.id desc limit ${partnerKeyLimits.perCompany}`

const changedRow = rowOf('partner_key', 'k', ['id', 'agent_id', 'name', 'key_hash', 'revoked_at', 'version'])

export const lockKey = (scope: Pick<Scope, 'agentIds'>, id: number) => changedRow.select`
  from partner_key k where k.id = ${id} and k.agent_id = any (${scope.agentIds}::bigint[]) for update`

const usedRow = rowsOf(
  rowOf('partner_key', 'k', ['id', 'agent_id', 'scopes', 'per_minute', 'expires_at', 'previous_until']),
  rowOfValues({
    is_previous: computed('boolean', sql`k.previous_hash is not distinct from f.hash`),
    area_ids: computed('bigint[]', sql`array(select id from service_area where agent_id = k.agent_id)`),
  }),
)

/** The key with this hash, of a company that is enabled; with the areas that it reaches. */
export const selectKeyOf = (hash: string) => usedRow.select`
  from (select ${hash}::text as hash) f
  join partner_key k on k.key_hash = f.hash or k.previous_hash = f.hash
  join agent a on a.id = k.agent_id and a.state = 'enabled'
  where k.revoked_at is null`

export interface KeyUse {
  readonly keyId: number
  readonly day: string
  readonly calls: number
  readonly refused: number
  readonly lastAt: number
}

/** Adds calls to those of the day. */
export const addUses = (uses: readonly KeyUse[]) => sql`
  with u as (
    select * from ${unnest<KeyUse>({
      rows: uses,
      alias: 'r',
      columns: {
        key_id: ['bigint', ({ keyId }) => keyId],
        day: ['text', ({ day }) => day],
        calls: ['bigint', ({ calls }) => calls],
        refused: ['bigint', ({ refused }) => refused],
        last_at: ['timestamptz', ({ lastAt }) => lastAt],
      },
    })}
  ), used as (
    update partner_key k set last_used_at = greatest(k.last_used_at, l.last_at)
    from (select key_id, max(last_at) as last_at from u group by key_id) l where k.id = l.key_id
  )
  insert into partner_key_day (key_id, agent_id, day, calls, refused)
  select u.key_id, k.agent_id, u.day::date, u.calls, u.refused from u join partner_key k on k.id = u.key_id
  on conflict (key_id, day) do update set
    calls = partner_key_day.calls + excluded.calls, refused = partner_key_day.refused + excluded.refused`

export const knownScopes = (stored: readonly string[]) => partnerScopes.filter((scope) => stored.includes(scope))
