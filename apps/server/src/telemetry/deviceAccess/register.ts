import { AppError } from '@saddle/contract/errors.ts'
import { registrationWindowMinutes, type RegistrationForm } from '@saddle/contract/fleet/registration.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Audit, AuditEntry } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import { isImei } from '#fleet/public.ts'
import type { SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { gatewayProtocols } from '../gateway/protocols.ts'
import { findArea, lockAccess, selectRefusal, type AccessRow } from './store.ts'

export type AccessDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'config' | 'secrets' | 'bus'>
  readonly fleet: Pick<Fleet, 'vehicles'>
  readonly audit: Audit
}

export const windowEnd = ({ kit }: AccessDeps, minutes: number): number | null =>
  minutes === 0 ? null : kit.clock.now() + minutes * minuteMs

/** What can be said of a registration without looking at others. */
export function assertSound(form: RegistrationForm): void {
  if (!form.isImeiUnchecked && !isImei(form.imei)) throw new AppError('imei_check_digit')
  if (form.terminalNumber !== undefined && !gatewayProtocols[form.protocol].hasRegistration)
    throw new AppError('terminal_number_unfit')
}

/** Throws when somebody has refused the device that is to be registered, whichever company's it would be. */
export async function assertNotRefused({ kit }: AccessDeps, form: RegistrationForm): Promise<void> {
  const names = form.terminalNumber === undefined ? [form.imei] : [form.imei, form.terminalNumber]
  const [refused] = await kit.db.systemRead((k) => selectRefusal(names).compile(k))
  if (refused !== undefined) {
    throw new AppError('unknown_device_refused', { values: { reason: refused.decision_reason ?? '' } })
  }
}

/** Adds vehicle and device in the caller's transaction and notes who did it. A new terminal may register for a while. */
export async function registerOne(
  deps: AccessDeps,
  tx: Tx,
  call: SessionCall,
  form: RegistrationForm,
): Promise<AccessRow> {
  const { number, imei, terminalNumber, protocol, model, areaId, plate } = form
  const agentId = await findArea(tx, { areaId, scope: call.scope })
  if (agentId === null) throw new AppError('not_found')
  const registrationOpenUntil = gatewayProtocols[protocol].hasRegistration
    ? (windowEnd(deps, registrationWindowMinutes.usual) ?? undefined)
    : undefined
  const row = { agentId, areaId, number, imei, terminalNumber, protocol, model, plate, registrationOpenUntil }
  const [vehicleId] = await deps.fleet.vehicles.register(tx, [row]).catch((error: unknown) => {
    throw takenBy(error, form)
  })
  if (vehicleId === undefined) throw new AppError('vehicle_number_taken', { values: { number } })
  const added = await lockAccess(tx, { vehicleId, scope: call.scope })
  if (added === undefined) throw new AppError('not_found')
  await noteAct(deps, tx, call, {
    row: added,
    action: 'onboard.register',
    after: { number, imei, terminalNumber, plate, model, protocol, areaId },
  })
  return added
}

/** The thing that another vehicle has already, by the index that refused it. */
function takenBy(error: unknown, form: RegistrationForm): unknown {
  if (!isTaken(error)) return error
  const index = error instanceof Error && 'constraint' in error ? String(error.constraint) : ''
  const { imei, terminalNumber = '', plate = '' } = form
  if (index === 'device_imei_key') return new AppError('imei_taken', { values: { imei } })
  if (index === 'device_terminal_number_key') {
    return new AppError('terminal_number_taken', { values: { number: terminalNumber } })
  }
  return index === 'vehicle_plate' ? new AppError('plate_taken', { values: { plate } }) : error
}

type Act = {
  readonly row: AccessRow
  readonly action: string
  readonly before?: AuditEntry['before']
  readonly after?: AuditEntry['after']
}

/** A line about an on-board device; who looks for its vehicle finds it, too. */
export async function noteAct({ audit }: AccessDeps, tx: Tx, call: SessionCall, act: Act): Promise<void> {
  const { row, action, before = null, after = null } = act
  await audit.act(tx, call, {
    agentId: row.agent_id,
    areaId: row.area_id,
    action,
    subjectKind: 'device',
    subjectId: row.vehicle_id,
    about: [{ kind: 'vehicle', id: row.vehicle_id }],
    before,
    after,
  })
}
