import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import { requeueSent } from '../commands/store.ts'
import type { CommandRow } from '../commands/store.ts'

/** A vehicle that has signed in, and from which network address. */
export type SignIn = { readonly vehicleId: number; readonly address: string }

/** Which gateway of a cluster speaks for a vehicle. A gateway names itself by an id of its process. */
export type Leases = {
  /** Takes the leases of vehicles that have signed in, whoever had them; what was cut off at another gateway is queued again. */
  take(gatewayId: string, signedIn: readonly SignIn[]): Promise<void>
  /** Those of the vehicles that another gateway speaks for now. */
  lost(gatewayId: string, vehicleIds: readonly number[]): Promise<number[]>
  /** Who speaks for a vehicle, and from where it called; null when nobody ever did. */
  holder(vehicleId: number): Promise<{ readonly gatewayId: string; readonly address: string } | null>
}

const movedRow = rowOf('device_lease', ['vehicle_id'])
const leaseRow = rowOf('device_lease', ['vehicle_id', 'gateway_id', 'address'])

export function createLeases(
  kit: Pick<Kit, 'db' | 'clock'>,
  others: { readonly onRequeued: (tx: Tx, row: CommandRow) => void },
): Leases {
  return {
    take: (gatewayId, signedIn) =>
      kit.db.system(async (tx) => {
        const nowMs = kit.clock.now()
        const cutOff = await moveLeases(tx, { gatewayId, signedIn, nowMs })
        if (cutOff.length === 0) return
        for (const row of await requeueSent(tx, { nowMs, vehicleIds: cutOff })) others.onRequeued(tx, row)
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

/** Writes the leases; returns the vehicles that had one of another gateway. Rows are locked in the order of their vehicles. */
async function moveLeases(
  tx: Tx,
  { gatewayId, signedIn, nowMs }: { gatewayId: string; signedIn: readonly SignIn[]; nowMs: number },
): Promise<number[]> {
  const rows = unnest<SignIn>({
    rows: signedIn.toSorted((a, b) => a.vehicleId - b.vehicleId),
    alias: 's',
    columns: {
      vehicle_id: ['bigint', ({ vehicleId }) => vehicleId],
      address: ['text', ({ address }) => address.slice(0, 64)],
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
          select v.id, ${gatewayId}::uuid, s.address, ${new Date(nowMs)}
          from ${rows} join vehicle v on v.id = s.vehicle_id
          order by v.id
          on conflict (vehicle_id) do update set
            gateway_id = excluded.gateway_id, address = excluded.address, taken_at = excluded.taken_at
        )
        select ${list} from held where gateway_id <> ${gatewayId}::uuid`,
    )
    .execute(tx)
  return moved.rows.map(({ vehicle_id: vehicleId }) => vehicleId)
}
