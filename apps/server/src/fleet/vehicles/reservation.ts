import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { publishAlarms } from '../reports/apply.ts'
import { lockKnown, saveChanges, saveStatus } from '../reports/store.ts'
import { isContactable, stateAfter } from '../states/rules.ts'

type Parts = Pick<Kit, 'db' | 'clock' | 'bus'>

/**
 * Keeps a vehicle for a rider, or lets it go again, in the caller's transaction; false where its state has no such step.
 * A vehicle that fell silent in between is no longer reserved when it speaks again.
 */
export async function turnReservation(
  kit: Parts,
  tx: Tx,
  { vehicleId, step }: { readonly vehicleId: number; readonly step: 'start' | 'cancel' },
): Promise<boolean> {
  const known = (await lockKnown(tx, [vehicleId])).get(vehicleId)
  if (known === undefined) return false
  const { now, told, batteryVersion } = known
  const version = now.version + 1
  const save = async (changed: typeof now): Promise<void> => {
    await saveStatus(tx, [{ now: changed, told, batteryVersion }])
    publishAlarms({ kit, tx, vehicles: [changed], alarms: [] })
  }
  if (step === 'cancel' && !isContactable(now.state) && now.stateBefore === 'reserved') {
    await tx.updateTable('vehicle').set({ state_before: 'available' }).where('id', '=', vehicleId).execute()
    await save({ ...now, version, stateBefore: 'available' })
    return true
  }
  const event = step === 'start' ? 'reservation_start' : 'reservation_cancel'
  const to = stateAfter({ from: now.state, event })
  if (to === null) return false
  const changed = { ...now, version, state: to }
  const at = kit.clock.now()
  await saveChanges(tx, [{ now: changed, change: { event, from: now.state, to, cause: 'rider', occurredAt: at } }], at)
  await save(changed)
  return true
}
