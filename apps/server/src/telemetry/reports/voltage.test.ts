import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { voltageEndpoints } from '@saddle/contract/production/voltage.ts'
import { voltageLimits } from '@saddle/contract/production/voltageWords.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { usualCurve } from '@saddle/contract/fleet/batteryCurve.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS } from '#test/kit.ts'
import { eventually, field, northScope, openLine, seedField, startField } from '../field.fixture.ts'
import { createTelemetryMetrics } from '../metrics.ts'
import { sanitizeReport } from './rules.ts'
import { ensureReportDays } from './store.ts'
import { createReportWriter } from './writer.ts'

const { db, owner } = await testDatabase()
await seedField(owner)
const site = await startField(db)
const { clock } = site.kit
const { handlers, workReplays } = site.production
const writer = createReportWriter({
  kit: site.kit,
  fleet: site.fleet,
  metrics: createTelemetryMetrics(new Registry()),
  flushAfterMs: 1,
})
beforeAll(() => db.system((tx) => ensureReportDays(tx, TEST_START_MS)))
afterAll(async () => {
  await writer.close()
  await site.gateway.close()
})

const grant = { agentIds: [2, 3, 4], areaIds: [31, 32, 41] }
const platform = sessionCall({ operatorId: 1, agentId: 2, grant, name: '林一', permissions: ['0601'] })
const north = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['0601'] })
const south = { agentIds: [4], areaIds: [41] }
const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: south, name: '陈立', permissions: ['0601'] })

type Said = {
  readonly afterMs: number
  readonly lateMs: number
  readonly voltageV: number
  readonly percent: number
  readonly locked: boolean | null
}

/** A pseudo-random walk of a battery: rides, rests, a charge. `late`: some reports come after younger ones. */
function walk({ count, late }: { readonly count: number; readonly late: boolean }): Said[] {
  let seed = 7
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  let volts = 50
  let locked = true
  return Array.from({ length: count }, (_, n) => {
    if (next() < 0.1) locked = !locked
    volts = volts < 45.6 || next() < 0.02 ? 54 : volts - next() * 0.15
    const voltageV = Math.round((volts - (locked ? 0 : 0.9) + (next() - 0.5) * 0.2) * 100) / 100
    return {
      afterMs: n * 30_000,
      lateMs: late && next() < 0.2 ? Math.floor(next() * 5 * minuteMs) : 0,
      voltageV,
      percent: Math.max(0, Math.min(100, Math.round((volts - 44) * 9.5))),
      locked: next() < 0.5 ? locked : null,
    }
  })
}

/** Lets the gateway's writer have reports of a vehicle, `together` in one batch. */
async function feed(
  vehicleId: number,
  said: readonly Said[],
  { startMs, together }: { startMs: number; together: number },
) {
  const rows = said.map(({ afterMs, lateMs, voltageV, percent, locked }, n) => {
    const receivedAt = startMs + afterMs
    const occurredAt = receivedAt - lateMs
    const facts = { voltageV, batteryPercent: percent, ...(locked !== null && { locked }) }
    const report = sanitizeReport({ occurredAt, position: null, ...facts }, receivedAt)
    return { vehicleId, kind: 'H0', frameCrc: n, commanded: false, isRepeat: false, report, unchanged: 0 }
  })
  for (let from = 0; from < rows.length; from += together) {
    await Promise.all(rows.slice(from, from + together).map((row) => writer.add(row)))
  }
}

const stored = (vehicleId: number) =>
  owner
    .selectFrom('device_report')
    .select(['battery_percent', 'battery_version', 'said_percent'])
    .where('vehicle_id', '=', vehicleId)
    .orderBy('received_at')
    .orderBy('occurred_at')
    .execute()
const alarmsOf = async (vehicleId: number): Promise<number> =>
  (
    await owner
      .selectFrom('vehicle_alarm')
      .select('id')
      .where('vehicle_id', '=', vehicleId)
      .where('kind', '=', 'low_battery')
      .execute()
  ).length

