import { sql } from 'kysely'
import { afterAll, afterEach, expect, it } from 'vitest'
import { factorySteps, type FactoryStep } from '@saddle/contract/production/factoryWords.ts'
import { secondMs } from '@saddle/contract/time.ts'
import type { OmniBody } from '@saddle/device-protocols/omni/codec.ts'
import { createFleet } from '#fleet/public.ts'
import { createAudit } from '#audit/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall } from '#test/kit.ts'
import {
  eventually,
  heartbeat,
  northScope,
  openLine,
  positionAt,
  seedField,
  signIn,
  startField,
  type Line,
} from '#telemetry/field.fixture.ts'

const { db, owner } = await testDatabase()
await seedField(owner)
const site = await startField(db)
const { handlers, workTests } = site.production
const { handlers: fleetHandlers } = createFleet(site.kit, { audit: createAudit(site.kit) })
const operator = sessionCall({
  operatorId: 7,
  agentId: 3,
  grant: northScope,
  name: '周可',
  permissions: ['0601', '06'],
})
const south = { agentIds: [4], areaIds: [41] }
const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: south, name: '陈立', permissions: ['0601', '06'] })
const lines: Line[] = []
afterEach(() => {
  for (const line of lines.splice(0)) line.end()
})
afterAll(() => site.gateway.close())

let serial = 100
async function stockVehicle(): Promise<{ id: number; number: string; imei: string }> {
  serial += 1
  const number = `FT000${serial}`
  const imei = `490154203237${serial}`
  const { data } = await handlers.uploadCarIdSingle(
    { areaId: 31, number, imei, protocol: 'omni', model: 'P1', isImeiUnchecked: true },
    operator,
  )
  return { id: data.vehicleId, number, imei }
}

/** A device that answers whatever it is asked; its bolt may be broken, and it may be shaken once it is locked. */
async function goOnline(
  imei: string,
  { isBoltBroken = false, firmware = '' }: { readonly isBoltBroken?: boolean; readonly firmware?: string } = {},
): Promise<Line> {
  const line = await openLine({ port: site.gateway.ports.omni, imei })
  lines.push(line)
  line.say(signIn, heartbeat(true))
  const answer = async (): Promise<void> => {
    for (;;) {
      const asked = await line.next()
      // A position that was asked for has its own trigger.
      if (asked.instruction === 'D0')
        line.say({ ...positionAt(site.kit.clock.now(), 31.3, 120.3), trigger: 0 } as OmniBody)
      if (asked.instruction === 'G0') line.say({ instruction: 'G0', firmware })
      if (asked.instruction === 'S8') line.say({ instruction: 'S8', times: asked.times })
      if (asked.instruction === 'R0') {
        const { operation, userId, timestamp } = asked
        line.say({ instruction: 'R0', operation, key: 5, userId, timestamp })
        const result = isBoltBroken ? 1 : 0
        const locked = operation === 1
        if (locked) line.say({ instruction: 'L1', result, userId, timestamp, ridingTimeMin: 0 })
        else line.say({ instruction: 'L0', result, userId, timestamp })
        if (!isBoltBroken) line.say(heartbeat(locked))
      }
    }
  }
  answer().catch(() => {})
  return line
}

const bench = async (text: string) => (await handlers.factoryTestBench({ text }, operator)).data
const stepState = async (number: string, step: FactoryStep) =>
  (await bench(number)).test?.steps.find((one) => one.step === step)?.state

/** Works the tests until one has come to a state. */
const worked = (number: string, state: string) =>
  eventually(async () => {
    await workTests()
    const { test } = await bench(number)
    expect(test?.state, JSON.stringify(test?.steps.map(({ step, state: at }) => `${step} ${at}`))).toBe(state)
    return test
  })

