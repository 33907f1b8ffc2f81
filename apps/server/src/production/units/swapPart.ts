import { sql } from 'kysely'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { unitEndpoints } from '@saddle/contract/production/units.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { ImportDeps } from '../imports/deps.ts'
import { assertSound } from '../imports/single.ts'
import type { UnitRow } from '../imports/store.ts'
import { rethrowTaken } from '../imports/taken.ts'
import { addUnitEvent } from './events.ts'

type Swap = { readonly row: UnitRow; readonly input: InputOf<typeof unitEndpoints.swapPart> }

const busyRow = rowOfValues({ busy: computed('boolean', sql`true`) })

/** A device that is used, tested or being upgraded is not taken out. */
async function assertFree(tx: Tx, row: UnitRow): Promise<void> {
  if (row.stage === 'retired') throw new AppError('unit_retired')
  if (row.stage === 'in_test') throw new AppError('unit_in_test')
  if (row.state === 'on_trip' || row.state === 'reserved') throw new AppError('unit_busy')
  const { rows } = await busyRow.select`
    from upgrade_action a
    where a.vehicle_id = ${row.id} and a.state in ('downloading', 'downloaded', 'installing') limit 1`.execute(tx)
  if (rows.length > 0) throw new AppError('unit_busy')
}

const said = (...numbers: readonly (string | null | undefined)[]): string | null =>
  numbers.filter((one) => one !== null && one !== undefined).join(' · ') || null

/** Replaces a part of a vehicle: its numbers change, and the old ones stay in the vehicle's life. */
export async function swapPart(deps: ImportDeps, tx: Tx, call: SessionCall, { row, input }: Swap): Promise<void> {
  const { kit, audit, fleet } = deps
  const { vehicleId, part, imei, serial, mac, iccid, reason } = input
  await assertFree(tx, row)
  const { agent_id: agentId, area_id: areaId } = row
  if (part === 'device' && imei !== undefined) {
    await assertSound(deps, { imei, isImeiUnchecked: input.isImeiUnchecked })
    await fleet.vehicles.replaceDevice(tx, { vehicleId, imei }).catch(rethrowTaken({ imei }))
  }
  const isDevice = part === 'device'
  // A new device brings a new Bluetooth module; a SIM card may move over to it.
  const after = {
    serial: isDevice ? (serial ?? null) : row.serial,
    mac: isDevice || part === 'bluetooth' ? (mac ?? null) : row.mac,
    iccid: isDevice || part === 'sim' ? (iccid ?? row.iccid) : row.iccid,
  }
  // What was tested is not what the vehicle has now.
  const mustTest = row.stage === 'tested' && { stage: 'made' }
  await tx
    .updateTable('production_unit')
    .set({ ...after, ...(row.stage !== 'activated' && { tested_at: null }), ...mustTest })
    .where('vehicle_id', '=', vehicleId)
    .execute()
    .catch(rethrowTaken({ imei: imei ?? '' }))
  const before = { imei: row.imei, serial: row.serial, mac: row.mac, iccid: row.iccid }
  const numbers = { imei: isDevice ? (imei ?? row.imei) : row.imei, ...after }
  const changed = (['imei', 'serial', 'mac', 'iccid'] as const).filter((name) => before[name] !== numbers[name])
  await addUnitEvent(tx, {
    vehicleId,
    agentId,
    areaId,
    kind: 'part_swapped',
    atMs: kit.clock.now(),
    personName: call.caller.name,
    part,
    before: said(...changed.map((name) => before[name])),
    after: said(...changed.map((name) => numbers[name])),
    note: reason,
  })
  await audit.act(tx, call, {
    agentId,
    areaId,
    action: 'unit.swap_part',
    subjectKind: 'vehicle',
    subjectId: vehicleId,
    before: { number: row.number, ...before },
    after: { part, reason, ...numbers },
  })
}
