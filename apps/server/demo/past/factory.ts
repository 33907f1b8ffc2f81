import { sql } from 'kysely'
import type { FactoryStep } from '@saddle/contract/production/factoryWords.ts'
import { importSheetSchema } from '@saddle/contract/production/importWords.ts'
import { secondMs } from '@saddle/contract/time.ts'
import { callOf, type DemoPerson } from '#demo/desk.ts'
import { demoServiceAreas, franchiseeId } from '#demo/tenants.ts'
import { isImei, type Fleet } from '#fleet/public.ts'
import type { SessionCall } from '#kit/call.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import type { Production } from '#production/public.ts'

const makerPhone = '13800138005'
const model = 'SD-F1'
const fileName = '出厂批次 F1-07.csv'
/** What each vehicle of the batch can do, and what becomes of it; the last two wait for their test. */
const plan = [
  { fault: null, after: 'delivered' },
  { fault: null, after: 'tested' },
  { fault: null, after: 'tested' },
  { fault: 'bolt', after: 'mended' },
  { fault: 'bolt', after: 'rework' },
  { fault: 'battery', after: 'rework' },
  { fault: null, after: 'made' },
  { fault: null, after: 'made' },
] as const
type Planned = (typeof plan)[number]

type Deps = {
  readonly kit: Kit
  readonly production: Pick<Production, 'handlers' | 'workTests'>
  readonly fleet: Pick<Fleet, 'commands' | 'reports'>
  readonly people: ReadonlyMap<string, DemoPerson>
}

const countRow = rowOfValues({ count: computed('bigint', sql`count(*)`) })
const vehicleRow = rowOf('vehicle', 'v', ['id', 'number'])

/** An IMEI of a series whose last digit checks the others. */
function imeiOf(index: number): string {
  const stem = `86900107${String(index).padStart(6, '0')}`
  const digit = Array.from({ length: 10 }, (_, one) => one).find((one) => isImei(`${stem}${one}`))
  return `${stem}${digit ?? 0}`
}

/** The depot lies in the middle of the area. */
function placeIn(ring: readonly (readonly [lng: number, lat: number])[]): {
  readonly lat: number
  readonly lng: number
} {
  const sum = ring.reduce((all, [lng, lat]) => ({ lat: all.lat + lat, lng: all.lng + lng }), { lat: 0, lng: 0 })
  return { lat: sum.lat / ring.length, lng: sum.lng / ring.length }
}

const numberOf = (index: number): string => `SDF1070${index + 1}`

/** Who tests, and where. */
function findMaker(people: Deps['people']) {
  const maker = people.get(makerPhone)
  const agentId = franchiseeId('qinghe')
  const areas = demoServiceAreas.filter((area) => area.agentId === agentId)
  const [first, second] = areas
  if (maker === undefined || first === undefined || second === undefined) return null
  return { first, second, call: callOf(maker, makerPhone, { agentIds: [agentId], areaIds: areas.map(({ id }) => id) }) }
}

/** A batch of vehicles that came, was tested and is being mended; done once. Resolves to the number of tests. */
export async function fillFactory(deps: Deps): Promise<number> {
  const { kit, production, people } = deps
  const found = findMaker(people)
  const [known] = await kit.db.systemRead((k) => countRow.select`from factory_test`.compile(k))
  if (found === null || (known?.count ?? 0) > 0) return 0
  const { call, first, second } = found
  const { handlers } = production
  const lines = plan.map((_, index) => `${numberOf(index)},${imeiOf(index + 1)},QX-F1-070${index + 1},,,${model}`)
  const sheet = importSheetSchema.parse({
    areaId: first.id,
    protocol: 'mqtt',
    newModels: [model],
    name: fileName,
    base64: Buffer.from(['车辆编号,IMEI,SN,MAC,ICCID,型号', ...lines].join('\n')).toString('base64'),
  })
  const { data: batch } = await handlers.uploadCarIdExcel(sheet, call)
  if (batch.bad > 0) return 0
  await handlers.commitVehicleImport({ id: batch.id, rows: 'all' }, call)
  const vehicles = await kit.db.systemRead((k) =>
    vehicleRow.select`
      from vehicle v join production_unit u on u.vehicle_id = v.id where u.import_id = ${batch.id} order by v.number`.compile(
      k,
    ),
  )
  let tests = 0
  for (const [index, vehicle] of vehicles.entries()) {
    const planned = plan[index]
    if (planned === undefined || planned.after === 'made') continue
    tests += await throughFactory(deps, call, { vehicle, planned, place: placeIn(first.ring), deliverTo: second.id })
  }
  return tests
}

type Made = {
  readonly vehicle: { readonly id: number; readonly number: string }
  readonly planned: Planned
  readonly place: { readonly lat: number; readonly lng: number }
  readonly deliverTo: number
}

async function throughFactory(
  deps: Deps,
  call: SessionCall,
  { vehicle, planned, place, deliverTo }: Made,
): Promise<number> {
  const { handlers } = deps.production
  const tested = { ...vehicle, place }
  await testOne(deps, call, { ...tested, fault: planned.fault })
  if (planned.after === 'delivered') {
    await handlers.deliverUnits({ vehicleIds: [vehicle.id], areaId: deliverTo }, call)
    return 1
  }
  if (planned.after !== 'mended') return 1
  const question = {
    filter: { vehicleId: vehicle.id, states: ['open' as const] },
    sort: 'opened' as const,
    pageSize: 1,
  }
  const [rework] = (await handlers.listReworks(question, call)).data.list
  if (rework === undefined) return 1
  await handlers.swapPart({ vehicleId: vehicle.id, part: 'lock', reason: '锁舌卡死', isImeiUnchecked: false }, call)
  await handlers.finishRework({ id: rework.id, note: '更换车锁，手动开关 20 次正常' }, call)
  await testOne(deps, call, { ...tested, fault: null })
  return 2
}

