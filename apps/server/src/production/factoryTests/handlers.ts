import { AppError } from '@saddle/contract/errors.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { factoryModelsMax, type factoryTestEndpoints } from '@saddle/contract/production/factoryTests.ts'
import {
  factorySteps,
  factoryTestFields,
  factoryTestList,
  reworkFields,
  reworkList,
  type FactoryTerms,
} from '@saddle/contract/production/factoryWords.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { ImportDeps } from '../imports/deps.ts'
import { lockUnit, type UnitRow } from '../imports/store.ts'
import { addUnitEvent } from '../units/events.ts'
import {
  lockRework,
  lockTest,
  presentBench,
  presentRework,
  presentTest,
  reworkRows,
  selectAllTerms,
  selectBench,
  selectLatestTest,
  selectModels,
  selectTerms,
  termsOf,
  testRows,
} from './store.ts'

/** The test of vehicles before their delivery, what is tested, and what has to be mended. */
export function createFactoryTestHandlers(deps: ImportDeps): Handlers<typeof factoryTestEndpoints> {
  const { kit } = deps
  const tests = serveList(deps, factoryTestList, {
    name: 'factory-tests',
    rows: testRows,
    present: presentTest,
    file: { action: 'factory_test.export', fields: factoryTestFields },
  })
  const reworks = serveList(deps, reworkList, {
    name: 'reworks',
    rows: reworkRows,
    present: presentRework,
    file: { action: 'rework.export', fields: reworkFields },
  })
  return {
    listFactoryTests: tests.page,
    exportFactoryTests: tests.file,
    listReworks: reworks.page,
    exportReworks: reworks.file,

    factoryTestBench: async ({ text }, { scope }) => {
      const [vehicle] = await kit.db.read(scope, (k) => selectBench(text, scope).compile(k))
      if (vehicle === undefined) throw new AppError('vehicle_not_found')
      const [test] = await kit.db.read(scope, (k) => selectLatestTest(vehicle.vehicle_id).compile(k))
      return { suc: true, data: { ...presentBench(vehicle), test: test === undefined ? null : presentTest(test) } }
    },

    beginFactoryTest: async ({ vehicleId }, call) => ({
      suc: true,
      data: { id: await kit.db.withScope(call.scope, (tx) => begin(deps, tx, call, vehicleId)) },
    }),
    cancelFactoryTest: async ({ id }, call) => {
      await kit.db.withScope(call.scope, (tx) => cancel(deps, tx, call, id))
      return { suc: true, data: { id } }
    },

    listFactoryModels: async (_, { scope }) => {
      const [models, terms] = await Promise.all([
        kit.db.read(scope, (k) => selectModels(scope, factoryModelsMax).compile(k)),
        kit.db.read(scope, (k) => selectAllTerms(scope).compile(k)),
      ])
      const list = models.map(({ agent_id: agentId, company, model, vehicles }) => {
        const row = terms.find((one) => one.agent_id === agentId && one.model === model)
        const changedAt = row?.changed_at.getTime() ?? null
        return { agentId, company, model, vehicles, terms: termsOf(row), changedAt, changedBy: row?.changed_by ?? null }
      })
      return { suc: true, data: { list } }
    },
    setFactoryTerms: async (input, call) => {
      await kit.db.withScope(call.scope, (tx) => setTerms(deps, tx, call, input))
      return { suc: true, data: { model: input.model } }
    },

    openRework: async ({ vehicleId, reason }, call) => ({
      suc: true,
      data: { id: await kit.db.withScope(call.scope, (tx) => openRework(deps, tx, call, { vehicleId, reason })) },
    }),
    finishRework: async ({ id, note }, call) => {
      await kit.db.withScope(call.scope, (tx) => finishRework(deps, tx, call, { id, note }))
      return { suc: true, data: { id } }
    },
  }
}

async function lockStock(tx: Tx, call: SessionCall, vehicleId: number): Promise<UnitRow> {
  const row = await lockUnit(tx, { vehicleId, scope: call.scope })
  if (row === undefined) throw new AppError('vehicle_not_found')
  if (row.stage === 'in_test' || row.stage === 'rework') throw new AppError('unit_in_test')
  // On the street a test would turn the lock under a rider.
  if (row.state !== 'removed' || row.stage === 'activated' || row.stage === 'retired')
    throw new AppError('unit_deployed')
  return row
}

const setStage = async (tx: Tx, vehicleId: number, stage: 'made' | 'in_test' | 'rework'): Promise<void> => {
  await tx.updateTable('production_unit').set({ stage, tested_at: null }).where('vehicle_id', '=', vehicleId).execute()
}

