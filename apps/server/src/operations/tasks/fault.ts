import type { Tx } from '#kit/db/pool.ts'
import { openTasks } from './open.ts'

/** Lets somebody repair what a rider says is broken; a vehicle that waits for its repair already gets no second task. */
export async function reportFault(
  tx: Tx,
  { vehicleId, note, at }: { readonly vehicleId: number; readonly note: string; readonly at: number },
): Promise<void> {
  await openTasks(tx, { at, source: 'rider', by: null, tasks: [{ vehicleId, kind: 'repair', trigger: 'fault', note }] })
}