type Tested = {
  readonly id: number
  readonly number: string
  readonly place: { readonly lat: number; readonly lng: number }
  readonly fault: Planned['fault']
}

const turnsMax = 60

/** The test of one vehicle, from its beginning to its end. */
async function testOne(deps: Deps, call: SessionCall, vehicle: Tested): Promise<void> {
  const { handlers, workTests } = deps.production
  await handlers.beginFactoryTest({ vehicleId: vehicle.id }, call)
  const device = deviceOf(deps, vehicle)
  for (let turn = 0; turn < turnsMax; turn += 1) {
    await workTests()
    const { data } = await handlers.factoryTestBench({ text: vehicle.number }, call)
    if (data.test?.state !== 'running') return
    await device.answer(runningStep(data.test.steps))
  }
}

const runningStep = (steps: readonly { readonly step: FactoryStep; readonly state: string }[]) =>
  steps.find(({ state }) => state === 'running')?.step

/** The device of a vehicle under test: it does what it is told, as far as it is whole. */
function deviceOf({ kit, fleet }: Pick<Deps, 'kit' | 'fleet'>, { id: vehicleId, place, fault }: Tested) {
  let locked = true
  const report = (alarms: readonly string[]) =>
    kit.db.system(async (tx) => {
      const at = kit.clock.now()
      await fleet.reports.apply(tx, await fleet.reports.lock(tx, [vehicleId]), [
        {
          vehicleId,
          receivedAt: at,
          occurredAt: at,
          position: { ...place, speedKmh: 0, headingDeg: null },
          batteryPercent: fault === 'battery' ? 12 : 76,
          voltageV: fault === 'battery' ? 40.1 : 50.6,
          locked,
          charging: false,
          signal: 27,
          odometerM: 0,
          alarms,
          commanded: true,
        },
      ])
    })
  return {
    /** Reports, is moved where the step asks for it, and does its command. */
    async answer(step: FactoryStep | undefined): Promise<void> {
      await report(step === 'movement' ? ['illegal_movement'] : [])
      const command = await fleet.commands.claim(vehicleId)
      if (command === null) return
      const { commandId, kind } = command
      const turns = kind === 'lock' || kind === 'unlock'
      if (turns && fault === 'bolt') {
        await fleet.commands.move({
          commandId,
          vehicleId,
          kind,
          to: 'failed',
          failure: '车辆执行失败，请检查车锁是否被卡住',
        })
        return
      }
      if (turns) locked = kind === 'lock'
      await fleet.commands.move({ commandId, vehicleId, kind, to: 'confirmed' })
      await report([])
    },
  }
}

/** A person needs so long for a step; each is over before its time is. */
const atBenchMs = (step: FactoryStep | undefined): number => (step === 'movement' ? 70 : 40) * secondMs
const lookEveryMs = 3 * secondMs
/** Then the batch is done: the lives of its vehicles stay readable. */
const benchTestsMax = 100
const benchVehicles = plan.flatMap(({ after }, index) =>
  after === 'tested' || after === 'mended' || index === plan.length - 2 ? [numberOf(index)] : [],
)
const nextRow = rowsOf(vehicleRow, rowOfValues({ tests: computed('bigint', sql`(select count(*) from factory_test)`) }))

/** The vehicle of the bench that was tested least recently, and not while another one is under test. */
const selectNext = () => nextRow.select`
  from vehicle v join production_unit u on u.vehicle_id = v.id
  where v.number = any (${benchVehicles}::text[]) and u.stage in ('made', 'tested')
    and not exists (select from factory_test t where t.vehicle_id = v.id and t.state = 'running')
  order by u.stage, (select max(t.begun_at) from factory_test t where t.vehicle_id = v.id) nulls first, v.number limit 1`

/** Goes on testing the batch, one vehicle after the other and as slowly as a person does it, while the demo runs. */
export function startBench(deps: Deps): void {
  const { kit, production } = deps
  const found = findMaker(deps.people)
  if (found === null) return
  const { call, first } = found
  let vehicle: (Tested & ReturnType<typeof deviceOf>) | null = null
  let since = 0
  let shown: FactoryStep | undefined
  const begin = async (): Promise<void> => {
    const [next] = await kit.db.systemRead((k) => selectNext().compile(k))
    if (next === undefined || next.tests >= benchTestsMax) return
    await production.handlers.beginFactoryTest({ vehicleId: next.id }, call)
    const tested = { id: next.id, number: next.number, place: placeIn(first.ring), fault: null }
    vehicle = { ...tested, ...deviceOf(deps, tested) }
    ;[since, shown] = [kit.clock.now(), undefined]
  }
  const look = async (): Promise<void> => {
    if (vehicle === null) return begin()
    const { data } = await production.handlers.factoryTestBench({ text: vehicle.number }, call)
    if (data.test?.state !== 'running') {
      vehicle = null
      return begin()
    }
    const step = runningStep(data.test.steps)
    if (step !== shown) [since, shown] = [kit.clock.now(), step]
    else if (kit.clock.now() - since >= atBenchMs(step)) await vehicle.answer(step)
  }
  let isLooking = false
  setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look()
      .catch((err: unknown) => kit.log.warn({ err }, 'the test bench of the demo stands still'))
      .finally(() => (isLooking = false))
  }, lookEveryMs).unref()
}
