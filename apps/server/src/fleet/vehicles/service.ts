import { sql } from 'kysely'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { fleetTopics, type VehicleNow } from '../messages.ts'
import { saveChanges } from '../reports/store.ts'
import { isContactable, stateAfter } from '../states/rules.ts'
import { nowOf, selectNow } from './now.ts'
import { createDevices, type Devices } from './devices.ts'
import { createModels, type Models } from './models.ts'
import { createRegister, type Register } from './register.ts'
import { markDisconnectedLost, markSilentLost, type Disconnection } from './silence.ts'
import { createStock, type Stock } from './stock.ts'
import { insertVehicles } from './store.ts'

export type Registration = {
  readonly agentId: number
  readonly areaId: number
  readonly number: string
  readonly imei: string
  readonly model: string
  /** Absent: Omni. */
  readonly protocol?: DeviceProtocol | undefined
  /** Of a JT/T 808 terminal of 2013. */
  readonly terminalNumber?: string | undefined
  readonly plate?: string | undefined
  /** Until then a JT/T 808 terminal may register; absent: not before staff say so. */
  readonly registrationOpenUntil?: number | undefined
  /** WGS-84; where the vehicle was put on the street, until it reports its own position. */
  readonly position?: { readonly lat: number; readonly lng: number } | undefined
}

export type Vehicles = Devices &
  Register &
  Stock &
  Models & {
    /** Puts vehicles on the street (MDS `provider_drop_off`). Numbers that exist are left alone; returns the new ids. */
    register(tx: Tx, rows: readonly Registration[]): Promise<number[]>
    /** Notes the firmware that a device says it runs. */
    noteFirmware(options: { vehicleId: number; firmware: string }): Promise<void>
    /** All vehicles, in pages by id. */
    page(options: { afterId: number; limit: number }): Promise<VehicleNow[]>
    /** Marks vehicles that have been silent for too long as `non_contactable`; safe on every server at once. */
    markSilentLost(): Promise<number>
    /** The same for vehicles whose line broke, as far as they have not been heard since. */
    markDisconnectedLost(gone: readonly Disconnection[]): Promise<number>
  }

const maxFirmwareLength = 80

export function createVehicles(kit: Pick<Kit, 'db' | 'clock' | 'bus' | 'log'>): Vehicles {
  const publish = (tx: Tx, vehicles: readonly VehicleNow[]): void => {
    kit.db.afterCommit(tx, () => kit.bus.publish(fleetTopics.vehicle, vehicles))
  }
  return {
    async register(tx, rows) {
      const state = stateAfter({ from: 'removed', event: 'provider_drop_off' })
      if (state === null || !isContactable(state)) throw new Error('a vehicle cannot be put on the street')
      const nowMs = kit.clock.now()
      const fresh = rows.map((row) => ({
        ...row,
        protocol: row.protocol ?? 'omni',
        state,
        position: row.position ?? null,
      }))
      const ids = await insertVehicles(tx, fresh, nowMs)
      if (ids.length === 0) return ids
      const added = await selectNow(tx)
        .where('s.vehicle_id', '=', sql<number>`any (${ids}::bigint[])`)
        .execute()
      const vehicles = added.map(nowOf)
      const change = {
        event: 'provider_drop_off',
        from: 'removed',
        to: state,
        cause: 'registration',
        occurredAt: nowMs,
      } as const
      await saveChanges(
        tx,
        vehicles.map((now) => ({ now, change })),
        nowMs,
      )
      publish(tx, vehicles)
      const names = rows.flatMap(({ imei, terminalNumber }) => [imei, ...(terminalNumber ? [terminalNumber] : [])])
      kit.db.afterCommit(tx, () => kit.bus.publish(fleetTopics.deviceChanged, names))
      return ids
    },

    ...createDevices(kit),
    ...createRegister(kit),
    ...createModels(kit),
    ...createStock(kit),

    async noteFirmware({ vehicleId, firmware }) {
      await kit.db.system((tx) =>
        tx
          .updateTable('device')
          .set({ firmware: firmware.slice(0, maxFirmwareLength) })
          .where('vehicle_id', '=', vehicleId)
          .execute(),
      )
    },

    async page({ afterId, limit }) {
      const rows = await kit.db.systemRead((kysely) =>
        selectNow(kysely).where('s.vehicle_id', '>', afterId).orderBy('s.vehicle_id').limit(limit).compile(),
      )
      return rows.map(nowOf)
    },

    markSilentLost: () => markSilentLost(kit),
    markDisconnectedLost: (gone) => markDisconnectedLost(kit, gone),
  }
}
