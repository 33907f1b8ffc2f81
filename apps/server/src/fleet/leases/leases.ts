import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import { requeueSent } from '../commands/store.ts'
import type { CommandRow } from '../commands/store.ts'

/** A vehicle that has signed in, from which network address and when. */
export type SignIn = { readonly vehicleId: number; readonly address: string; readonly at: number }

/** Which gateway of a cluster speaks for a vehicle. A gateway names itself by an id of its process. */
export type Leases = {
  /**
   * Takes the leases of vehicles that have signed in, whoever had them before; what was cut off at another gateway is queued again.
   * Returns the vehicles that have signed in at another gateway since: a gateway that was cut off from the database writes late.
   */
  take(gatewayId: string, signedIn: readonly SignIn[]): Promise<number[]>
  /** Those of the vehicles that another gateway speaks for now. */
  lost(gatewayId: string, vehicleIds: readonly number[]): Promise<number[]>
  /** Who speaks for a vehicle, and from where it called; null when nobody ever did. */
  holder(vehicleId: number): Promise<{ readonly gatewayId: string; readonly address: string } | null>
}

const movedRow = rowOfValues({
  vehicle_id: computed('bigint', sql`vehicle_id`),
  is_taken: computed('boolean', sql`is_taken`),
})
const leaseRow = rowOf('device_lease', ['vehicle_id', 'gateway_id', 'address'])

export function createLeases(
  kit: Pick<Kit, 'db' | 'clock'>,
  others: { readonly onRequeued: (tx: Tx, row: CommandRow) => void },
): Leases {
  return {
    take: (gatewayId, signedIn) =>
      kit.db.system(async (tx) => {
        const nowMs = kit.clock.now()
        const { cutOff, newerElsewhere } = await moveLeases(tx, { gatewayId, signedIn })
        if (cutOff.length === 0) return newerElsewhere
        for (const row of await requeueSent(tx, { nowMs, vehicleIds: cutOff })) others.onRequeued(tx, row)
        return newerElsewhere
      }),
    async lost(gatewayId, vehicleIds) {
      const query = leaseRow.select`
        from device_lease where vehicle_id = any (${vehicleIds}::bigint[]) and gateway_id <> ${gatewayId}::uuid`
      const rows = await kit.db.systemRead((k) => query.compile(k))
      return rows.map(({ vehicle_id: vehicleId }) => vehicleId)
    },
    async holder(vehicleId) {
      const query = leaseRow.select`from device_lease where vehicle_id = ${vehicleId}`
      const [row] = await kit.db.systemRead((k) => query.compile(k))
      return row === undefined ? null : { gatewayId: row.gateway_id, address: row.address }
    },
  }
}

/**
 * Writes the leases; returns the vehicles that had one of another gateway, and those whose lease there is newer and stays. Rows are
 * locked in the order of their vehicles.
 */
async function moveLeases(
  tx: Tx,
  { gatewayId, signedIn }: { readonly gatewayId: string; readonly signedIn: readonly SignIn[] },
): Promise<{ readonly cutOff: number[]; readonly newerElsewhere: number[] }> {
  const rows = unnest<SignIn>({
    rows: signedIn.toSorted((a, b) => a.vehicleId - b.vehicleId),
    alias: 's',
    columns: {
      vehicle_id: ['bigint', ({ vehicleId }) => vehicleId],
      address: ['text', ({ address }) => address.slice(0, 64)],
      signed_in_at: ['timestamptz', ({ at }) => at],
    },
  })
  const moved = await movedRow
    .query(
      (list) => sql`
        with held as (
          select l.vehicle_id, l.gateway_id from device_lease l join ${rows} on s.vehicle_id = l.vehicle_id
          order by l.vehicle_id for update of l
        ), written as (
          insert into device_lease (vehicle_id, gateway_id, address, taken_at)
          select v.id, ${gatewayId}::uuid, s.address, s.signed_in_at
          from ${rows} join vehicle v on v.id = s.vehicle_id
          order by v.id
          on conflict (vehicle_id) do update set
            gateway_id = excluded.gateway_id, address = excluded.address, taken_at = excluded.taken_at
          -- A time to come is that of a clock that was set back since.
          where device_lease.taken_at <= excluded.taken_at or device_lease.taken_at > now()
          returning vehicle_id
        )
        select ${list} from (
          select h.vehicle_id, w.vehicle_id is not null as is_taken
          from held h left join written w on w.vehicle_id = h.vehicle_id where h.gateway_id <> ${gatewayId}::uuid
        ) m`,
    )
    .execute(tx)
  const idsOf = (isTaken: boolean): number[] =>
    moved.rows.flatMap((row) => (row.is_taken === isTaken ? [row.vehicle_id] : []))
  return { cutOff: idsOf(true), newerElsewhere: idsOf(false) }
}
