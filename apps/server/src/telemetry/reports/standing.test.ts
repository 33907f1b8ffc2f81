import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pastEndpoints } from '@saddle/contract/fleet/past.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import { createFleet } from '#fleet/public.ts'
import { createAudit } from '#audit/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { field, northScope, seedField } from '../field.fixture.ts'
import { createTelemetryMetrics } from '../metrics.ts'
import { sanitizeReport } from './rules.ts'
import { createStandingReports, newStanding, TakenReport, type Standing } from './standing.ts'
import { ensureReportDays, type AcceptedReport } from './store.ts'
import { createReportWriter } from './writer.ts'

const heldForMs = 9 * minuteMs
const home = { lat: 31.3, lng: 120.6 }

class Answered extends TakenReport {
  readonly #onSettled: (failure: unknown) => void

  constructor(said: AcceptedReport, onSettled: (failure: unknown) => void) {
    super(said)
    this.#onSettled = onSettled
  }

  override settled(failure: unknown): void {
    super.settled(failure)
    this.#onSettled(failure)
  }
}

/** A writer that commits when it is told to. */
function ofOne() {
  const written: AcceptedReport[] = []
  let settle: (() => void)[] = []
  const standing = newStanding()
  let held = 0
  const reports = createStandingReports({
    writer: {
      push(row, waiting) {
        row.onPlaced?.('available', false)
        written.push(row)
        settle.push(() => waiting.settled(null))
      },
    },
    offlineAfterMs: () => heldForMs + minuteMs,
    onHeld: () => (held += 1),
  })
  const commit = () => {
    for (const settled of settle.splice(0)) settled()
  }
  const say = (atMs: number, said: Partial<DeviceReport> = {}, { isAwaited = false, commanded = false } = {}) => {
    let answers = 0
    const report = sanitizeReport({ deviceId: '', occurredAt: atMs, position: null, ...said }, atMs)
    const row = { vehicleId: 1, kind: 'H0', frameCrc: atMs, commanded, isRepeat: false, report, unchanged: 0 }
    reports.take(standing, new Answered(row, () => (answers += 1)), { isAwaited })
    return () => answers
  }
  /** A vehicle that stands and has said all that it knows. */
  const stand = () => {
    say(0, { ...parked, position: { ...home, fix: true } })
    commit()
  }
  return { written, standing, reports, commit, say, stand, held: () => held }
}

const parked = { locked: true, batteryPercent: 80, voltageV: 50, signal: 28, charging: false }

describe('a vehicle that stands', () => {
  it('is answered at once for what is stored already, and its last word is stored in time', () => {
    const one = ofOne()
    one.stand()
    const answers = [1, 2, 3].map((minute) => one.say(minute * minuteMs, parked)())
    expect([answers, one.written.length, one.held()]).toEqual([[1, 1, 1], 1, 3])
    one.reports.tick(heldForMs - 1)
    expect(one.written).toHaveLength(1)
    one.reports.tick(heldForMs)
    expect(one.written.map(({ report, unchanged }) => [report.receivedAt, unchanged])).toEqual([
      [0, 0],
      [3 * minuteMs, 2],
    ])
  })

  it('is stored again itself when its time has come, instead of what it said before', () => {
    const one = ofOne()
    one.stand()
    for (const minute of [3, 6, 9]) one.say(minute * minuteMs, parked)
    expect(one.written.map(({ report, unchanged }) => [report.receivedAt, unchanged])).toEqual([
      [0, 0],
      [9 * minuteMs, 2],
    ])
  })

  it('has its last word stored before the next that says something new, with what was not kept between', () => {
    const one = ofOne()
    one.stand()
    for (const minute of [1, 2])
      one.say(minute * minuteMs, { position: { ...home, lat: home.lat + 0.0001, fix: true } })
    one.say(3 * minuteMs, { batteryPercent: 79 })
    expect(one.written.map(({ report, unchanged }) => [report.receivedAt, unchanged])).toEqual([
      [0, 0],
      [2 * minuteMs, 1],
      [3 * minuteMs, 0],
    ])
  })

  it('is stored again by a new connection, which may follow another gateway', () => {
    const one = ofOne()
    one.stand()
    one.say(minuteMs, parked)
    one.reports.begin(one.standing)
    one.say(2 * minuteMs, parked)
    // What was on its way when the connection began tells nothing of what is stored now.
    one.commit()
    expect(one.written.map(({ report }) => report.receivedAt)).toEqual([0, minuteMs, 2 * minuteMs])
  })

  it.each<[string, Partial<DeviceReport>, { isAwaited?: boolean; commanded?: boolean }?]>([
    ['moves', { position: { lat: home.lat + 0.0002, lng: home.lng, fix: true } }],
    ['rolls', { position: { ...home, speedKmh: 4, fix: true } }],
    ['is unsure of its place', { position: { ...home, fix: false } }],
    ['opens its lock', { locked: false }],
    ['is charged', { charging: true }],
    ['loses a per cent', { batteryPercent: 79 }],
    ['loses voltage', { voltageV: 49.8 }],
    ['loses its signal', { signal: 20 }],
    ['says what it had not said', { odometerM: 5_000 }],
    ['names an alarm', { alarms: ['fallen'] }],
    ['tells of an earlier time', { occurredAt: minuteMs - 2 * minuteMs }],
    ['turned by command', {}, { commanded: true }],
    ['is waited for', {}, { isAwaited: true }],
  ])('is written when it %s', (_, said, how) => {
    const one = ofOne()
    one.stand()
    const answers = one.say(minuteMs, said, how)
    expect([one.written.length, answers()]).toEqual([2, 0])
    one.commit()
    expect(answers()).toBe(1)
  })

  it('is written while what it said before is not committed, and while it is not served', () => {
    const one = ofOne()
    one.say(0, parked)
    one.say(1, parked)
    expect(one.written).toHaveLength(2)
    one.commit()
    one.standing.stored = { ...one.standing.stored!, isServed: false }
    one.say(2, parked)
    expect(one.written).toHaveLength(3)
  })
})

