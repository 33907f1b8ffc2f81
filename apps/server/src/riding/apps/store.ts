import { sql } from 'kysely'
import type { AppCall } from '#kit/call.ts'
import { randomToken, sha256 } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'

const riderAppRow = rowsOf(
  rowOf('rider_app', 'a', ['id']),
  rowOfValues({ agent_ids: computed('bigint[]', sql`array(select agent_and_below(a.agent_id))`) }),
)

/** The application that holds this key and is enabled; null when there is none. */
export async function findApp({ db }: Pick<Kit, 'db'>, key: string): Promise<AppCall['app'] | null> {
  const query = riderAppRow.select`
    from rider_app a where a.key_hash = ${sha256(key)} and a.state = 'enabled'`
  const [row] = await db.systemRead((k) => query.compile(k))
  return row === undefined ? null : { id: row.id, agentIds: row.agent_ids }
}

/** Adds an application of a franchisee and returns its key, which is nowhere else; one of the same name gets a new one and is switched on. */
export async function addApp(
  { clock, random }: Pick<Kit, 'clock' | 'random'>,
  tx: Tx,
  app: { readonly agentId: number; readonly name: string },
): Promise<string> {
  const key = randomToken(random)
  await tx
    .insertInto('rider_app')
    .values({ agent_id: app.agentId, name: app.name, key_hash: sha256(key), created_at: new Date(clock.now()) })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'name']).doUpdateSet({ key_hash: sha256(key), state: 'enabled' }),
    )
    .execute()
  return key
}
