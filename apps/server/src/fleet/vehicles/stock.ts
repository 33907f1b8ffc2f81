import { sql, type RawBuilder } from 'kysely'
import { isReferenced } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { fleetTopics } from '../messages.ts'
import { nowOf, selectNow } from './now.ts'

/** Vehicles in stock: they are on the register, so that their devices may call, and not on the street. */
export type Stock = {
  /**
   * Registers `count` vehicles as `removed`, from rows `(agent_id, area_id, number, imei, model, protocol)`; returns how many
   * there were. Many of them are for the system. Throws what the database says where a number or an IMEI is taken.
   */
  stock(tx: Tx, rows: RawBuilder<unknown>, count: number): Promise<number>
  /**
   * Takes vehicles off the register again, by a query of their ids; null when one of them has spoken or something else
   * names it: then all stay.
   */
  unstock(tx: Tx, ids: RawBuilder<unknown>): Promise<number | null>
  /** Gives a vehicle that was never on the street to another area, of another company too. */
  move(tx: Tx, moved: { readonly vehicleId: number; readonly agentId: number; readonly areaId: number }): Promise<void>
  /** Corrects how a vehicle is called that has never spoken. */
  correct(
    tx: Tx,
    corrected: { readonly vehicleId: number; readonly number: string; readonly imei: string; readonly model: string },
  ): Promise<void>
}

/** Vehicles that are told of together. */
const page = 1_000

const keyRow = rowOf('vehicle', ['id'])
const imeiRow = rowOf('device', ['vehicle_id', 'imei'])

/** From so many vehicles on, the planner is told of them: it would look for each of them by reading all others. */
const manyFrom = 500
const analyze = (tx: Tx): Promise<unknown> => sql`select analyze_vehicles()`.execute(tx)

export function createStock(kit: Pick<Kit, 'db' | 'clock' | 'bus'>): Stock {
  /** Tells maps of the new vehicles, and the gateway of their devices, in pages. */
  const tell = async (ids: readonly number[]): Promise<void> => {
    for (let at = 0; at < ids.length; at += page) {
      const some = ids.slice(at, at + page)
      const rows = await kit.db.systemRead((kysely) =>
        selectNow(kysely)
          .where('s.vehicle_id', '=', sql<number>`any (${some}::bigint[])`)
          .compile(),
      )
      kit.bus.publish(fleetTopics.vehicle, rows.map(nowOf))
      const devices = await kit.db.systemRead((kysely) =>
        imeiRow.select`from device where vehicle_id = any (${some}::bigint[])`.compile(kysely),
      )
      kit.bus.publish(
        fleetTopics.deviceChanged,
        devices.map(({ imei }) => imei),
      )
    }
  }
  return {
    async stock(tx, rows, count) {
      const now = sql`${new Date(kit.clock.now())}::timestamptz`
      const add = async (part: RawBuilder<unknown>): Promise<number[]> => {
        const { rows: added } = await keyRow.returning`
          insert into vehicle (agent_id, area_id, number, model, protocol, state, state_changed_at, created_at)
          select r.agent_id, r.area_id, r.number, r.model, r.protocol, 'removed', ${now}, ${now}
          from (${rows}) r order by r.number ${part}
          `.execute(tx)
        return added.map(({ id }) => id)
      }
      const ids = await add(sql`limit ${manyFrom}`)
      if (count > manyFrom) {
        await analyze(tx)
        for (const id of await add(sql`offset ${manyFrom}`)) ids.push(id)
        await analyze(tx)
      }
      await sql`
        insert into device (vehicle_id, agent_id, area_id, imei)
        select v.id, v.agent_id, v.area_id, r.imei from (${rows}) r join vehicle v on v.number = r.number`.execute(tx)
      await sql`
        insert into vehicle_status (vehicle_id, agent_id, area_id)
        select v.id, v.agent_id, v.area_id from (${rows}) r join vehicle v on v.number = r.number`.execute(tx)
      if (count > manyFrom) await analyze(tx)
      kit.db.afterCommit(tx, () => tell(ids))
      return ids.length
    },

    async unstock(tx, ids) {
      const { rows: devices } = await imeiRow.select`from device where vehicle_id in (${ids})`.execute(tx)
      if (devices.length > manyFrom) await analyze(tx)
      await sql`savepoint unstock`.execute(tx)
      try {
        await sql`delete from vehicle where id in (${ids})`.execute(tx)
      } catch (error) {
        if (!isReferenced(error)) throw error
        await sql`rollback to savepoint unstock`.execute(tx)
        return null
      }
      kit.db.afterCommit(tx, () => {
        for (const { vehicle_id: vehicleId, imei } of devices) {
          kit.bus.publish(fleetTopics.deviceRevoked, { vehicleId, names: [imei] })
        }
      })
      return devices.length
    },

    async move(tx, { vehicleId, agentId, areaId }) {
      await tx.updateTable('vehicle').set({ agent_id: agentId, area_id: areaId }).where('id', '=', vehicleId).execute()
      // A newer version: those that hold the vehicle in memory take no other.
      await tx
        .updateTable('vehicle_status')
        .set({ version: sql`version + 1` })
        .where('vehicle_id', '=', vehicleId)
        .execute()
      kit.db.afterCommit(tx, () => tell([vehicleId]))
    },

    async correct(tx, { vehicleId, number, imei, model }) {
      const { rows } = await imeiRow.select`from device where vehicle_id = ${vehicleId}`.execute(tx)
      await tx.updateTable('vehicle').set({ number, model }).where('id', '=', vehicleId).execute()
      await tx.updateTable('device').set({ imei }).where('vehicle_id', '=', vehicleId).execute()
      const before = rows.map((row) => row.imei)
      kit.db.afterCommit(tx, () => kit.bus.publish(fleetTopics.deviceChanged, [...before, imei]))
    },
  }
}
