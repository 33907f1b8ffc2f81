import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'

const purpose = 'rider'

export type Riders = {
  /** The riders of the scope's franchisees with this phone number: one person may ride with several. */
  idsByPhone(scope: Scope, phone: string): Promise<number[]>
  /** The riders with these phone numbers, in their order; who is new is added. In the caller's transaction. */
  ensure(tx: Tx, riders: readonly NewRider[]): Promise<number[]>
  /** Whether this is the rider's phone number. */
  hasPhone(row: { readonly phone_hash: string }, phone: string): boolean
  /** The phone number with its middle hidden. Throws SealError on a value that this platform did not seal. */
  maskedPhone(row: { readonly phone_sealed: string; readonly phone_hash: string }): string
  /** The name with all but its first character hidden; null where none is known. */
  maskedName(row: { readonly name_sealed: string | null; readonly phone_hash: string }): string | null
}

/** Masked numbers that are remembered: lists show the same riders again and again, and opening a seal takes its time. */
const maskedMax = 50_000

export type NewRider = { readonly agentId: number; readonly phone: string; readonly name: string | null }

/** Those who ride. Their phones and names are sealed, and shown in part. */
export function createRiders(kit: Pick<Kit, 'db' | 'clock' | 'secrets'>): Riders {
  const { secrets } = kit
  const masked = new Map<string, string>()
  const hashOf = (phone: string): string => secrets.hmac({ purpose, text: phone })
  return {
    idsByPhone: async (scope, phone) => {
      const rows = await kit.db.read(scope, (k) =>
        k
          .selectFrom('rider')
          .select('id')
          .where('phone_hash', '=', hashOf(phone))
          .where('agent_id', '=', sql<number>`any (${scope.agentIds}::bigint[])`)
          .orderBy('id')
          .compile(),
      )
      return rows.map(({ id }) => id)
    },

    ensure: async (tx, riders) => {
      const known = riders.map(({ agentId, phone, name }) => ({ agentId, phone, name, hash: hashOf(phone) }))
      const rows = unnest<(typeof known)[number]>({
        rows: known,
        alias: 'r',
        columns: {
          agent_id: ['bigint', (row) => row.agentId],
          phone_hash: ['text', (row) => row.hash],
          phone_sealed: ['text', (row) => secrets.encryptText({ purpose, text: row.phone, context: row.hash })],
          name_sealed: [
            'text',
            (row) => (row.name === null ? null : secrets.encryptText({ purpose, text: row.name, context: row.hash })),
          ],
        },
      })
      await sql`
        insert into rider (agent_id, phone_hash, phone_sealed, name_sealed, created_at)
        select r.agent_id, r.phone_hash, r.phone_sealed, r.name_sealed, ${new Date(kit.clock.now())} from ${rows}
        on conflict (agent_id, phone_hash) do nothing`.execute(tx)
      const keys = unnest<(typeof known)[number]>({
        rows: known,
        alias: 'r',
        columns: { agent_id: ['bigint', (row) => row.agentId], phone_hash: ['text', (row) => row.hash] },
      })
      const found = await sql<{ id: number; agent_id: number; phone_hash: string }>`
        select i.id, i.agent_id, i.phone_hash from ${keys}
        join rider i on i.agent_id = r.agent_id and i.phone_hash = r.phone_hash`.execute(tx)
      const ids = new Map(found.rows.map((row) => [`${row.agent_id} ${row.phone_hash}`, row.id]))
      return known.map(({ agentId, hash }) => {
        const id = ids.get(`${agentId} ${hash}`)
        if (id === undefined) throw new Error('a rider that was just added is not there')
        return id
      })
    },

    hasPhone: (row, phone) => row.phone_hash === hashOf(phone),

    maskedPhone: (row) => {
      const known = masked.get(row.phone_sealed)
      if (known !== undefined) return known
      const phone = secrets.decryptText({ purpose, sealed: row.phone_sealed, context: row.phone_hash })
      const shown = `${phone.slice(0, 3)}****${phone.slice(7)}`
      if (masked.size >= maskedMax) masked.clear()
      masked.set(row.phone_sealed, shown)
      return shown
    },

    maskedName: (row) => {
      if (row.name_sealed === null) return null
      const name = secrets.decryptText({ purpose, sealed: row.name_sealed, context: row.phone_hash })
      return `${name.slice(0, 1)}${'*'.repeat(Math.max(1, name.length - 1))}`
    },
  }
}
