import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { serviceEndpoints } from '@saddle/contract/fleet/service.ts'
import { byArea, type Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { thresholdOf, turnVehicles, type Turn } from '../vehicles/turn.ts'

type Parts = { readonly kit: Pick<Kit, 'db' | 'clock' | 'bus'>; readonly audit: Audit }
type Refusal = { vehicle: string; promot: string }

const wantedRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'number', 'agent_id', 'area_id']),
  rowOfValues({
    is_low: computed('boolean', sql`coalesce(s.battery_percent < q.out, false)`),
    is_mended: computed(
      'boolean',
      sql`exists (select from task t where t.vehicle_id = v.id and t.kind = 'repair' and t.state = 'on_site')`,
    ),
  }),
)
type Wanted = RowOf<typeof wantedRow>

/** A person takes vehicles out of service and puts them back, as `maintenance` of MDS; each of them for itself. */
export function createServiceHandlers(parts: Parts): Handlers<typeof serviceEndpoints> {
  const { kit } = parts
  return {
    takeOutOfService: async ({ vehicleIds, reason }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const wanted = await findWanted(tx, call, vehicleIds)
        const turns = wanted.map(({ id }): Turn => ({ vehicleId: id, event: 'maintenance', to: 'non_operational' }))
        const done = new Set(await turnVehicles(kit, tx, turns))
        await note(parts, tx, call, { action: 'vehicle.out_of_service', rows: rowsIn(wanted, done), reason })
        return answer({ vehicleIds, wanted, done, refusal: () => new AppError('vehicle_not_parked') })
      }),

    returnToService: async ({ vehicleIds, reason }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const wanted = await findWanted(tx, call, vehicleIds)
        const refusal = ({ is_low: isLow, is_mended: isMended }: Wanted): AppError =>
          new AppError(isLow ? 'vehicle_battery_low' : isMended ? 'vehicle_in_repair' : 'vehicle_not_out')
        const turns = wanted
          .filter((row) => !row.is_low && !row.is_mended)
          .map(({ id }): Turn => ({ vehicleId: id, event: 'maintenance', to: 'available' }))
        const done = new Set(await turnVehicles(kit, tx, turns))
        await note(parts, tx, call, { action: 'vehicle.back_in_service', rows: rowsIn(wanted, done), reason })
        return answer({ vehicleIds, wanted, done, refusal })
      }),
  }
}

const rowsIn = (wanted: readonly Wanted[], done: ReadonlySet<number>): Wanted[] =>
  wanted.filter(({ id }) => done.has(id))

async function findWanted(tx: Tx, { scope }: SessionCall, vehicleIds: readonly number[]): Promise<Wanted[]> {
  const out = await thresholdOf(tx, 'battery_out_percent')
  const { rows } = await wantedRow.select`
    from vehicle v join vehicle_status s on s.vehicle_id = v.id cross join lateral (select ${out} as out) q
    where v.id = any (${vehicleIds}::bigint[]) and ${tenantFilter('v', scope)}
    order by v.id`.execute(tx)
  return rows
}

function answer(options: {
  vehicleIds: readonly number[]
  wanted: readonly Wanted[]
  done: ReadonlySet<number>
  refusal: (row: Wanted) => AppError
}) {
  const { vehicleIds, wanted, done, refusal } = options
  const known = new Set(wanted.map(({ id }) => id))
  const errors = [
    ...vehicleIds
      .filter((id) => !known.has(id))
      .map((id) => ({ vehicle: String(id), error: new AppError('vehicle_not_found') })),
    ...wanted.filter(({ id }) => !done.has(id)).map((row) => ({ vehicle: row.number, error: refusal(row) })),
  ]
  const [only] = errors
  // Of one vehicle the refusal is the answer.
  if (vehicleIds.length === 1 && only !== undefined) throw only.error
  const refused = errors.map(({ vehicle, error }): Refusal => ({ vehicle, promot: error.message }))
  return { suc: true as const, data: { done: [...done], refused } }
}

async function note(
  { audit }: Parts,
  tx: Tx,
  call: SessionCall,
  act: { action: 'vehicle.out_of_service' | 'vehicle.back_in_service'; rows: readonly Wanted[]; reason: string },
): Promise<void> {
  for (const { agentId, areaId, rows } of byArea(act.rows)) {
    const [first] = rows
    await audit.act(tx, call, {
      agentId,
      areaId,
      action: act.action,
      subjectKind: 'vehicle',
      subjectId: rows.length === 1 && first !== undefined ? String(first.id) : '',
      about: rows.map(({ id }) => ({ kind: 'vehicle', id })),
      after: { vehicleIds: rows.map(({ id }) => id), reason: act.reason },
    })
  }
}
