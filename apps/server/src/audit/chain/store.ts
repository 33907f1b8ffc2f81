import { sql, type Kysely } from 'kysely'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
import { unnest } from '#kit/db/unnest.ts'

/** The hash of a record as it was anchored. */
export interface Anchor {
  readonly agentId: number
  readonly sequence: number
  /** Hex. */
  readonly hash: string
}

export type CheckRow = {
  checked: number
  last_sequence: number | null
  last_hash: string | null
  broken_at: number | null
}

/**
 * Verifies a part of one chain: up to `limit` records after a verified position. The hash is computed by the
 * statement itself, because an attacker with database access could change the function that the trigger uses.
 */
export function selectCheck(
  kysely: Kysely<DB>,
  options: { agentId: number; afterSequence: number; afterHash: string; limit: number },
) {
  const { agentId, afterSequence, afterHash, limit } = options
  return sql<CheckRow>`
    with part as (
      select line.sequence, line.hash, line.prev_hash,
        ${afterSequence}::bigint + row_number() over (order by line.sequence) as expected,
        lag(line.hash, 1, decode(${afterHash}, 'hex')) over (order by line.sequence) as before_it,
        sha256(line.prev_hash || convert_to((jsonb_build_array(
          line.agent_id, line.sequence, trunc(extract(epoch from line.at) * 1000000), line.operator_id, line.action,
          line.subject_kind, line.subject_id, line.before, line.after, line.address, line.request_id
        ) || case when line.area_id is null then '[]' else jsonb_build_array(line.area_id) end)::text, 'UTF8')) as computed
      from (
        select * from audit_record where agent_id = ${agentId} and sequence > ${afterSequence} order by sequence limit ${limit}
      ) line
    )
    select count(*) as checked, max(sequence) as last_sequence,
      encode((array_agg(hash order by sequence desc))[1], 'hex') as last_hash,
      min(expected) filter (where sequence <> expected or prev_hash is distinct from before_it or hash is distinct from computed)
        as broken_at
    from part`.compile(kysely)
}

/** The first of these anchors that is missing in its chain. */
export function selectMissingAnchor(kysely: Kysely<DB>, anchors: readonly Anchor[]) {
  const given = unnest({
    rows: anchors,
    alias: 'anchor',
    columns: {
      agent_id: ['bigint', (row) => row.agentId],
      sequence: ['bigint', (row) => row.sequence],
      hash: ['text', (row) => row.hash],
    },
  })
  return sql<{ sequence: number }>`
    select anchor.sequence from ${given}
    left join audit_record line on line.agent_id = anchor.agent_id and line.sequence = anchor.sequence
    where encode(line.hash, 'hex') is distinct from anchor.hash
    order by anchor.sequence limit 1`.compile(kysely)
}

/** The same for the anchors of one chain in the database. */
export function selectMissingOwnAnchor(kysely: Kysely<DB>, agentId: number) {
  return sql<{ sequence: number }>`
    select anchor.sequence from audit_anchor anchor
    left join audit_record line on line.agent_id = anchor.agent_id and line.sequence = anchor.sequence
    where anchor.agent_id = ${agentId} and line.hash is distinct from anchor.hash
    order by anchor.sequence limit 1`.compile(kysely)
}

export type ChainRow = {
  agent_id: number
  company: string
  sequence: number | null
  hash: string | null
  at: Date | null
  anchored_at: Date | null
}

/** The end of each chain. */
export function selectChains(kysely: Kysely<DB>, scope: Pick<Scope, 'agentIds'> | 'all') {
  const within = scope === 'all' ? sql`true` : sql`agent.id = any (${scope.agentIds}::bigint[])`
  return sql<ChainRow>`
    select agent.id as agent_id, agent.company, line.sequence, encode(line.hash, 'hex') as hash, line.at,
      anchor.made_at as anchored_at
    from agent
    left join lateral (
      select sequence, hash, at from audit_record where agent_id = agent.id order by sequence desc limit 1
    ) line on true
    left join lateral (
      select made_at from audit_anchor where agent_id = agent.id order by sequence desc limit 1
    ) anchor on true
    where ${within} order by agent.id`.compile(kysely)
}

/** Anchors the end of every chain that has grown since its last anchor, and returns the new anchors. */
export function insertAnchors(kysely: Kysely<DB>, at: Date) {
  return sql<{ agent_id: number; sequence: number; hash: string }>`
    insert into audit_anchor (agent_id, sequence, hash, made_at)
    select agent.id, line.sequence, line.hash, ${at} from agent
    cross join lateral (
      select sequence, hash from audit_record where agent_id = agent.id order by sequence desc limit 1
    ) line
    on conflict do nothing
    returning agent_id, sequence, encode(hash, 'hex') as hash`.compile(kysely)
}

/** The last anchor of each chain whose record does not match it. */
export function selectMismatchedAnchors(kysely: Kysely<DB>) {
  return sql<{ agent_id: number; sequence: number }>`
    select agent.id as agent_id, anchor.sequence from agent
    cross join lateral (
      select sequence, hash from audit_anchor where agent_id = agent.id order by sequence desc limit 1
    ) anchor
    left join audit_record line on line.agent_id = agent.id and line.sequence = anchor.sequence
    where line.hash is distinct from anchor.hash`.compile(kysely)
}
