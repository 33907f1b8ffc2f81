import { sql } from 'kysely'
import { isReferenced } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { fleetTopics, type DeviceRevokedMessage } from '../messages.ts'

/** What becomes of a registered device, in the transaction of a caller who has looked the vehicle up and locked it. */
export type Register = {
  /** Takes a vehicle off the register; false when it has spoken or something else names it. */
  unregister(tx: Tx, vehicleId: number): Promise<boolean>
  /**
   * Makes the secret of a device worthless and lets go of the terminal that registered; its line is closed after the
   * commit.
   */
  changeSecret(tx: Tx, options: { vehicleId: number; registrationOpenUntil: number | null }): Promise<void>
  /** Says until when a JT/T 808 terminal may register; null: not at all. */
  openRegistration(tx: Tx, options: { vehicleId: number; until: number | null }): Promise<void>
  /** Gives a vehicle another device: the old one is not let in any more, and what it registered is forgotten. */
  replaceDevice(tx: Tx, replaced: { readonly vehicleId: number; readonly imei: string }): Promise<void>
}

const namesRow = rowOf('device', ['imei', 'terminal_number'])
type Names = RowOf<typeof namesRow>
const namesOf = ({ imei, terminal_number: number }: Names): string[] => (number === null ? [imei] : [imei, number])

export function createRegister(kit: Pick<Kit, 'db' | 'bus'>): Register {
  const revoke = (tx: Tx, revoked: DeviceRevokedMessage): void => {
    kit.db.afterCommit(tx, () => kit.bus.publish(fleetTopics.deviceRevoked, revoked))
  }
  return {
    async unregister(tx, vehicleId) {
      const { rows } = await namesRow.select`from device where vehicle_id = ${vehicleId}`.execute(tx)
      await sql`savepoint unregister`.execute(tx)
      try {
        await sql`delete from vehicle where id = ${vehicleId}`.execute(tx)
      } catch (error) {
        if (!isReferenced(error)) throw error
        await sql`rollback to savepoint unregister`.execute(tx)
        return false
      }
      revoke(tx, { vehicleId, names: rows.flatMap(namesOf) })
      return true
    },

    async changeSecret(tx, { vehicleId, registrationOpenUntil }) {
      const until = registrationOpenUntil === null ? null : new Date(registrationOpenUntil)
      const { rows } = await sql<Names>`
        update device set secret_generation = secret_generation + 1, terminal_mark = null,
          registration_open_until = ${until}::timestamptz
        where vehicle_id = ${vehicleId} returning imei, terminal_number`.execute(tx)
      revoke(tx, { vehicleId, names: rows.flatMap(namesOf) })
    },

    async openRegistration(tx, { vehicleId, until }) {
      const { rows } = await sql<Names>`
        update device set registration_open_until = ${until === null ? null : new Date(until)}::timestamptz
        where vehicle_id = ${vehicleId} returning imei, terminal_number`.execute(tx)
      const names = rows.flatMap(namesOf)
      kit.db.afterCommit(tx, () => kit.bus.publish(fleetTopics.deviceChanged, names))
    },

    async replaceDevice(tx, { vehicleId, imei }) {
      const { rows } = await namesRow.select`from device where vehicle_id = ${vehicleId}`.execute(tx)
      await sql`
        update device set imei = ${imei}, firmware = null, terminal_number = null, terminal_mark = null,
          registration_open_until = null, secret_generation = 0
        where vehicle_id = ${vehicleId}`.execute(tx)
      revoke(tx, { vehicleId, names: [...rows.flatMap(namesOf), imei] })
    },
  }
}
