import { sql } from 'kysely'
import type { CommandKind } from '@saddle/contract/fleet/commands.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  factoryTermsSchema,
  type FactoryFailedStep,
  type FactoryTerms,
} from '@saddle/contract/production/factoryWords.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { addUnitEvent } from '../units/events.ts'
import { commandOfStep, judgeStep, type Seen } from './rules.ts'
import { lockNextRunning, selectCommand, selectSeen, selectSteps, type RunningTest, type StepRow } from './store.ts'

export type RunDeps = { readonly kit: Kit; readonly fleet: Pick<Fleet, 'queueCommand'> }

/** Tests that one run looks at. */
const testsMax = 500

/** Looks at every running test once, and does the steps that can be done. Safe on several workers at once. */
export async function workFactoryTests(deps: RunDeps): Promise<void> {
  let afterId = 0
  for (let turn = 0; turn < testsMax; turn += 1) {
    const id = await deps.kit.db.system(async (tx) => {
      const test = await lockNextRunning(tx, afterId)
      if (test !== undefined) await workOne(deps, tx, test)
      return test?.id
    })
    if (id === undefined) return
    afterId = id
  }
}

async function workOne(deps: RunDeps, tx: Tx, test: RunningTest): Promise<void> {
  const terms = factoryTermsSchema.parse(test.terms)
  const seen = await selectSeen(tx, test.vehicle_id)
  for (const step of await selectSteps(tx, test.id)) {
    if (step.state !== 'waiting' && step.state !== 'running') continue
    const state = await workStep(deps, tx, { test, terms, seen, step })
    if (state === 'running') return
    // A device that does not speak is not asked for more.
    if (state === 'failed' && step.step === 'online') break
  }
  await end(deps, tx, test)
}

type StepWork = {
  readonly test: RunningTest
  readonly terms: FactoryTerms
  readonly seen: Omit<Seen, 'command'>
  readonly step: StepRow
}

async function workStep(deps: RunDeps, tx: Tx, { test, terms, seen, step }: StepWork) {
  const nowMs = deps.kit.clock.now()
  const isNew = step.state === 'waiting'
  const begunAt = isNew ? nowMs : (step.begun_at?.getTime() ?? nowMs)
  const kind = commandOfStep[step.step]
  const isOwed = kind !== undefined && step.command_id === null
  const commandId = isOwed ? await give(deps, tx, { test, kind }) : step.command_id
  const command = await selectCommand(tx, commandId)
  const verdict = judgeStep(
    { step: step.step, terms, testBegunAt: test.begun_at.getTime(), stepBegunAt: begunAt, nowMs },
    { ...seen, command },
  )
  if (!isNew && verdict.state === 'running' && commandId === step.command_id) return verdict.state
  await tx
    .updateTable('factory_test_step')
    .set({
      state: verdict.state,
      begun_at: new Date(begunAt),
      ended_at: verdict.state === 'running' ? null : new Date(nowMs),
      command_id: commandId,
      failure: verdict.state === 'failed' ? verdict.failure : null,
      measured: verdict.state === 'running' ? '' : verdict.measured,
    })
    .where('test_id', '=', test.id)
    .where('position', '=', step.position)
    .execute()
  return verdict.state
}

/** The id of the command; null while one of its kind is on its way, which the next run waits for. */
async function give({ fleet }: RunDeps, tx: Tx, { test, kind }: { test: RunningTest; kind: CommandKind }) {
  try {
    const { id } = await fleet.queueCommand(tx, {
      vehicleId: test.vehicle_id,
      agentId: test.agent_id,
      areaId: test.area_id,
      kind,
      reason: '出厂检测',
      operatorId: test.begun_by_id,
      operatorName: test.begun_by,
    })
    return id
  } catch (error) {
    if (error instanceof AppError && error.code === 'command_pending') return null
    throw error
  }
}

async function end({ kit }: RunDeps, tx: Tx, test: RunningTest): Promise<void> {
  const at = new Date(kit.clock.now())
  await sql`
    update factory_test_step set state = 'skipped' where test_id = ${test.id} and state = 'waiting'`.execute(tx)
  const { rows: failed } = await sql<FactoryFailedStep>`
    select step, failure from factory_test_step where test_id = ${test.id} and state = 'failed' order by position`.execute(
    tx,
  )
  const isPassed = failed.length === 0
  await tx
    .updateTable('factory_test')
    .set({ state: isPassed ? 'passed' : 'failed', ended_at: at })
    .where('id', '=', test.id)
    .execute()
  await tx
    .updateTable('production_unit')
    .set(isPassed ? { stage: 'tested', tested_at: at } : { stage: 'rework', tested_at: null })
    .where('vehicle_id', '=', test.vehicle_id)
    .execute()
  const vehicle = { vehicleId: test.vehicle_id, agentId: test.agent_id, areaId: test.area_id }
  await addUnitEvent(tx, {
    ...vehicle,
    kind: isPassed ? 'test_passed' : 'test_failed',
    atMs: at.getTime(),
    personName: test.begun_by,
    ...(!isPassed && { failures: failed }),
  })
  if (isPassed) return
  await tx
    .insertInto('rework')
    .values({
      vehicle_id: test.vehicle_id,
      agent_id: test.agent_id,
      area_id: test.area_id,
      state: 'open',
      test_id: test.id,
      opened_at: at,
      opened_by: test.begun_by,
    })
    .execute()
}