const terms = (changes: object = {}) =>
  voltageEndpoints.saveVoltageDraft.input.parse({
    schemeId: 1,
    revision: 0,
    points: usualCurve,
    hysteresisPercent: 2,
    loadDropV: 0.9,
    chargeRiseV: 0.5,
    models: [{ model: 'SD-E2', protocol: 'omni' }],
    ...changes,
  })
const versionOf = async (schemeId: number) =>
  (await handlers.voltageSchemeDetail({ id: schemeId }, platform)).data.versions[0]!

async function replayed(schemeId: number) {
  const { id: versionId, revision } = await versionOf(schemeId)
  await handlers.startVoltageReplay({ versionId, revision }, platform)
  await workReplays()
  return { versionId, revision }
}

it('a replay says to the point what the platform shows once the version counts', async () => {
  const [orderly, mixed] = [walk({ count: 600, late: false }), walk({ count: 600, late: true })]
  const [before, beforeMixed] = [await site.addVehicle(), await site.addVehicle()]
  const startMs = TEST_START_MS - 12 * hourMs
  await feed(before.id, orderly, { startMs, together: 1 })
  await feed(beforeMixed.id, mixed, { startMs, together: 17 })
  expect((await stored(before.id)).every(({ battery_version }) => battery_version === null)).toBe(true)

  const { data: scheme } = await handlers.saveVoltageScheme(
    { id: null, name: '48V 13S', cells: 13, note: '' },
    platform,
  )
  await handlers.saveVoltageDraft(terms({ schemeId: scheme.id }), platform)
  const { versionId, revision } = await replayed(scheme.id)
  const { data: replay } = await handlers.voltageReplay({ versionId }, platform)
  expect(replay).toMatchObject({
    state: 'done',
    isCurrent: true,
    progressPercent: 100,
    vehicles: 2,
    vehiclesChanged: 2,
  })
  expect(replay?.readings).toBe(1_200)
  const example = replay?.examples.find(({ vehicleId }) => vehicleId === before.id)
  expect(example?.alarmsReplayed).toBeGreaterThan(0)
  expect(example?.alarmsReplayed).not.toBe(example?.alarmsShown)
  expect(example?.alarmsShown).toBe(await alarmsOf(before.id))
  const track = async (vehicleId: number) =>
    (await handlers.voltageReplayTrack({ versionId, vehicleId }, platform)).data.points.map((point) => point.replayed)
  const [expected, expectedMixed] = [await track(before.id), await track(beforeMixed.id)]
  expect(expected).toHaveLength(600)

  const { data: decided } = await handlers.enforceVoltageVersion(
    { versionId, revision, from: null, reason: '试点' },
    platform,
  )
  expect(decided.from).toBe(TEST_START_MS + voltageLimits.leadMs)
  clock.set(decided.from)
  const [after, afterMixed] = [await site.addVehicle(), await site.addVehicle()]
  await feed(after.id, orderly, { startMs: decided.from, together: 1 })
  await feed(afterMixed.id, mixed, { startMs: decided.from, together: 5 })
  const rows = await stored(after.id)
  expect(rows.map((row) => row.battery_percent)).toEqual(expected)
  expect(rows.every((row) => row.battery_version === versionId)).toBe(true)
  expect(rows.map((row) => row.said_percent)).toEqual(orderly.map(({ percent }) => percent))
  expect((await stored(afterMixed.id)).map((row) => row.battery_percent)).toEqual(expectedMixed)
  expect(await alarmsOf(after.id)).toBe(example?.alarmsReplayed)
  const now = await owner
    .selectFrom('vehicle_status')
    .select(['battery_percent', 'battery_version'])
    .where('vehicle_id', '=', after.id)
    .executeTakeFirstOrThrow()
  expect(now).toEqual({ battery_percent: expected.at(-1), battery_version: versionId })
})

