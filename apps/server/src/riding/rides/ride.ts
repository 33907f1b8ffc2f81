import { returnKinds } from '@saddle/contract/riding/price.ts'
import type { Ride } from '@saddle/contract/riding/rides.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { selectUsedGifts, usedGiftOf } from '#finance/public.ts'
import type { AppCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { codeOf } from '#kit/codes.ts'
import { lineOf } from '../orders/present.ts'
import { selectLines } from '../orders/store.ts'
import type { LifeParts } from './parts.ts'
import { selectRide, selectVehicle, rideStateOfRow, type RideRow, type VehicleRow } from './store.ts'

/** The author that a vehicle's command records. */
export const appName = reasonOf('byApp')
/** The rider who makes the call, and the ride that it is about. */
export type Asked = { readonly phone: string; readonly orderId: number }
export type RideAnswer = { suc: true; data: Ride }

/** The vehicle with this number, of a franchisee of the application. Throws vehicle_not_found. */
export async function findVehicle(
  tx: Tx,
  { call, vehicleNumber }: { call: AppCall; vehicleNumber: string },
): Promise<VehicleRow> {
  const [vehicle] = (await selectVehicle({ number: vehicleNumber, agentIds: call.app.agentIds }).execute(tx)).rows
  if (vehicle === undefined) throw new AppError('vehicle_not_found')
  return vehicle
}

/** The ride is this rider's, with a franchisee of this application. Throws not_found. */
export function checkOwn(
  { riders }: LifeParts,
  call: AppCall,
  { phone }: Asked,
  row: RideRow | undefined,
): asserts row is RideRow {
  const isOwn = row !== undefined && call.app.agentIds.includes(row.agent_id) && riders.hasPhone(row, phone)
  if (!isOwn) throw new AppError('not_found')
}

export const scopeOf = (row: RideRow) => scopeOfAgent(row.agent_id, [row.area_id])

/** The ride as its rider sees it now. */
export async function readRide({ kit }: LifeParts, id: number): Promise<Ride> {
  const row = await findRide({ kit }, id)
  if (row === undefined) throw new AppError('not_found')
  return presentRide({ kit }, row)
}

export async function findRide({ kit }: Pick<LifeParts, 'kit'>, id: number): Promise<RideRow | undefined> {
  const [row] = await kit.db.systemRead((k) => selectRide(id).compile(k))
  return row
}

/** A ride has lines once it is charged. */
export async function presentRide({ kit }: Pick<LifeParts, 'kit'>, row: RideRow): Promise<Ride> {
  const asked = { orderId: row.id, scope: scopeOf(row) }
  const [lines, gifts] =
    row.charged_cents === null
      ? [[], []]
      : await Promise.all([
          kit.db.systemRead((k) => selectLines(asked).compile(k)),
          kit.db.systemRead((k) => selectUsedGifts(asked).compile(k)),
        ])
  return {
    orderId: row.id,
    agentId: row.agent_id,
    state: rideStateOfRow(row),
    vehicleNumber: row.vehicle_number,
    placedAt: row.placed_at.getTime(),
    reservedUntil: row.reserved_until?.getTime() ?? null,
    startedAt: row.started_at?.getTime() ?? null,
    endedAt: row.ended_at?.getTime() ?? null,
    returnKind: row.return_kind === null ? null : codeOf(returnKinds, row.return_kind),
    chargedCents: row.charged_cents,
    refundedCents: row.refunded_cents,
    lines: lines.map(lineOf),
    gifts: gifts.map(usedGiftOf),
    failure: row.failure,
  }
}
