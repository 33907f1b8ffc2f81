import { AppError } from '@saddle/contract/errors.ts'
import { unitFields, unitList, type unitEndpoints } from '@saddle/contract/production/units.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { each, type Each } from '#kit/each.ts'
import { serveList } from '#kit/list/serveList.ts'
import { readSettingEverywhere } from '#settings/public.ts'
import type { ImportDeps } from '../imports/deps.ts'
import { lockUnit, selectArea, type UnitRow } from '../imports/store.ts'
import { rethrowTaken } from '../imports/taken.ts'
import { addUnitEvent } from './events.ts'
import { presentUnit, unitRows } from './store.ts'
import { swapPart } from './swapPart.ts'

/** Vehicles as production sees them, and their way to the street and off it. */
export function createUnitHandlers(deps: ImportDeps): Handlers<typeof unitEndpoints> {
  const units = serveList(deps, unitList, {
    name: 'units',
    rows: unitRows,
    present: presentUnit,
    file: { action: 'unit.export', fields: unitFields },
  })
  return {
    listUnits: units.page,
    exportUnits: units.file,
    deliverUnits: async ({ vehicleIds, areaId }, call) => {
      const needs = await readNeeds(deps)
      return { suc: true, data: await each(vehicleIds, (id) => deliver(deps, call, { id, areaId, needs })) }
    },
    deployUnits: async ({ vehicleIds }, call) => {
      const needs = await readNeeds(deps)
      const act: Act = (_, tx, row) => deploy(deps, tx, row, needs)
      return { suc: true, data: await forEach(deps, call, vehicleIds, { action: 'unit.deploy', act }) }
    },
    swapPart: async (input, call) => {
      await withUnit(deps, call, input.vehicleId, (tx, row) => swapPart(deps, tx, call, { row, input }))
      return { suc: true, data: { vehicleId: input.vehicleId } }
    },
    retireUnits: async ({ vehicleIds }, call) => ({
      suc: true,
      data: await forEach(deps, call, vehicleIds, { action: 'unit.retire', act: retire }),
    }),
  }
}

type Act = (deps: ImportDeps, tx: Tx, row: UnitRow) => Promise<void>
type Step = { readonly action: string; readonly act: Act }

/** Does the same with each vehicle, which is locked meanwhile, and notes it. */
const forEach = (
  deps: ImportDeps,
  call: SessionCall,
  vehicleIds: readonly number[],
  { action, act }: Step,
): Promise<Each> =>
  each(vehicleIds, (id) =>
    withUnit(deps, call, id, async (tx, row) => {
      await act(deps, tx, row)
      await note(deps, tx, call, { row, action })
    }),
  )

const withUnit = <T>(
  { kit }: ImportDeps,
  call: SessionCall,
  vehicleId: number,
  work: (tx: Tx, row: UnitRow) => Promise<T>,
): Promise<T> =>
  kit.db.withScope(call.scope, async (tx) => {
    const row = await lockUnit(tx, { vehicleId, scope: call.scope })
    if (row === undefined) throw new AppError('vehicle_not_found')
    return await work(tx, row)
  })

const note = (
  { audit }: ImportDeps,
  tx: Tx,
  call: SessionCall,
  { row, action, after }: { row: UnitRow; action: string; after?: Readonly<Record<string, string | number>> },
): Promise<void> =>
  audit.act(tx, call, {
    agentId: row.agent_id,
    areaId: row.area_id,
    action,
    subjectKind: 'vehicle',
    subjectId: row.id,
    before: { stage: row.stage, number: row.number },
    ...(after !== undefined && { after }),
  })

type Needs = (action: 'deliver' | 'deploy', agentId: number) => boolean

/** Which companies deliver and deploy only what has passed its test. */
async function readNeeds({ kit }: ImportDeps): Promise<Needs> {
  const { of } = await kit.db.system((tx) => readSettingEverywhere(tx, 'factory_test_needed'))
  return (action, agentId) => of({ agentId, areaId: null }).includes(action)
}

/** Whether a vehicle is ready for it: what is in the middle of a test or a repair never is. */
function assertReady(row: UnitRow, isTestNeeded: boolean): void {
  if (row.stage === 'in_test' || row.stage === 'rework') throw new AppError('unit_in_test')
  if (row.stage === 'activated' || row.stage === 'retired') throw new AppError('unit_deployed')
  if (isTestNeeded && row.tested_at === null) throw new AppError('unit_not_tested')
}

type Delivery = { readonly id: number; readonly areaId: number; readonly needs: Needs }

/** Only what was never on the street may change hands here: nothing has happened with it yet that belongs to somebody. */
const deliver = (deps: ImportDeps, call: SessionCall, { id, areaId, needs }: Delivery): Promise<void> =>
  withUnit(deps, call, id, async (tx, row) => {
    const { kit, fleet } = deps
    const { rows } = await selectArea({ areaId, scope: call.scope }).execute(tx)
    const [area] = rows
    if (area === undefined) throw new AppError('foreign_scope')
    const { agent_id: agentId, name: areaName } = area
    assertReady(row, needs('deliver', row.agent_id))
    await note(deps, tx, call, { row, action: 'unit.deliver', after: { areaId } })
    await fleet.vehicles.move(tx, { vehicleId: id, agentId, areaId }).catch(rethrowTaken(row))
    await tx
      .updateTable('production_unit')
      .set({ stage: 'delivered', delivered_at: new Date(kit.clock.now()) })
      .where('vehicle_id', '=', id)
      .execute()
    const event = { kind: 'delivered', atMs: kit.clock.now(), personName: call.caller.name } as const
    await addUnitEvent(tx, { ...event, vehicleId: id, agentId, areaId, after: areaName })
  })

async function deploy({ kit, fleet }: ImportDeps, tx: Tx, row: UnitRow, needs: Needs): Promise<void> {
  assertReady(row, needs('deploy', row.agent_id))
  const turned = await fleet.turnVehicles(tx, [{ vehicleId: row.id, event: 'provider_drop_off', to: 'available' }])
  if (turned.length === 0) throw new AppError('unit_busy')
  await tx
    .updateTable('production_unit')
    .set({ stage: 'activated', activated_at: new Date(kit.clock.now()) })
    .where('vehicle_id', '=', row.id)
    .execute()
}

const retire: Act = async ({ kit, fleet }, tx, row) => {
  if (row.stage === 'retired') throw new AppError('unit_retired')
  if (row.stage === 'in_test' || row.stage === 'rework') throw new AppError('unit_in_test')
  if (row.state !== 'removed') {
    const turned = await fleet.turnVehicles(tx, [{ vehicleId: row.id, event: 'decommissioned', to: 'removed' }])
    if (turned.length === 0) throw new AppError('unit_busy')
  }
  await tx
    .updateTable('production_unit')
    .set({ stage: 'retired', retired_at: new Date(kit.clock.now()) })
    .where('vehicle_id', '=', row.id)
    .execute()
}
