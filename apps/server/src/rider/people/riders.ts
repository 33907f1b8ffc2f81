import { sql } from 'kysely'
import { hourMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'
import { devicePurpose, upsertDevice } from './devices.ts'
import { createSeals, maskName, maskPhone, type Seals } from './seals.ts'

export type Riders = {
  /** The riders of the scope's franchisees with this phone number: one person may ride with several. */
  idsByPhone(scope: Scope, phone: string): Promise<number[]>
  /** The same for many numbers: the riders of each, in the order of the numbers. */
  idsByPhones(scope: Scope, phones: readonly string[]): Promise<(readonly number[])[]>
  /** The riders that a list is narrowed to, by their number or phone number; undefined where it names neither. */
  idsOf(scope: Scope, named: NamedRider): Promise<readonly number[] | undefined>
  /** The riders with these phone numbers, in their order; who is new is added. In the caller's transaction. */
  ensure(tx: Tx, riders: readonly NewRider[]): Promise<number[]>
  /** Whether this is the rider's phone number. */
  hasPhone(row: { readonly phone_hash: string }, phone: string): boolean
  /** The phone number with its middle hidden. Throws SealError on a value that this platform did not seal. */
  maskedPhone(row: { readonly phone_sealed: string; readonly phone_hash: string }): string
  /** The name with all but its first character hidden; null where none is known. */
  maskedName(row: { readonly name_sealed: string | null; readonly phone_hash: string }): string | null
  /** Whether the rider may begin no ride now: on the blacklist, or gone. */
  isBarred(tx: Tx, riderId: number): Promise<boolean>
  /** Notes that the rider is here; no more than once in an hour. */
  noteActive(tx: Tx, riderId: number): Promise<void>
  /** Notes the telephone that the rider's application runs on, by a keyed hash of its id. */
  noteDevice(
    tx: Tx,
    noted: { readonly riderId: number; readonly agentId: number; readonly appId: number; readonly device: RiderDevice },
  ): Promise<void>
}

/** Masked numbers that are remembered: lists show the same riders again and again, and opening a seal takes its time. */
const maskedMax = 50_000
const activeEveryMs = hourMs

type NamedRider = { readonly phone?: string | undefined; readonly riderId?: number | undefined }
type RiderDevice = {
  readonly id: string
  readonly model: string
  readonly system: string
  readonly appVersion: string
}
export type NewRider = { readonly agentId: number; readonly phone: string; readonly name: string | null }

const riderRow = rowOf('rider', 'i', ['id', 'agent_id', 'phone_hash'])

/** Those who ride. Their phones and names are sealed, and shown in part. */
export function createRiders(kit: Pick<Kit, 'db' | 'clock' | 'secrets'>): Riders {
  const seals = createSeals(kit.secrets)
  const idsByPhone: Riders['idsByPhone'] = async (scope, phone) => {
    const rows = await kit.db.read(scope, (k) =>
      k
        .selectFrom('rider')
        .select('id')
        .where('phone_hash', '=', seals.phoneHash(phone))
        .where('agent_id', '=', sql<number>`any (${scope.agentIds}::bigint[])`)
        .orderBy('id')
        .compile(),
    )
    return rows.map(({ id }) => id)
  }
  return {
    ...createMasks(seals),

    idsByPhone,

    idsByPhones: async (scope, phones) => {
      const hashes = phones.map((phone) => seals.phoneHash(phone))
      const rows = await kit.db.read(scope, (k) =>
        riderRow.select`
          from rider i
          where i.phone_hash = any (${hashes}::text[]) and i.agent_id = any (${scope.agentIds}::bigint[])
          order by i.id`.compile(k),
      )
      const byHash = Map.groupBy(rows, ({ phone_hash }) => phone_hash)
      return hashes.map((hash) => (byHash.get(hash) ?? []).map(({ id }) => id))
    },

    idsOf: async (scope, { phone, riderId }) => {
      if (phone === undefined) return riderId === undefined ? undefined : [riderId]
      const ids = await idsByPhone(scope, phone)
      return riderId === undefined ? ids : ids.filter((id) => id === riderId)
    },

    ensure: async (tx, riders) => {
      const known = riders.map(({ agentId, phone, name }) => ({ agentId, phone, name, hash: seals.phoneHash(phone) }))
      const rows = unnest<(typeof known)[number]>({
        rows: known,
        alias: 'r',
        columns: {
          agent_id: ['bigint', (row) => row.agentId],
          phone_hash: ['text', (row) => row.hash],
          phone_sealed: ['text', (row) => seals.sealPhone(row.phone).sealed],
          name_hash: ['text', (row) => (row.name === null ? null : seals.nameHash(row.name))],
          name_sealed: ['text', (row) => (row.name === null ? null : seals.sealName(row.name, row.hash))],
        },
      })
      const now = new Date(kit.clock.now())
      await sql`
        insert into rider (agent_id, phone_hash, phone_sealed, name_hash, name_sealed, created_at, last_active_at)
        select r.agent_id, r.phone_hash, r.phone_sealed, r.name_hash, r.name_sealed, ${now}, ${now} from ${rows}
        on conflict (agent_id, phone_hash) do nothing`.execute(tx)
      const keys = unnest<(typeof known)[number]>({
        rows: known,
        alias: 'r',
        columns: { agent_id: ['bigint', (row) => row.agentId], phone_hash: ['text', (row) => row.hash] },
      })
      const found = await riderRow.select`
        from ${keys}
        join rider i on i.agent_id = r.agent_id and i.phone_hash = r.phone_hash`.execute(tx)
      const ids = new Map(found.rows.map((row) => [`${row.agent_id} ${row.phone_hash}`, row.id]))
      return known.map(({ agentId, hash }) => {
        const id = ids.get(`${agentId} ${hash}`)
        if (id === undefined) throw new Error('a rider that was just added is not there')
        return id
      })
    },

    isBarred: async (tx, riderId) => {
      const now = new Date(kit.clock.now())
      const { rows } = await sql`
        select from rider r where r.id = ${riderId} and (r.closed_at is not null or exists (
          select from rider_ban b where b.rider_id = r.id and b.lifted_at is null and (b.until is null or b.until > ${now})
        ))`.execute(tx)
      return rows.length > 0
    },

    noteActive: async (tx, riderId) => {
      const now = kit.clock.now()
      await sql`
        update rider set last_active_at = ${new Date(now)}
        where id = ${riderId} and last_active_at < ${new Date(now - activeEveryMs)}`.execute(tx)
    },

    noteDevice: async (tx, { device: { id, ...device }, ...noted }) => {
      const hashes = kit.secrets.hmacs({ purpose: devicePurpose, text: id })
      await upsertDevice(tx, { ...noted, ...device, hashes, at: new Date(kit.clock.now()) })
    },
  }
}

/** What of a rider's sealed phone and name is shown. */
function createMasks(seals: Seals): Pick<Riders, 'hasPhone' | 'maskedPhone' | 'maskedName'> {
  const masked = new Map<string, string>()
  return {
    hasPhone: (row, phone) => row.phone_hash === seals.phoneHash(phone),

    maskedPhone: (row) => {
      const known = masked.get(row.phone_sealed)
      if (known !== undefined) return known
      const shown = maskPhone(seals.openPhone(row))
      if (masked.size >= maskedMax) masked.clear()
      masked.set(row.phone_sealed, shown)
      return shown
    },

    maskedName: ({ name_sealed, phone_hash }) =>
      name_sealed === null ? null : maskName(seals.openName({ name_sealed, phone_hash })),
  }
}
