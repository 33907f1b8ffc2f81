import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { dayMs } from '@saddle/contract/time.ts'
import { testDatabase } from '#test/database.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { copyReports, ensureReportDays, insertReports, isRepeated, reportColumns, type PlacedReport } from './store.ts'

const { db, owner } = await testDatabase()
beforeAll(async () => {
  await db.system((tx) => ensureReportDays(tx, TEST_START_MS))
})

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
// Text knows no negative zero.
const plain = (arbitrary: fc.Arbitrary<number>) => arbitrary.map((value) => value + 0)
// What a column of four bytes can hold exactly.
const real = (min: number, max: number) =>
  plain(fc.float({ min: Math.fround(min), max: Math.fround(max), noNaN: true }))
const name = fc.stringMatching(/^[a-z][a-z0-9_]{2,39}$/)

const position = fc.record({
  lat: plain(fc.double({ min: -90, max: 90, noNaN: true })),
  lng: plain(fc.double({ min: -180, max: 180, noNaN: true })),
  fix: fc.boolean(),
  speedKmh: maybe(real(0, 200)),
  headingDeg: maybe(real(0, 360)),
  altitudeM: maybe(real(-500, 10_000)),
})
const placed: fc.Arbitrary<PlacedReport> = fc
  .record({
    vehicleId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    agentId: fc.integer({ min: 1, max: 1_000 }),
    areaId: fc.integer({ min: 1, max: 1_000 }),
    frameCrc: fc.integer(),
    kind: name.map((text) => text.slice(0, 20)),
    // Days before and after midnight, to the millisecond.
    occurredAt: fc.integer({ min: TEST_START_MS - 6 * dayMs, max: TEST_START_MS + dayMs }),
    report: fc.record({
      receivedAt: fc.integer({ min: Date.UTC(1999, 11, 31), max: TEST_START_MS }),
      position: maybe(position),
      batteryPercent: maybe(real(0, 100)),
      voltageV: maybe(real(0, 1_000)),
      locked: maybe(fc.boolean()),
      charging: maybe(fc.boolean()),
      signal: maybe(fc.integer({ min: -32_767, max: 32_767 })),
      odometerM: maybe(fc.integer({ min: 0, max: 2_000_000_000 })),
      alarms: fc.array(name, { maxLength: 8 }),
    }),
  })
  .map(({ vehicleId, agentId, areaId, frameCrc, kind, occurredAt, report }) => ({
    agentId,
    areaId,
    row: {
      vehicleId,
      frameCrc,
      kind,
      commanded: false,
      isRepeat: false,
      unchanged: 0,
      report: { ...report, occurredAt, faults: [] },
    },
  }))
const batch = fc.uniqueArray(placed, { selector: ({ row }) => row.frameCrc, minLength: 1, maxLength: 40 })

const all = () => sql<object>`select ${reportColumns.list} from device_report order by frame_crc`

it('COPY stores what INSERT stores, for whatever a report can hold', async () => {
  await fc.assert(
    fc.asyncProperty(batch, async (reports) => {
      await sql`delete from device_report`.execute(owner)
      await db.system((tx) => copyReports(tx, db, reports))
      const copied = (await all().execute(owner)).rows
      await sql`delete from device_report`.execute(owner)
      await db.system((tx) => insertReports(tx, reports))
      expect(copied).toHaveLength(reports.length)
      expect(copied).toEqual((await all().execute(owner)).rows)
    }),
    { numRuns: 40 },
  )
})

it('many rows go out in chunks that fit together, and one that is there already takes the batch back', async () => {
  await sql`delete from device_report`.execute(owner)
  const [first] = fc.sample(placed, 1)
  if (first === undefined) throw new Error('no sample')
  const alarms = Array.from({ length: 8 }, () => 'x'.repeat(40))
  const longest = { ...first, row: { ...first.row, kind: 'k'.repeat(20), report: { ...first.row.report, alarms } } }
  const numbered = (frameCrc: number): PlacedReport => ({ ...longest, row: { ...longest.row, frameCrc } })
  const rows = Array.from({ length: 3_000 }, (_, n) => numbered(n - 1_500))
  await db.system((tx) => copyReports(tx, db, rows))
  const count = async () =>
    (await sql<{ n: number }>`select count(*) as n from device_report`.execute(owner)).rows[0]?.n
  expect(await count()).toBe(3_000)
  const again = rows.map((one, n) => (n < 2 ? one : numbered(10_000 + n)))
  const failure = await db.system((tx) => copyReports(tx, db, again)).catch((error: unknown) => error)
  expect(isRepeated(failure)).toBe(true)
  expect(await count()).toBe(3_000)
  const fresh = await db.system((tx) => insertReports(tx, again))
  expect([fresh.size, await count()]).toEqual([2_998, 5_998])
})
