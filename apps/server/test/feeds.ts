import { sql } from 'kysely'
import { idKeyPurpose } from '#feeds/keyed.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'

/** A company that publishes the feeds of both of its areas, and a program that reads each. */
export async function addFeeds(options: {
  tx: Tx
  kit: Pick<Kit, 'secrets'>
  agentId: number
  areaIds: readonly [number, number]
  marker: string
  at: Date
}): Promise<void> {
  const { tx, kit, agentId, areaIds, marker, at } = options
  await sql`
    insert into gbfs_setting (agent_id, is_public, contact_email, id_key_sealed, changed_at, changed_by)
    values (${agentId}, true, ${`${marker}@example.com`},
      ${kit.secrets.encryptText({ purpose: idKeyPurpose, text: marker, context: String(agentId) })}, ${at}, ${marker})`.execute(
    tx,
  )
  for (const areaId of areaIds) {
    await sql`
      insert into gbfs_feed (area_id, agent_id, name, body, bytes, etag, published_at, tried_at, findings)
      values (${areaId}, ${agentId}, 'gbfs', ${Buffer.from(marker)}, ${areaId}, ${'0'.repeat(32)}, ${at}, ${at},
        ${[`${marker} finding ${areaId}`]}::text[])`.execute(tx)
    await sql`
      insert into gbfs_reader (area_id, agent_id, day, reader, reads, last_at)
      values (${areaId}, ${agentId}, current_date, ${`${marker} reader ${areaId}`}, 1, ${at})`.execute(tx)
  }
}