it('a vehicle that does what it is told and says so is tested', async () => {
  const { id, number, imei } = await stockVehicle()
  const { data } = await handlers.beginFactoryTest({ vehicleId: id }, operator)
  await workTests()
  expect(await stepState(number, 'online')).toBe('running')
  const line = await goOnline(imei)
  await eventually(async () => {
    await workTests()
    expect(await stepState(number, 'movement')).toBe('running')
  })
  line.say({ instruction: 'W0', alarm: 1 })
  const test = await worked(number, 'passed')
  expect(test).toMatchObject({ id: data.id, begunBy: '周可', number, failed: '' })
  expect(test?.steps.map(({ step, state }) => [step, state])).toEqual(
    factorySteps.filter((step) => step !== 'firmware').map((step) => [step, 'passed']),
  )
  expect(test?.steps.find(({ step }) => step === 'position')?.measured).toBe('31.30000, 120.30000')
  expect(await bench(imei)).toMatchObject({ stage: 'tested', number })
  // The unlocking after the movement has ended the alarm, and nothing of it was a trip.
  const open = await sql`select from vehicle_alarm where vehicle_id = ${id} and closed_at is null`.execute(owner)
  expect(open.rows).toEqual([])
  const told = () => owner.selectFrom('notice').select('subject').where('event', '=', 'alarm_serious').execute()
  expect(await told()).toEqual([])
  const onStreet = await site.addVehicle()
  const ridden = await goOnline(onStreet.imei)
  ridden.say({ instruction: 'W0', alarm: 1 })
  await eventually(async () => expect(await told()).toEqual([{ subject: `vehicle ${onStreet.id} illegal_movement` }]))
  await expect(handlers.cancelFactoryTest({ id: data.id }, operator)).rejects.toMatchObject({
    code: 'factory_test_over',
  })
  await handlers.deliverUnits({ vehicleIds: [id], areaId: 32 }, operator)
  const life = await fleetHandlers.vehicleLife({ vehicleId: id, kinds: ['unit'], pageSize: 30 }, operator)
  expect(life.data.list.map((entry) => entry.kind === 'unit' && entry.event).toSorted()).toEqual([
    'delivered',
    'made',
    'test_passed',
  ])
  expect((await fleetHandlers.vehicleLife({ vehicleId: id, pageSize: 2 }, operator)).data.nextCursor).not.toBeNull()

  await handlers.deployUnits({ vehicleIds: [id] }, operator)
  line.say({ instruction: 'G0', firmware: '7.7' })
  const events = async () => {
    const { data: page } = await fleetHandlers.vehicleLife({ vehicleId: id, kinds: ['unit'], pageSize: 30 }, operator)
    return page.list.flatMap((entry) => (entry.kind === 'unit' ? [[entry.event, entry.before, entry.after]] : []))
  }
  await eventually(async () => expect(await events()).toContainEqual(['version', null, '7.7']))
  const mac = 'A4:C1:38:00:77:01'
  const swapped = { vehicleId: id, part: 'bluetooth', mac, reason: '蓝牙故障', isImeiUnchecked: false } as const
  await handlers.swapPart(swapped, operator)
  await handlers.retireUnits({ vehicleIds: [id] }, operator)
  expect((await events()).map(([event]) => event).toSorted()).toEqual(
    ['made', 'test_passed', 'delivered', 'activated', 'version', 'part_swapped', 'retired'].toSorted(),
  )
})

it('the version is asked for, so that what the device said before does not count', async () => {
  const { id, number, imei } = await stockVehicle()
  await sql`update device set firmware = '2.0' where vehicle_id = ${id}`.execute(owner)
  await handlers.setFactoryTerms(
    { agentId: 3, model: 'P1', steps: ['online', 'firmware'], firmware: '2.0', batteryMinPercent: 30 },
    operator,
  )
  await handlers.beginFactoryTest({ vehicleId: id }, operator)
  const line = await goOnline(imei, { firmware: '1.9' })
  expect((await worked(number, 'failed'))?.steps.at(-1)).toMatchObject({ failure: 'firmware_other', measured: '1.9' })
  const [rework] = (await handlers.listReworks({ filter: { number }, sort: 'opened', pageSize: 20 }, operator)).data
    .list
  await handlers.finishRework({ id: rework!.id, note: '升级固件' }, operator)
  line.end()
  await line.closed
  await handlers.beginFactoryTest({ vehicleId: id }, operator)
  await goOnline(imei, { firmware: '2.0' })
  expect((await worked(number, 'passed'))?.steps.at(-1)).toMatchObject({ step: 'firmware', measured: '2.0' })
})

