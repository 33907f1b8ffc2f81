import { sql } from 'kysely'
import { rowOf } from '#kit/db/rows.ts'
import { startJob } from '#kit/job.ts'
import { followBalances } from './balances/follow.ts'
import { closeBans } from './bans/store.ts'
import type { RiderParts } from './parts/parts.ts'
import { expireCertificates } from './certificates/store.ts'

const sweepEveryMs = 5_000
const namesPerTurn = 1_000

/** Ends what has run out, and keeps up what lists are filtered by. Safe on several servers at once. */
export async function sweepRiders(parts: Pick<RiderParts, 'kit' | 'seals'>): Promise<void> {
  const { db, clock } = parts.kit
  const now = new Date(clock.now())
  await db.system((tx) => closeBans(tx, now))
  await db.system((tx) => expireCertificates(tx, now))
  await followBalances(parts.kit)
  await hashNames(parts)
}

const riderRow = rowOf('rider', ['id', 'phone_hash', 'name_sealed']).filled('name_sealed')

/** Names that were stored before they could be looked up by. */
async function hashNames({ kit, seals }: Pick<RiderParts, 'kit' | 'seals'>): Promise<void> {
  await kit.db.system(async (tx) => {
    const { rows } = await riderRow.select`
      from rider where name_hash is null and name_sealed is not null
      order by id limit ${namesPerTurn} for update skip locked`.execute(tx)
    if (rows.length === 0) return
    const hashes = rows.map((row) => seals.nameHash(seals.openName(row)))
    await sql`
      update rider r set name_hash = n.hash
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${hashes}::text[]) as n (id, hash) where r.id = n.id`.execute(
      tx,
    )
  })
}

/** Does that now and again and again; resolves the stop when no turn runs. */
export function startSweeping(parts: Pick<RiderParts, 'kit' | 'seals'>): () => Promise<void> {
  return startJob({
    log: parts.kit.log,
    everyMs: sweepEveryMs,
    run: () => sweepRiders(parts),
    failure: 'riders could not be swept',
  }).stop
}
