import { sql, type Kysely } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
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

const checkRow = rowOfValues({
  checked: computed('bigint', sql`count(*)`),
  last_sequence: computed('bigint?', sql`max(sequence)`),
  last_hash: computed('text?', sql`encode((array_agg(hash order by sequence desc))[1], 'hex')`),
  broken_at: computed(
    'bigint?',
    sql`min(expected) filter (where sequence <> expected or prev_hash is distinct from before_it or hash is distinct from computed)`,
  ),
})
export type CheckRow = RowOf<typeof checkRow>

/**
 * Verifies a part of one chain: up to `limit` records after a verified position. The hash is computed by the
 * statement itself, because an attacker with database access could change the function that the trigger uses.
 */
export function selectCheck(
  kysely: Kysely<DB>,
  options: { agentId: number; afterSequence: number; afterHash: string; limit: number },
) {
  const { agentId, afterSequence, afterHash, limit } = options
  return checkRow
    .query(
      (columns) => sql`
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
    select ${columns} from part`,
    )
    .compile(kysely)
}

const sequenceRow = rowOfValues({ sequence: computed('bigint', sql`anchor.sequence`) })

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
  return sequenceRow.select`
    from ${given}
    left join audit_record line on line.agent_id = anchor.agent_id and line.sequence = anchor.sequence
    where encode(line.hash, 'hex') is distinct from anchor.hash
    order by anchor.sequence limit 1`.compile(kysely)
}

const auditAnchorRow = rowOf('audit_anchor', 'anchor', ['sequence'])

/** The same for the anchors of one chain in the database. */
export function selectMissingOwnAnchor(kysely: Kysely<DB>, agentId: number) {
  return auditAnchorRow.select`
    from audit_anchor anchor
    left join audit_record line on line.agent_id = anchor.agent_id and line.sequence = anchor.sequence
    where anchor.agent_id = ${agentId} and line.hash is distinct from anchor.hash
    order by anchor.sequence limit 1`.compile(kysely)
}

const chainRow = rowsOf(
  rowOf('agent', 'agent', ['id as agent_id', 'company']),
  rowOfValues({
    sequence: computed('bigint?', sql`line.sequence`),
    hash: computed('text?', sql`encode(line.hash, 'hex')`),
    at: computed('timestamptz?', sql`line.at`),
    anchored_at: computed('timestamptz?', sql`anchor.made_at`),
  }),
)
export type ChainRow = RowOf<typeof chainRow>

/** The end of each chain. */
export function selectChains(kysely: Kysely<DB>, scope: Pick<Scope, 'agentIds'> | 'all') {
  const within = scope === 'all' ? sql`true` : sql`agent.id = any (${scope.agentIds}::bigint[])`
  return chainRow.select`
    from agent
    left join lateral (
      select sequence, hash, at from audit_record where agent_id = agent.id order by sequence desc limit 1
    ) line on true
    left join lateral (
      select made_at from audit_anchor where agent_id = agent.id order by sequence desc limit 1
    ) anchor on true
    where ${within} order by agent.id`.compile(kysely)
}

const auditAnchorRow2 = rowsOf(
  rowOf('audit_anchor', ['sequence']),
  rowOfValues({ agent_id: computed('bigint', sql`agent_id`), hash: computed('text', sql`encode(hash, 'hex')`) }),
)

/** Anchors the end of every chain that has grown since its last anchor, and returns the new anchors. */
export function insertAnchors(kysely: Kysely<DB>, at: Date) {
  return auditAnchorRow2.returning`
    insert into audit_anchor (agent_id, sequence, hash, made_at)
    select agent.id, line.sequence, line.hash, ${at} from agent
    cross join lateral (
      select sequence, hash from audit_record where agent_id = agent.id order by sequence desc limit 1
    ) line
    on conflict do nothing
    `.compile(kysely)
}

const agentRow = rowsOf(
  rowOf('agent', 'agent', ['id as agent_id']),
  rowOfValues({ sequence: computed('bigint', sql`anchor.sequence`) }),
)

/** The last anchor of each chain whose record does not match it. */
export function selectMismatchedAnchors(kysely: Kysely<DB>) {
  return agentRow.select`
    from agent
    cross join lateral (
      select sequence, hash from audit_anchor where agent_id = agent.id order by sequence desc limit 1
    ) anchor
    left join audit_record line on line.agent_id = agent.id and line.sequence = anchor.sequence
    where line.hash is distinct from anchor.hash`.compile(kysely)
}