it('a broken bolt sends the vehicle to the rework list, and it is tested again after it', async () => {
  const { id, number, imei } = await stockVehicle()
  await handlers.setFactoryTerms(
    { agentId: 3, model: 'P1', steps: ['lock', 'unlock', 'online', 'battery'], batteryMinPercent: 90 },
    operator,
  )
  const { data: models } = await handlers.listFactoryModels({}, operator)
  expect(models.list.find(({ model }) => model === 'P1')).toMatchObject({ changedBy: '周可', agentId: 3 })
  await handlers.beginFactoryTest({ vehicleId: id }, operator)
  await goOnline(imei, { isBoltBroken: true })
  const test = await worked(number, 'failed')
  expect(test?.failed).toBe('电量与电压、开锁、关锁')
  expect(test?.steps.map(({ step, failure }) => [step, failure])).toEqual([
    ['online', null],
    ['battery', 'battery_low'],
    ['unlock', 'not_done'],
    ['lock', 'not_done'],
  ])
  await expect(handlers.deliverUnits({ vehicleIds: [id], areaId: 32 }, operator)).rejects.toMatchObject({
    code: 'unit_in_test',
  })
  await expect(handlers.beginFactoryTest({ vehicleId: id }, operator)).rejects.toMatchObject({ code: 'unit_in_test' })
  const question = { filter: { number, states: ['open' as const] }, sort: 'opened' as const, pageSize: 20 }
  const [rework] = (await handlers.listReworks(question, operator)).data.list
  expect(rework).toMatchObject({ testId: test?.id, vehicleId: id, openedBy: '周可' })
  expect(rework?.failures).toEqual([
    { step: 'battery', failure: 'battery_low' },
    { step: 'unlock', failure: 'not_done' },
    { step: 'lock', failure: 'not_done' },
  ])
  expect(rework?.reason).toBe('电量与电压：电量低于要求；开锁：指令没有得到确认；关锁：指令没有得到确认')

  await handlers.swapPart(
    {
      vehicleId: id,
      part: 'device',
      imei: '490154203238001',
      serial: 'SN-NEW',
      reason: '车锁损坏',
      isImeiUnchecked: true,
    },
    operator,
  )
  await handlers.finishRework({ id: rework!.id, note: '更换中控' }, operator)
  await expect(handlers.finishRework({ id: rework!.id, note: '再次' }, operator)).rejects.toMatchObject({
    code: 'rework_over',
  })
  expect(await bench('490154203238001')).toMatchObject({ stage: 'made', number })
  await handlers.setFactoryTerms(
    { agentId: 3, model: 'P1', steps: ['online', 'unlock'], batteryMinPercent: 30 },
    operator,
  )
  await handlers.beginFactoryTest({ vehicleId: id }, operator)
  await goOnline('490154203238001')
  await worked(number, 'passed')

  const life = await fleetHandlers.vehicleLife({ vehicleId: id, kinds: ['unit'], pageSize: 30 }, operator)
  expect(life.data.list.find((entry) => entry.kind === 'unit' && entry.event === 'part_swapped')).toMatchObject({
    part: 'device',
    before: imei,
    after: '490154203238001 · SN-NEW',
    note: '车锁损坏',
    personName: '周可',
  })
  expect(life.data.list.find((entry) => entry.kind === 'unit' && entry.event === 'test_failed')).toMatchObject({
    note: '',
    failures: rework?.failures,
  })
})

