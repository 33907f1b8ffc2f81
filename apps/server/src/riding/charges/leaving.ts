import { AppError } from '@saddle/contract/errors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { findBusy, holdRider, owesMoney } from '../rides/store.ts'

/** A deposit stays while its rider is on the road or owes for a ride. Throws rider_busy and order_due. */
export async function refuseToLeave(tx: Tx, riderId: number): Promise<void> {
  await holdRider(tx, riderId)
  if ((await findBusy(tx, riderId)) !== undefined) throw new AppError('rider_busy')
  if (await owesMoney(tx, riderId)) throw new AppError('order_due')
}
