import { sql } from 'kysely'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { importEndpoints } from '@saddle/contract/production/imports.ts'
import { isImei } from '#fleet/public.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { addUnitEvent } from '../units/events.ts'
import type { ImportDeps } from './deps.ts'
import { lockUnit, selectArea } from './store.ts'
import { rethrowTaken } from './taken.ts'

/** Vehicles that come one by one, under the scanner, and what is corrected of them. */

const keyRow = rowOf('vehicle', ['id'])
const refusalRow = rowOf('unknown_device', ['decision_reason'])

/** Throws when the number does not check, or when somebody has refused the device, whichever company's it would be. */
export async function assertSound(
  { kit }: ImportDeps,
  { imei, isImeiUnchecked }: { readonly imei: string; readonly isImeiUnchecked: boolean },
): Promise<void> {
  if (!isImeiUnchecked && !isImei(imei)) throw new AppError('imei_check_digit')
  const [refused] = await kit.db.systemRead((k) =>
    refusalRow.select`
      from unknown_device where imei = ${imei} and state = 'refused' and reason = 'unknown' limit 1`.compile(k),
  )
  if (refused !== undefined) {
    throw new AppError('unknown_device_refused', { values: { reason: refused.decision_reason ?? '' } })
  }
}

type Parts = {
  readonly serial?: string | undefined
  readonly mac?: string | undefined
  readonly iccid?: string | undefined
}

async function setParts(tx: Tx, vehicleId: number, { serial, mac, iccid }: Parts): Promise<void> {
  await tx
    .updateTable('production_unit')
    .set({ serial: serial ?? null, mac: mac ?? null, iccid: iccid ?? null })
    .where('vehicle_id', '=', vehicleId)
    .execute()
}

export async function registerSingle(
  deps: ImportDeps,
  call: SessionCall,
  input: InputOf<typeof importEndpoints.uploadCarIdSingle>,
): Promise<{ vehicleId: number; number: string }> {
  const { kit, audit, fleet } = deps
  const { areaId, number, imei, model, protocol, serial, mac, iccid } = input
  await assertSound(deps, input)
  return await kit.db.withScope(call.scope, async (tx) => {
    const { rows: areas } = await selectArea({ areaId, scope: call.scope }).execute(tx)
    const agentId = areas[0]?.agent_id
    if (agentId === undefined) throw new AppError('foreign_scope')
    const one = sql`
      select ${agentId}::bigint as agent_id, ${areaId}::bigint as area_id, ${number}::text as number, ${imei}::text as imei,
        ${model}::text as model, ${protocol}::text as protocol`
    await fleet.vehicles.stock(tx, one, 1).catch(rethrowTaken(input))
    const { rows } = await keyRow.select`from vehicle where number = ${number}`.execute(tx)
    const vehicleId = rows[0]?.id
    if (vehicleId === undefined) throw new Error('a vehicle that was added is not there')
    await setParts(tx, vehicleId, input).catch(rethrowTaken(input))
    await audit.act(tx, call, {
      agentId,
      areaId,
      action: 'unit.register',
      subjectKind: 'vehicle',
      subjectId: vehicleId,
      after: { number, imei, model, protocol, serial, mac, iccid },
    })
    return { vehicleId, number }
  })
}

type Named = { readonly number: string; readonly imei: string } & {
  readonly [K in keyof Parts]: Parts[K] | null
}
const numbersOf = ({ number, imei, ...parts }: Named): string =>
  [number, imei, parts.serial, parts.mac, parts.iccid].filter((part) => part !== null && part !== undefined).join(' · ')

/** What a vehicle is called may be corrected until its device has called: from then on others refer to it. */
export async function updateUnit(
  deps: ImportDeps,
  call: SessionCall,
  input: InputOf<typeof importEndpoints.uploadCarIdUpdate>,
): Promise<number> {
  const { kit, audit, fleet } = deps
  const { vehicleId, number, imei, model, serial, mac, iccid } = input
  await kit.db.withScope(call.scope, async (tx) => {
    const row = await lockUnit(tx, { vehicleId, scope: call.scope })
    if (row === undefined) throw new AppError('vehicle_not_found')
    if (row.number !== number || row.imei !== imei || row.model !== model) {
      if (row.heard_at !== null || row.state !== 'removed') throw new AppError('unit_in_contact')
      if (row.imei !== imei) await assertSound(deps, input)
      await fleet.vehicles.correct(tx, { vehicleId, number, imei, model }).catch(rethrowTaken(input))
    }
    await setParts(tx, vehicleId, input).catch(rethrowTaken(input))
    const before = { number: row.number, imei: row.imei, model: row.model }
    await addUnitEvent(tx, {
      vehicleId,
      agentId: row.agent_id,
      areaId: row.area_id,
      kind: 'corrected',
      atMs: kit.clock.now(),
      personName: call.caller.name,
      before: numbersOf(row),
      after: numbersOf(input),
    })
    await audit.act(tx, call, {
      agentId: row.agent_id,
      areaId: row.area_id,
      action: 'unit.update',
      subjectKind: 'vehicle',
      subjectId: vehicleId,
      before: { ...before, serial: row.serial, mac: row.mac, iccid: row.iccid },
      after: { number, imei, model, serial, mac, iccid },
    })
  })
  return vehicleId
}