describe('the history of a vehicle that stands and rides', () => {
  let db: Awaited<ReturnType<typeof testDatabase>>['db']
  let owner: Awaited<ReturnType<typeof testDatabase>>['owner']
  let ids: readonly number[] = []
  let kit: ReturnType<typeof testKit>
  let fleet: ReturnType<typeof createFleet>
  let writer: ReturnType<typeof createReportWriter>

  beforeAll(async () => {
    ;({ db, owner } = await testDatabase())
    await seedField(owner)
    kit = testKit(db)
    fleet = createFleet(kit, { audit: createAudit(kit) })
    const metrics = createTelemetryMetrics(new Registry())
    writer = createReportWriter({ kit, fleet, metrics, flushAfterMs: 0 })
    await db.system((tx) => ensureReportDays(tx, TEST_START_MS))
    const { agentId, areaId } = field.north
    ids = await db.system((tx) =>
      fleet.vehicles.register(
        tx,
        ['1', '2'].map((n) => ({ agentId, areaId, number: `SD00${n}`, imei: `86123456700000${n}`, model: 'SD-E2' })),
      ),
    )
  })
  afterAll(() => writer.close())

  /** Two rides of ten minutes, three rests, and fixes that differ by metres while it rests. */
  function* day(startMs: number): Generator<{ at: number; report: DeviceReport }> {
    let seed = 11
    const noise = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 / 1e5
    let [lat, percent] = [home.lat, 80]
    for (let minute = 0; minute < 200; minute += 1) {
      const isRidden = (minute >= 60 && minute < 70) || (minute >= 130 && minute < 140)
      for (const second of isRidden ? [0, 10, 20, 30, 40, 50] : [0]) {
        if (isRidden) lat += 0.0003
        if (isRidden && second === 0) percent -= 1
        const position = { lat: lat + noise(), lng: home.lng + noise(), fix: true, speedKmh: isRidden ? 12 : 0 }
        const at = startMs + minute * minuteMs + second * 1_000
        yield {
          at,
          report: { ...parked, deviceId: '', occurredAt: at, position, locked: !isRidden, batteryPercent: percent },
        }
      }
    }
  }

  it('has the same rides, stays and last state, with fewer rows, and as many messages', async () => {
    const startMs = TEST_START_MS + hourMs
    const [whole = 0, few = 0] = ids
    const written: Promise<void>[] = []
    const standings = new Map<number, Standing>(ids.map((id) => [id, newStanding()]))
    const standing = createStandingReports({ writer, offlineAfterMs: () => 10 * minuteMs, onHeld: () => {} })
    for (const { at, report } of day(startMs)) {
      kit.clock.set(at)
      const row = (vehicleId: number): AcceptedReport => ({
        vehicleId,
        kind: 'report',
        frameCrc: at % 1_000_000,
        commanded: false,
        isRepeat: false,
        report: sanitizeReport(report, at),
        unchanged: 0,
      })
      const isWritten = writer.add(row(whole))
      await new Promise<unknown>((settled) =>
        standing.take(standings.get(few)!, new Answered(row(few), settled), { isAwaited: false }),
      )
      written.push(isWritten)
    }
    await Promise.all(written)
    standing.tick(kit.clock.now() + 10 * minuteMs)
    await writer.close()
    kit.clock.advance(10 * minuteMs)
    await fleet.makeBooks()

    const rows = (id: number) =>
      owner.selectFrom('device_report').select('unchanged').where('vehicle_id', '=', id).execute()
    const [all, kept] = [await rows(whole), await rows(few)]
    expect(all).toHaveLength(300)
    expect(kept.reduce((sum, { unchanged }) => sum + 1 + unchanged, 0)).toBe(300)
    // 120 of them are of the rides.
    expect(kept.length).toBeLessThan(150)

    const call = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可' })
    const past = async (vehicleId: number) => {
      const span = { from: startMs - minuteMs, to: startMs + 4 * hourMs }
      const { data } = await fleet.handlers.itinerary({ vehicleId, ...span }, call)
      return pastEndpoints.itinerary.output.shape.data.parse(data)
    }
    expect(await past(few)).toEqual(await past(whole))
    const segments = (id: number) =>
      owner.selectFrom('track_segment').selectAll().where('vehicle_id', '=', id).orderBy('started_at').execute()
    const withoutId = (found: Awaited<ReturnType<typeof segments>>) =>
      found.map((segment) => ({ ...segment, vehicle_id: 0 }))
    expect(withoutId(await segments(few))).toEqual(withoutId(await segments(whole)))
    const state = async (id: number) => {
      const found = owner.selectFrom('vehicle_status').selectAll().where('vehicle_id', '=', id)
      return { ...(await found.executeTakeFirstOrThrow()), vehicle_id: 0, version: 0 }
    }
    expect(await state(few)).toEqual(await state(whole))
  })
})