it('the gateway shows the percentage of the version that counts, and the own one again when it has ended', async () => {
  const scheme = (await handlers.listVoltageSchemes({ filter: {}, sort: 'name', pageSize: 10 }, platform)).data.list[0]!
  const { id: versionId, revision } = await versionOf(scheme.id)
  const vehicle = await site.addVehicle(field.north)
  const line = await openLine({ port: site.gateway.ports.omni, imei: vehicle.imei })
  const say = (voltageV: number) =>
    line.say({ instruction: 'H0', locked: true, voltageV, signal: 20, batteryPercent: 80, charging: false })
  const percent = async () =>
    (
      await owner
        .selectFrom('vehicle_status')
        .select('battery_percent')
        .where('vehicle_id', '=', vehicle.id)
        .executeTakeFirstOrThrow()
    ).battery_percent
  say(48.6)
  await eventually(async () => expect(await percent()).toBe(50))
  await handlers.withdrawVoltageVersion({ versionId, revision, reason: '结束试点' }, platform)
  clock.set(clock.now() + voltageLimits.leadMs)
  say(48.7)
  await eventually(async () => expect(await percent()).toBe(80))
  line.end()
  expect((await versionOf(scheme.id)).state).toBe('ended')
})

it('only the platform changes schemes; companies see those of their models', async () => {
  const scheme = { id: null, name: '60V 16S', cells: 16, note: '' }
  await expect(handlers.saveVoltageScheme(scheme, north)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(handlers.saveVoltageDraft(terms(), north)).rejects.toMatchObject({ code: 'forbidden' })
  const { data: second } = await handlers.saveVoltageScheme(scheme, platform)
  await expect(handlers.saveVoltageScheme(scheme, platform)).rejects.toMatchObject({ code: 'name_taken' })
  const question = { filter: {}, sort: 'name' as const, pageSize: 10 }
  const names = async (call: typeof north) =>
    (await handlers.listVoltageSchemes(question, call)).data.list.map(({ name }) => name)
  expect(await names(platform)).toEqual(['48V 13S', '60V 16S'])
  expect(await names(north)).toEqual(['48V 13S'])
  expect(await names(foreign)).toEqual([])
  await expect(handlers.voltageSchemeDetail({ id: second.id }, north)).rejects.toMatchObject({ code: 'not_found' })
})

it('a draft counts only after the replay of what it says now, and a model has one scheme', async () => {
  const [first, second] = (await handlers.listVoltageSchemes({ filter: {}, sort: 'name', pageSize: 10 }, platform)).data
    .list
  await handlers.saveVoltageDraft(terms({ schemeId: second!.id }), platform)
  await expect(handlers.saveVoltageDraft(terms({ schemeId: second!.id }), platform)).rejects.toMatchObject({
    code: 'voltage_changed',
  })
  const draft = await versionOf(second!.id)
  const shown = { versionId: draft.id, revision: draft.revision, from: null, reason: 'r' }
  await expect(handlers.enforceVoltageVersion(shown, platform)).rejects.toMatchObject({ code: 'voltage_not_replayed' })
  await replayed(second!.id)
  await handlers.saveVoltageDraft(terms({ schemeId: second!.id, revision: 1, hysteresisPercent: 5 }), platform)
  const changed = { ...shown, revision: 2 }
  await expect(handlers.enforceVoltageVersion(changed, platform)).rejects.toMatchObject({
    code: 'voltage_not_replayed',
  })
  await replayed(second!.id)
  const from = clock.now() + hourMs
  await expect(handlers.enforceVoltageVersion({ ...changed, from: clock.now() }, platform)).rejects.toMatchObject({
    code: 'voltage_from',
  })
  await handlers.enforceVoltageVersion({ ...changed, from }, platform)
  expect((await versionOf(second!.id)).state).toBe('waiting')

  await handlers.saveVoltageDraft(terms({ schemeId: first!.id }), platform)
  const rival = await replayed(first!.id)
  await expect(handlers.enforceVoltageVersion({ ...rival, from: null, reason: 'r' }, platform)).rejects.toMatchObject({
    code: 'voltage_model_taken',
  })
  await handlers.withdrawVoltageVersion({ versionId: draft.id, revision: 2, reason: 'r' }, platform)
  await handlers.enforceVoltageVersion({ ...rival, from: null, reason: 'r' }, platform)
  clock.set(clock.now() + voltageLimits.leadMs)
  expect((await versionOf(first!.id)).state).toBe('in_force')
})