async function begin({ kit, audit }: ImportDeps, tx: Tx, call: SessionCall, vehicleId: number): Promise<number> {
  const row = await lockStock(tx, call, vehicleId)
  const { agent_id: agentId, area_id: areaId, model, number } = row
  const { rows } = await selectTerms({ agentId, model }).execute(tx)
  const terms = termsOf(rows[0])
  const { id } = await tx
    .insertInto('factory_test')
    .values({
      vehicle_id: vehicleId,
      agent_id: agentId,
      area_id: areaId,
      state: 'running',
      terms: JSON.stringify(terms),
      begun_at: new Date(kit.clock.now()),
      begun_by_id: call.caller.operatorId,
      begun_by: call.caller.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('factory_test_step')
    .values(stepsOf(terms, { testId: id, agentId, areaId }))
    .execute()
  await setStage(tx, vehicleId, 'in_test')
  await audit.act(tx, call, {
    agentId,
    areaId,
    action: 'factory_test.begin',
    subjectKind: 'vehicle',
    subjectId: vehicleId,
    before: { stage: row.stage },
    after: { number },
  })
  return id
}

/** In the order in which they are done, however the terms name them. */
const stepsOf = (
  { steps }: FactoryTerms,
  { testId, agentId, areaId }: { readonly testId: number; readonly agentId: number; readonly areaId: number },
) =>
  factorySteps
    .filter((step) => steps.includes(step))
    .map((step, index) => ({
      test_id: testId,
      agent_id: agentId,
      area_id: areaId,
      position: index + 1,
      step,
      state: 'waiting' as const,
    }))

async function cancel({ kit, audit }: ImportDeps, tx: Tx, call: SessionCall, id: number): Promise<void> {
  const test = await lockTest(tx, id, call.scope)
  if (test === undefined) throw new AppError('not_found')
  if (test.state !== 'running') throw new AppError('factory_test_over')
  const at = new Date(kit.clock.now())
  await tx
    .updateTable('factory_test_step')
    .set({ state: 'skipped', ended_at: at })
    .where('test_id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .execute()
  await tx.updateTable('factory_test').set({ state: 'cancelled', ended_at: at }).where('id', '=', id).execute()
  await setStage(tx, test.vehicle_id, 'made')
  await audit.act(tx, call, {
    agentId: test.agent_id,
    areaId: test.area_id,
    action: 'factory_test.cancel',
    subjectKind: 'vehicle',
    subjectId: test.vehicle_id,
    before: { stage: 'in_test' },
  })
}

async function setTerms(
  { kit, audit }: ImportDeps,
  tx: Tx,
  call: SessionCall,
  input: InputOf<typeof factoryTestEndpoints.setFactoryTerms>,
): Promise<void> {
  const { agentId, model, steps, firmware, batteryMinPercent, voltageMinV, voltageMaxV } = input
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('foreign_scope')
  const { rows } = await selectTerms({ agentId, model }).execute(tx)
  const terms = {
    steps: factorySteps.filter((step) => steps.includes(step)),
    firmware: firmware ?? null,
    battery_min_percent: batteryMinPercent,
    voltage_min_v: voltageMinV ?? null,
    voltage_max_v: voltageMaxV ?? null,
    changed_at: new Date(kit.clock.now()),
    changed_by: call.caller.name,
  }
  await tx
    .insertInto('factory_terms')
    .values({ agent_id: agentId, model, ...terms })
    .onConflict((conflict) => conflict.columns(['agent_id', 'model']).doUpdateSet(terms))
    .execute()
  await audit.act(tx, call, {
    agentId,
    action: 'factory_test.set_terms',
    subjectKind: 'vehicle_model',
    subjectId: model,
    before: { terms: JSON.stringify(termsOf(rows[0])) },
    after: { terms: JSON.stringify(termsOf({ agent_id: agentId, model, ...terms })) },
  })
}

async function openRework(
  { kit, audit }: ImportDeps,
  tx: Tx,
  call: SessionCall,
  { vehicleId, reason }: { readonly vehicleId: number; readonly reason: string },
): Promise<number> {
  const row = await lockStock(tx, call, vehicleId)
  const { agent_id: agentId, area_id: areaId } = row
  const atMs = kit.clock.now()
  const { id } = await tx
    .insertInto('rework')
    .values({
      vehicle_id: vehicleId,
      agent_id: agentId,
      area_id: areaId,
      state: 'open',
      reason,
      opened_at: new Date(atMs),
      opened_by: call.caller.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setStage(tx, vehicleId, 'rework')
  const personName = call.caller.name
  await addUnitEvent(tx, { vehicleId, agentId, areaId, kind: 'rework_opened', atMs, personName, note: reason })
  await audit.act(tx, call, {
    agentId,
    areaId,
    action: 'rework.open',
    subjectKind: 'vehicle',
    subjectId: vehicleId,
    before: { stage: row.stage },
    after: { reason },
  })
  return id
}

async function finishRework(
  { kit, audit }: ImportDeps,
  tx: Tx,
  call: SessionCall,
  { id, note }: { readonly id: number; readonly note: string },
): Promise<void> {
  const { scope, caller } = call
  const rework = await lockRework(tx, id, scope)
  if (rework === undefined) throw new AppError('not_found')
  if (rework.state !== 'open') throw new AppError('rework_over')
  const { vehicle_id: vehicleId, agent_id: agentId, area_id: areaId, reason, test_id: testId } = rework
  const atMs = kit.clock.now()
  await tx
    .updateTable('rework')
    .set({ state: 'done', note, done_at: new Date(atMs), done_by: caller.name })
    .where('id', '=', id)
    .execute()
  await setStage(tx, vehicleId, 'made')
  await addUnitEvent(tx, { vehicleId, agentId, areaId, kind: 'rework_done', atMs, personName: caller.name, note })
  await audit.act(tx, call, {
    agentId,
    areaId,
    action: 'rework.finish',
    subjectKind: 'vehicle',
    subjectId: vehicleId,
    before: testId === null ? { reason } : { testId },
    after: { note },
  })
}