it('a device that does not call within its time is not asked for more', async () => {
  const { id, number } = await stockVehicle()
  await handlers.beginFactoryTest({ vehicleId: id }, operator)
  await workTests()
  await sql`update factory_test_step set begun_at = begun_at - ${`${61 * secondMs} milliseconds`}::interval
    where state = 'running'`.execute(owner)
  const test = await worked(number, 'failed')
  expect(test?.steps.map(({ state }) => state)).toEqual(['failed', 'skipped'])
  const commands = await sql`select from vehicle_command where vehicle_id = ${id}`.execute(owner)
  expect(commands.rows).toEqual([])
})

it('a test is cancelled, a defect sends to rework, and other companies see and do nothing', async () => {
  const { id, number } = await stockVehicle()
  for (const act of [
    () => handlers.beginFactoryTest({ vehicleId: id }, foreign),
    () => handlers.openRework({ vehicleId: id, reason: '外观划伤' }, foreign),
    () => handlers.swapPart({ vehicleId: id, part: 'lock', reason: '损坏', isImeiUnchecked: false }, foreign),
    () => handlers.factoryTestBench({ text: number }, foreign),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: 'vehicle_not_found' })
  }
  const { data: test } = await handlers.beginFactoryTest({ vehicleId: id }, operator)
  await expect(handlers.cancelFactoryTest({ id: test.id }, foreign)).rejects.toMatchObject({ code: 'not_found' })
  await handlers.cancelFactoryTest({ id: test.id }, operator)
  expect(await bench(number)).toMatchObject({ stage: 'made', test: { state: 'cancelled' } })
  const { data: rework } = await handlers.openRework({ vehicleId: id, reason: '外观划伤' }, operator)
  expect(await bench(number)).toMatchObject({ stage: 'rework' })
  await expect(handlers.finishRework({ id: rework.id, note: '补漆' }, foreign)).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(
    handlers.setFactoryTerms({ agentId: 3, model: 'P1', steps: ['online'], batteryMinPercent: 1 }, foreign),
  ).rejects.toMatchObject({ code: 'foreign_scope' })
  await handlers.finishRework({ id: rework.id, note: '补漆' }, operator)
  const onStreet = await site.addVehicle()
  await expect(handlers.beginFactoryTest({ vehicleId: onStreet.id }, operator)).rejects.toMatchObject({
    code: 'unit_deployed',
  })
})

it('a company may have delivered and deployed only what was tested', async () => {
  const { id } = await stockVehicle()
  const at = new Date(site.kit.clock.now())
  await sql`insert into setting_change (agent_id, code, value, made_at, made_by)
    values (3, 'factory_test_needed', '["deliver", "deploy"]', ${at}, '周可')`.execute(owner)
  const untested = { code: 'unit_not_tested' }
  await expect(handlers.deliverUnits({ vehicleIds: [id], areaId: 32 }, operator)).rejects.toMatchObject(untested)
  await expect(handlers.deployUnits({ vehicleIds: [id] }, operator)).rejects.toMatchObject(untested)
  await owner
    .updateTable('production_unit')
    .set({ stage: 'tested', tested_at: at })
    .where('vehicle_id', '=', id)
    .execute()
  await handlers.deliverUnits({ vehicleIds: [id], areaId: 32 }, operator)
  await handlers.deployUnits({ vehicleIds: [id] }, operator)
})

it('labels are made of chosen vehicles of the scope', async () => {
  const { id, number } = await stockVehicle()
  const asked = { vehicleIds: [id], sheet: 'grid_24' as const, from: 1, skip: 0 }
  const { data } = await handlers.printLabels(asked, operator)
  expect(data).toMatchObject({ labels: 1, total: 1 })
  expect(data.name).toContain(number)
  expect(Buffer.from(data.base64, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
  await expect(handlers.printLabels(asked, foreign)).rejects.toMatchObject({ code: 'labels_none' })
})
