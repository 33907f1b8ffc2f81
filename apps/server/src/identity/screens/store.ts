import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'

const pairingRow = rowsOf(
  rowOf('screen_pairing', 'p', ['id', 'expires_at as expiresAt', 'collected_at as collectedAt']),
  rowOf('wall_screen', 's', [
    'id as screenId',
    'agent_id as agentId',
    'operator_id as operatorId',
    'name',
    'pages',
    'removed_at as removedAt',
  ]).optional(),
)
export type PairingRow = RowOf<typeof pairingRow>

/** The pairing of a wall's cookie, locked until the commit; null: none. */
export async function findPairing(tx: Tx, collectHash: string): Promise<PairingRow | null> {
  const { rows } = await pairingRow.select`
    from screen_pairing p left join wall_screen s on s.id = p.screen_id
    where p.collect_hash = ${collectHash}
    for update of p`.execute(tx)
  return rows[0] ?? null
}

const openRow = rowOfValues({
  all: computed('bigint', sql`count(*)`),
  here: computed('bigint', sql`count(*) filter (where p.address_hash = a.hash)`),
})

/** Codes that could be entered now: all of them, and those of an address. */
export async function countOpenPairings(
  tx: Tx,
  { addressHash, at }: { readonly addressHash: string; readonly at: Date },
): Promise<{ readonly all: number; readonly here: number }> {
  const { rows } = await openRow.select`
    from screen_pairing p cross join (select ${addressHash}::text as hash) a
    where p.expires_at > ${at} and p.screen_id is null`.execute(tx)
  return rows[0] ?? { all: 0, here: 0 }
}

export async function countScreens(tx: Tx, agentId: number): Promise<number> {
  const { rows } = await countRow.select`
    from wall_screen where agent_id = ${agentId} and removed_at is null`.execute(tx)
  return rows[0]?.count ?? 0
}

const screenRow = rowsOf(
  rowOf('wall_screen', 's', ['id', 'name', 'pages', 'operator_name as operatorName', 'paired_at as pairedAt']),
  rowOf('agent', 'a', ['company']),
  rowOfValues({ areaCount: computed('integer?', sql`cardinality(s.area_ids)`) }),
)

export const selectScreens = (scope: Scope, limit: number) => screenRow.select`
  from wall_screen s join agent a on a.id = s.agent_id
  where s.agent_id = any (${scope.agentIds}::bigint[]) and s.removed_at is null
  order by s.paired_at desc, s.id desc limit ${limit}`

const seenRow = rowOfValues({
  screenId: computed('bigint', sql`x.screen_id`),
  lastSeenAt: computed('timestamptz', sql`max(x.last_seen_at)`),
})

/** When live sessions of screens last called. */
export async function readLastSeen(db: Database, screenIds: readonly number[], at: Date): Promise<Map<number, Date>> {
  const rows = await db.systemRead((kysely) =>
    seenRow.select`
      from session x
      where x.screen_id = any (${screenIds}::bigint[]) and x.revoked_at is null and x.expires_at > ${at}
      group by 1`.compile(kysely),
  )
  return new Map(rows.map(({ screenId, lastSeenAt }) => [screenId, lastSeenAt]))
}

const changedRow = rowOf('wall_screen', 's', ['id', 'agent_id as agentId', 'name'])
export type ChangedScreen = RowOf<typeof changedRow>

/** Locks a screen of the scope; null: it has none of this id. */
export async function lockScreen(tx: Tx, scope: Scope, id: number): Promise<ChangedScreen | null> {
  const { rows } = await changedRow.select`
    from wall_screen s
    where s.id = ${id} and s.removed_at is null and s.agent_id = any (${scope.agentIds}::bigint[])
    for update`.execute(tx)
  return rows[0] ?? null
}
