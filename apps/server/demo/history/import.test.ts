import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { demoVehicleNumber } from '@saddle/contract/demo/city.ts'
import { decodeTrack } from '@saddle/contract/telemetry/track.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet, fleetTopics, type VehicleNow } from '#fleet/public.ts'
import { testDatabase } from '#test/database.ts'
import { TEST_START_MS, testKit } from '#test/kit.ts'
import { fillTasks } from '../past/tasks.ts'
import { demoPicture } from '../pictures.ts'
import { seedDemo } from '../seed.ts'
import { readManifest } from './files.ts'
import { importHistory, startHistoryImport } from './import.ts'

const simulator = fileURLToPath(new URL('../../../simulator/src/history/main.ts', import.meta.url))
const { db, owner } = await testDatabase()
const kit = testKit(db)
const audit = createAudit(kit)
const fleet = createFleet(kit, { audit })
const vehicles = 120
const endMs = TEST_START_MS - minuteMs

let made = ''
let folder = ''
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'history-made-'))
  folder = await mkdtemp(join(tmpdir(), 'history-'))
  const end = new Date(endMs).toISOString()
  const args = [simulator, '--out', made, '--days', '3', '--end', end, '--vehicles', String(vehicles), '--seed', '5']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`no history: ${stderr}`)
  await seedDemo(kit)
})
afterAll(async () => {
  await rm(made, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

const tables = ['track_segment', 'trip', 'vehicle_event', 'vehicle_alarm', 'task'] as const
const counts = async () => {
  const found: Record<string, number> = {}
  for (const table of tables) {
    const { total } = await owner
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    found[table] = total
  }
  return found
}

describe('the import of the past', () => {
  it('reads in the end first, tells the live index, goes on after a stop, and takes nothing twice', async () => {
    await cp(made, folder, { recursive: true })
    const manifest = (await readManifest(folder))!
    const heard: VehicleNow[] = []
    kit.bus.subscribe(fleetTopics.vehicle, (batch) => void heard.push(...batch))
    // Stopped as soon as the state is there, as by a kill: the rest is for the next start.
    const abort = new AbortController()
    const first = await importHistory({
      kit,
      fleet,
      folder,
      manifest,
      signal: abort.signal,
      onState: () => abort.abort(),
    })
    expect(first).toBe(1)
    expect(heard.filter(({ factsAt }) => factsAt === endMs)).toHaveLength(vehicles)
    const days = () => owner.selectFrom('demo_history_day').select('day').orderBy('day').execute()
    expect(await days()).toEqual([{ day: manifest.days.at(-1)!.day }])

    expect(await importHistory({ kit, fleet, folder, manifest })).toBe(manifest.days.length - 1)
    expect(await days()).toEqual(manifest.days.map(({ day }) => ({ day })))
    expect((await readdir(folder)).filter((name) => name.endsWith('.rows'))).toEqual([])
    const before = await counts()
    const sum = (name: 'segment' | 'trip' | 'event' | 'alarm' | 'task') =>
      manifest.days.reduce((total, { rows }) => total + (rows[name] ?? 0), 0)
    expect(before).toMatchObject({
      track_segment: sum('segment'),
      trip: sum('trip'),
      vehicle_alarm: sum('alarm'),
      task: sum('task'),
    })

    await cp(made, folder, { recursive: true })
    expect(await importHistory({ kit, fleet, folder, manifest })).toBe(0)
    expect(await counts()).toEqual(before)
  })

  it('puts everything under the tenant and area of its vehicle, in the order of time by id', async () => {
    for (const table of tables) {
      const { rows } = await sql<{ wrong: number }>`
        select count(*) as wrong from ${sql.table(table)} h join vehicle v on v.id = h.vehicle_id
        where (h.agent_id, h.area_id) is distinct from (v.agent_id, v.area_id)`.execute(owner)
      expect(rows).toEqual([{ wrong: 0 }])
    }
    const { rows } = await sql<{ wrong: number }>`
      select count(*) as wrong from (
        select occurred_at < lag(occurred_at) over (partition by vehicle_id order by id) as is_back from vehicle_event
      ) e where is_back`.execute(owner)
    expect(rows).toEqual([{ wrong: 0 }])
    const [early, late] = await Promise.all(
      (['asc', 'desc'] as const).map((order) =>
        owner.selectFrom('trip').select(['id', 'ended_at']).orderBy('ended_at', order).limit(1).execute(),
      ),
    )
    expect(early![0]!.id).toBeLessThan(late![0]!.id)
  })

  it('tells of every task who took which step, and what became of it', async () => {
    const { rows } = await sql<{ tasks: number; nameless: number; steps: number; approved: number; waiting: number }>`
      select count(*)::integer as tasks, (count(*) filter (where assignee_id is null or due_at is null))::integer as nameless,
        (sum((select count(*) from task_step s where s.task_id = t.id and s.step <> 'approved')))::integer as steps,
        (count(*) filter (where e.state = 'approved'))::integer as approved,
        (count(*) filter (where e.state = 'waiting' and done_at < ${new Date(endMs - dayMs)}))::integer as waiting
      from task t left join task_review e on e.task_id = t.id where t.state = 'done'`.execute(owner)
    const [row] = rows
    expect(row!.tasks).toBeGreaterThan(20)
    expect(row).toMatchObject({ nameless: 0, steps: 4 * row!.tasks, waiting: 0 })
    expect(row!.approved).toBeGreaterThan(0)
    const { rows: back } = await sql`
      select from (select at < lag(at) over (partition by task_id order by id) as is_back from task_step) s where is_back`.execute(
      owner,
    )
    expect(back).toEqual([])
  })

  it('gives past work its parts and photos, once, and keeps the books of the stock', async () => {
    kit.clock.advance(2 * hourMs)
    expect(await fillTasks(kit, demoPicture)).toBeGreaterThan(0)
    expect(await fillTasks(kit, demoPicture)).toBe(0)
    const { rows } = await sql<{ wrong: number; shown: number }>`
      select (select count(*)::integer from repair_part p where p.stock <> (
          select sum(m.pieces) from repair_part_movement m where m.part_id = p.id)) as wrong,
        (select count(*)::integer from task_result r where cardinality(r.photo_ids) = 1) as shown`.execute(owner)
    expect(rows[0]).toMatchObject({ wrong: 0 })
    expect(rows[0]!.shown).toBeGreaterThan(0)
    kit.clock.set(TEST_START_MS)
  })

  it('leaves no gap: from the street to the last stretch, and tracks that can be played', async () => {
    const { rows } = await sql<{ number: string; points: Buffer; started_at: Date; lat: number; lng: number }>`
      select v.number, s.points, s.started_at, s.start_lat as lat, s.start_lng as lng
      from track_segment s join vehicle v on v.id = s.vehicle_id where s.kind = 'trip' limit 50`.execute(owner)
    expect(rows.length).toBe(50)
    for (const { points, started_at: startedAt, lat } of rows) {
      const [first] = decodeTrack(points)
      expect(first!.at).toBe(startedAt.getTime())
      expect(Math.abs(first!.lat - lat)).toBeLessThan(0.0001)
    }
    const status = await owner
      .selectFrom('vehicle')
      .innerJoin('vehicle_status as s', 's.vehicle_id', 'vehicle.id')
      .select(['vehicle.state', 's.locked', 's.lat', 's.battery_percent'])
      .where('vehicle.number', '=', demoVehicleNumber(0))
      .executeTakeFirstOrThrow()
    expect(status.battery_percent).toBeGreaterThan(0)
    expect(status.locked).toBe(status.state !== 'on_trip')
    const last = await sql<{ wrong: number }>`
      select count(*) as wrong from vehicle v
      join lateral (select to_state from vehicle_event e where e.vehicle_id = v.id order by id desc limit 1) e on true
      where e.to_state <> v.state`.execute(owner)
    expect(last.rows).toEqual([{ wrong: 0 }])
  })

  it('does not overrule what a vehicle has said since', async () => {
    const again = await mkdtemp(join(tmpdir(), 'history-'))
    await cp(made, again, { recursive: true })
    await owner.deleteFrom('demo_history').execute()
    await owner.deleteFrom('demo_history_day').execute()
    await owner.updateTable('vehicle_status').set({ battery_percent: 1 }).execute()
    const manifest = (await readManifest(again))!
    expect(await importHistory({ kit, fleet, folder: again, manifest })).toBe(manifest.days.length)
    const { max } = await owner
      .selectFrom('vehicle_status')
      .select((eb) => eb.fn.max('battery_percent').as('max'))
      .executeTakeFirstOrThrow()
    expect(max).toBe(1)
    await rm(again, { recursive: true })
  })

  it('waits for a history that is still being written, and stops when it is told to', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'history-'))
    let isFound = false
    let isReady = false
    const waiting = startHistoryImport({ kit, fleet, folder: empty, onFound: () => (isFound = true) })
    void waiting.ready.then(() => (isReady = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isReady).toBe(false)
    await waiting.stop()
    await waiting.ready
    expect(isReady).toBe(true)
    expect(isFound).toBe(false)
    await rm(empty, { recursive: true })
  })

  it('says that there is a history before it reads it in', async () => {
    const again = await mkdtemp(join(tmpdir(), 'history-'))
    await cp(made, again, { recursive: true })
    await owner.deleteFrom('demo_history').execute()
    await owner.deleteFrom('demo_history_day').execute()
    const steps: string[] = []
    const reading = startHistoryImport({
      kit,
      fleet,
      folder: again,
      onFound: () => steps.push('found'),
    })
    void reading.ready.then(() => steps.push('ready'))
    await reading.done
    expect(steps).toEqual(['found', 'ready'])
    await rm(again, { recursive: true })
  })
})
