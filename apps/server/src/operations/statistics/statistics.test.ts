import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hourMs as hour, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createPhotos } from '#photos/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'
import { createStatisticsHandlers } from './handlers.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const photos = createPhotos(kit)
const handlers = createStatisticsHandlers({ kit, audit: createAudit(kit), photos })
const day = 24 * hour
let alpha: TenantFixture
let bravo: TenantFixture

const codes = ['0901', '090201', '090301', '0904', '0905', '0906', '0907']
const callOf = (of: TenantFixture, permissions: readonly string[] = codes) =>
  sessionCall({
    operatorId: of.managerId,
    agentId: of.agentId,
    grant: { agentIds: [of.agentId], areaIds: [...of.areaIds] },
    permissions,
  })

type Made = {
  kind?: string
  state?: string
  doneAt?: number
  openedAt?: number
  person?: string | null
  area?: 0 | 1
  extra?: Record<string, unknown>
}

const ofResult = new Set(['note', 'photo_ids', 'battery_before', 'battery_after', 'reason', 'pay_cents'])

/** A finished task that took an hour, half of it waiting, at noon of 21 November. */
async function finish(of: TenantFixture, made: Made = {}): Promise<number> {
  const doneAt = made.doneAt ?? TEST_START_MS
  const openedAt = made.openedAt ?? doneAt - hour
  const area = made.area ?? 0
  const { rows } = await sql<{ id: number }>`
    insert into task (vehicle_id, agent_id, area_id, kind, state, source, opened_at, claimed_at, done_at, person_name)
    values (${of.vehicleIds[area]}, ${of.agentId}, ${of.areaIds[area]}, ${made.kind ?? 'repair'}, ${made.state ?? 'done'},
      'rule', ${new Date(openedAt)}, ${new Date((openedAt + doneAt) / 2)}, ${new Date(doneAt)},
      ${made.person === undefined ? '周启航' : made.person})
    returning id`.execute(owner)
  const id = Number(rows[0]?.id)
  await sql`
    insert into task_result (task_id, agent_id, area_id) select id, agent_id, area_id from task where id = ${id}`.execute(
    owner,
  )
  for (const [name, value] of Object.entries(made.extra ?? {})) {
    const set = sql`${sql.ref(name)} = ${value}`
    if (ofResult.has(name)) await sql`update task_result set ${set} where task_id = ${id}`.execute(owner)
    else await sql`update task set ${set} where id = ${id}`.execute(owner)
  }
  return id
}

const differences = async (): Promise<unknown[]> => {
  const { rows } = await sql`
    (select 'missing' as why, c.* from work_day_counted c except select 'missing', w.* from work_day w)
    union all
    (select 'too much', w.* from work_day w where w.done + w.cancelled > 0
      except select 'too much', c.* from work_day_counted c)`.execute(owner)
  return rows
}

const today = { from: '2026-11-21', to: '2026-11-21' }
const figures = async (page: 'swap' | 'repair' | 'inspection' | 'move', rest: object = {}) =>
  (await handlers.workFigures({ filter: { page, ...today, ...rest } }, callOf(alpha))).data

beforeAll(async () => {
  ;[alpha, bravo] = await seedTenants(kit)
})
beforeEach(async () => {
  await sql`delete from repair_part_movement`.execute(owner)
  for (const table of ['task_review', 'task_result', 'task']) await sql`delete from ${sql.table(table)}`.execute(owner)
})

describe('figures of finished work', () => {
  it('sums by day, person and area, beside the span before', async () => {
    await finish(alpha, { extra: { due_at: new Date(TEST_START_MS), pay_cents: 500, photo_ids: ['a'] } })
    await finish(alpha, { person: '许嘉木', area: 1, extra: { due_at: new Date(TEST_START_MS - 1) } })
    await finish(alpha, { state: 'cancelled', person: null })
    await finish(alpha, { doneAt: TEST_START_MS - day })
    await finish(alpha, { kind: 'battery_swap', extra: { battery_before: 12.5, battery_after: 98 } })
    await finish(bravo)
    const found = await figures('repair')
    expect(found.total).toMatchObject({ done: 2, cancelled: 1, due: 2, onTime: 1, withPhoto: 1, payCents: 500 })
    expect(found.total).toMatchObject({ waitSeconds: 3600, workSeconds: 3600, persons: 2, personDays: 2 })
    expect(found.before).toMatchObject({ done: 1, cancelled: 0 })
    expect(found.days.map(({ name, done }) => [name, done])).toEqual([['2026-11-21', 2]])
    expect(found.daysBefore.map(({ name, done }) => [name, done])).toEqual([['2026-11-20', 1]])
    expect(found.persons.map(({ name, done }) => [name, done])).toEqual([
      ['周启航', 1],
      ['许嘉木', 1],
    ])
    expect(found.areas.map(({ areaId, done }) => [areaId, done]).toSorted()).toEqual(
      [...alpha.areaIds].map((id) => [id, 1]).toSorted(),
    )
    expect(found.spread).toEqual([0, 0, 2, 0, 0, 0, 0, 0])
    expect((await figures('repair', { persons: ['许嘉木'] })).total.done).toBe(1)
    expect((await figures('repair', { areaIds: [alpha.areaIds[1], bravo.areaIds[0]] })).total.done).toBe(1)
    expect((await figures('swap')).total).toMatchObject({ measured: 1, batteryBefore: 12.5, batteryAfter: 98 })
  })

  it('adds levels up as they are, so that their mean is right', async () => {
    for (const [before, after] of [
      [12.54, 92.25],
      [12.54, 92.36],
      [10.04, 89.81],
    ]) {
      await finish(alpha, { kind: 'battery_swap', extra: { battery_before: before, battery_after: after } })
    }
    const { total } = await figures('swap')
    expect(total.measured).toBe(3)
    expect((total.batteryAfter - total.batteryBefore) / 3).toBeCloseTo((79.71 + 79.82 + 79.77) / 3, 6)
  })

  it('belongs to the business day on which the work ended, however late the word of it', async () => {
    await finish(alpha, { doneAt: Date.UTC(2026, 10, 20, 15, 59) })
    await finish(alpha, { doneAt: Date.UTC(2026, 10, 20, 16, 0) })
    const at = kit.clock.now()
    kit.clock.set(at + day)
    const found = await figures('repair')
    expect([found.total.done, found.before.done]).toEqual([1, 1])
    kit.clock.set(at)
  })

  it('compares a part of a day with the same part of the day before', async () => {
    const morning = TEST_START_MS - 4 * hour
    await finish(alpha, { doneAt: morning })
    await finish(alpha, { doneAt: morning - day })
    await finish(alpha, { doneAt: morning - day, openedAt: morning - day - 2 * hour })
    await finish(alpha, { doneAt: morning - day + 3 * hour })
    const at = kit.clock.now()
    kit.clock.set(morning + hour)
    const early = await figures('repair')
    expect([early.total.done, early.before.done]).toEqual([1, 2])
    expect(early.before.workSeconds).toBe(30 * 60 + 3_600)
    expect(early.daysBefore).toMatchObject([{ name: '2026-11-20', done: 2 }])
    kit.clock.set(TEST_START_MS + 2 * day)
    expect((await figures('repair')).before.done, 'a day that is over is compared with a whole one').toBe(3)
    kit.clock.set(at)
  })

  it('is for whoever holds the code of the page', async () => {
    const call = callOf(alpha, ['0901'])
    await expect(handlers.workFigures({ filter: { page: 'repair', ...today } }, call)).rejects.toMatchObject({
      code: 'forbidden',
    })
    const filter = { page: 'move' as const, ...today }
    await expect(handlers.workTasks({ filter, sort: 'done', pageSize: 5 }, call)).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(handlers.exportWork({ filter, sort: 'done' }, call)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(handlers.workPhotos({ page: 'move', id: 1 }, call)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('is after any changes what the tasks say, in whatever order they came', async () => {
    const change = fc.record({
      what: fc.constantFrom('finish', 'reject', 'move', 'rename', 'reopen', 'remove', 'bulk'),
      pick: fc.nat(20),
      hours: fc.nat(60),
      pay: fc.nat(900),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 10 }), async (changes) => {
        for (const { what, pick, hours, pay } of changes) {
          const chosen = sql`(select id from task order by id offset ${pick % 5} limit 1)`
          const one = sql`id = ${chosen}`
          const doneAt = TEST_START_MS - hours * hour
          if (what === 'finish')
            await finish(pick % 2 === 0 ? alpha : bravo, { doneAt, extra: { pay_cents: pay, battery_before: 3.3 } })
          if (what === 'reject')
            await sql`
              insert into task_review (task_id, agent_id, area_id, state, reviewed_at)
              select id, agent_id, area_id, 'rejected', now() from task where ${one}
              on conflict (task_id) do update set
                state = case task_review.state when 'waiting' then 'rejected' else 'waiting' end,
                reviewed_at = case task_review.state when 'waiting' then now() end`.execute(owner)
          if (what === 'move')
            await sql`update task set done_at = done_at - ${hours} * interval '1 hour', opened_at = opened_at - interval '9 days'
              where ${one} and done_at is not null`.execute(owner)
          if (what === 'rename')
            await sql`update task set person_name = 'x', assignee_id = 9 where ${one}`.execute(owner)
          if (what === 'reopen')
            await sql`update task t set state = 'open', done_at = null where ${one} and not exists (select from task o
              where o.vehicle_id = t.vehicle_id and o.kind = t.kind and o.done_at is null)`.execute(owner)
          if (what === 'remove') {
            const { rows } = await sql<{ id: number }>`select id from task where ${one}`.execute(owner)
            for (const { id } of rows) {
              if (hours % 2 === 0) await sql`delete from task_review where task_id = ${id}`.execute(owner)
              await sql`delete from task_result where task_id = ${id}`.execute(owner)
              await sql`delete from task_review where task_id = ${id}`.execute(owner)
              await sql`delete from task where id = ${id}`.execute(owner)
            }
          }
          if (what === 'bulk') {
            await sql`update task_result set pay_cents = pay_cents + ${pay}, battery_after = 90`.execute(owner)
            await sql`update task set claimed_at = opened_at where done_at is not null`.execute(owner)
          }
        }
        expect(await differences()).toEqual([])
      }),
      { numRuns: 12 },
    )
  })
})

describe('the tasks behind a figure', () => {
  const list = async (filter: object, page: { cursor?: string; pageSize?: number } = {}) =>
    (
      await handlers.workTasks(
        { filter: { page: 'repair', ...today, ...filter }, sort: 'done', pageSize: 2, ...page },
        callOf(alpha),
      )
    ).data

  it('come newest first, page by page, and as many as the figure says', async () => {
    const ids: number[] = []
    for (let index = 0; index < 5; index++) ids.push(await finish(alpha, { doneAt: TEST_START_MS - index * minuteMs }))
    await finish(bravo)
    const first = await list({})
    expect([first.count, first.list.map(({ id }) => id)]).toEqual([5, ids.slice(0, 2)])
    const second = await list({}, { cursor: first.nextCursor ?? '' })
    const third = await list({}, { cursor: second.nextCursor ?? '' })
    expect([...second.list, ...third.list].map(({ id }) => id)).toEqual(ids.slice(2))
    expect([second.count, third.nextCursor]).toEqual([null, null])
    await expect(list({}, { cursor: 'nonsense' })).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('are narrowed by spread, reason, lateness, review, photo and vehicle', async () => {
    const short = await finish(alpha, { openedAt: TEST_START_MS - 10 * minuteMs, extra: { reason: '刹车' } })
    const late = await finish(alpha, { extra: { due_at: new Date(TEST_START_MS - hour), photo_ids: ['a'] } })
    const ids = async (filter: object) => (await list(filter, { pageSize: 10 })).list.map(({ id }) => id)
    expect(await ids({ spread: 0 })).toEqual([short])
    expect(await ids({ spread: 2 })).toEqual([late])
    expect(await ids({ spread: 7 })).toEqual([])
    expect(await ids({ reason: '刹车' })).toEqual([short])
    expect(await ids({ isLate: true })).toEqual([late])
    expect(await ids({ withPhoto: true })).toEqual([late])
    expect(await ids({ isRejected: true })).toEqual([])
    expect(await ids({ keyword: alpha.vehicleNumber.toLowerCase() })).toEqual([late, short])
    expect(await ids({ keyword: bravo.vehicleNumber })).toEqual([])
    const hourOf = (ms: number) => new Date(ms + 8 * hour).getUTCHours()
    const early = await finish(alpha, { doneAt: TEST_START_MS - 3 * hour })
    expect(await ids({ hour: hourOf(TEST_START_MS - 3 * hour) })).toEqual([early])
    expect(await ids({ hour: hourOf(TEST_START_MS + hour) })).toEqual([])
  })

  it('leave the house as a file, and that is written down', async () => {
    const id = await finish(alpha, { extra: { note: '=1+1' } })
    const { data } = await handlers.exportWork({ filter: { page: 'repair', ...today }, sort: 'done' }, callOf(alpha))
    expect(data.rows).toBe(1)
    expect(data.text).toContain(`\r\n${id},维修,`)
    expect(data.text).toContain("'=1+1")
    const lines = await owner.selectFrom('audit_record').selectAll().where('action', '=', 'work.export').execute()
    expect(lines).toHaveLength(1)
  })

  it('show their photos to those who may see the page, and nobody else’s', async () => {
    const { samples } = await import('#photos/codec/samples.fixture.ts')
    const kept = await db.system((tx) =>
      photos.keep(tx, { agentId: alpha.agentId, areaId: alpha.areaIds[0], purpose: 'task', file: samples.jpeg }),
    )
    const id = await finish(alpha, { kind: 'inspect', extra: { photo_ids: [kept] } })
    const ask = (of: TenantFixture, page: 'inspection' | 'repair') => handlers.workPhotos({ page, id }, callOf(of))
    expect((await ask(alpha, 'inspection')).data.photos.map((photo) => photo.id)).toEqual([kept])
    await expect(ask(bravo, 'inspection')).rejects.toMatchObject({ code: 'not_found' })
    await expect(ask(alpha, 'repair')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('what the work says beyond its sums', () => {
  const findings = async (page: 'repair' | 'inspection' | 'move') =>
    (await handlers.workFindings({ filter: { page, ...today } }, callOf(alpha))).data

  it('repairs: their reasons, hours, and which did not hold', async () => {
    await finish(alpha, { doneAt: TEST_START_MS - 3 * day, extra: { reason: '刹车' } })
    await finish(alpha, { extra: { reason: '刹车' } })
    await finish(alpha, { area: 1 })
    const found = await findings('repair')
    expect(found.repeats).toBe(1)
    expect(found.reasons).toEqual([
      { name: '', count: 1 },
      { name: '刹车', count: 1 },
    ])
    expect(found.hours[12]).toBe(2)
    expect(found.moves).toBeNull()
  })

  it('inspections: faults that they found and the repairs that came of it', async () => {
    await sql`delete from fault_report`.execute(owner)
    await finish(alpha, { kind: 'inspect' })
    await sql`insert into fault_report (vehicle_id, agent_id, area_id, source, reason, reported_at)
      values (${alpha.vehicleIds[0]}, ${alpha.agentId}, ${alpha.areaIds[0]}, 'inspection', '坐垫', ${new Date(TEST_START_MS)}),
        (${bravo.vehicleIds[0]}, ${bravo.agentId}, ${bravo.areaIds[0]}, 'inspection', '坐垫', ${new Date(TEST_START_MS)})`.execute(
      owner,
    )
    await finish(alpha, { extra: { source: 'inspection' } })
    const found = await findings('inspection')
    expect(found.faults).toEqual([{ name: '坐垫', count: 1 }])
    expect(found.repairs).toBe(1)
  })

  it('reports of inspections: what, by whom, confirmed by which repair and how soon', async () => {
    await sql`delete from fault_report`.execute(owner)
    await finish(alpha, { kind: 'inspect' })
    await finish(alpha, { kind: 'inspect', doneAt: TEST_START_MS - day })
    const repair = await finish(alpha, { extra: { source: 'inspection' } })
    const at = (ms: number) => new Date(TEST_START_MS + ms)
    const [first, second] = alpha.vehicleIds
    await sql`insert into fault_report
        (vehicle_id, agent_id, area_id, source, reason, reported_at, settled_at, task_id, person_name)
      values (${first}, ${alpha.agentId}, ${alpha.areaIds[0]}, 'inspection', '坐垫', ${at(-hour)}, ${at(hour)}, ${repair}, '周启航'),
        (${second}, ${alpha.agentId}, ${alpha.areaIds[1]}, 'inspection', '刹车', ${at(0)}, null, null, '林一'),
        (${first}, ${alpha.agentId}, ${alpha.areaIds[0]}, 'inspection', '坐垫', ${at(-day)}, null, null, '周启航'),
        (${first}, ${alpha.agentId}, ${alpha.areaIds[0]}, 'rider', 'fault', ${at(0)}, null, null, null),
        (${bravo.vehicleIds[0]}, ${bravo.agentId}, ${bravo.areaIds[0]}, 'inspection', '坐垫', ${at(0)}, null, null, '林一')`.execute(
      owner,
    )
    const ask = async (rest: object = {}) =>
      (await handlers.reportFigures({ filter: { ...today, ...rest } }, callOf(alpha, ['0905']))).data
    const found = await ask()
    expect(found.total).toEqual({ reports: 2, vehicles: 2, confirmed: 1, repairSeconds: 7_200 })
    expect(found.before).toMatchObject({ reports: 1, confirmed: 0 })
    expect([found.inspections, found.inspectionsBefore]).toEqual([1, 1])
    expect(found.reasons.map(({ name, reports, confirmed }) => [name, reports, confirmed])).toEqual([
      ['刹车', 1, 0],
      ['坐垫', 1, 1],
    ])
    expect(found.persons.map(({ name, reports }) => [name, reports])).toEqual([
      ['周启航', 1],
      ['林一', 1],
    ])
    expect(found.areas).toHaveLength(2)
    const asked = { filter: today, sort: 'reported' } as const
    const { data: listed } = await handlers.listReports({ ...asked, pageSize: 20 }, callOf(alpha, ['0905']))
    expect(listed.list).toMatchObject([
      { reason: '刹车', personName: '林一', settledAt: null },
      { reason: '坐垫', repairId: repair },
    ])
    const { data: file } = await handlers.exportReports(asked, callOf(alpha, ['0905']))
    expect([file.rows, file.text.split('\r\n')[2]?.split(',')[7]]).toEqual([2, '2'])
    expect((await ask({ persons: ['林一'] })).total.reports).toBe(1)
    expect((await ask({ areaIds: [bravo.areaIds[0]] })).total.reports).toBe(0)
  })

  it('moves: whence, where, how far, and what was ridden in the day after', async () => {
    await sql`delete from trip`.execute(owner)
    const doneAt = TEST_START_MS - 2 * day
    const [vehicleId] = alpha.vehicleIds
    const trip = (at: number, lat: number) => sql`
      insert into trip (vehicle_id, agent_id, area_id, started_at, ended_at, duration_s, start_lat, start_lng, end_lat, end_lng)
      values (${vehicleId}, ${alpha.agentId}, ${alpha.areaIds[0]}, ${new Date(at)}, ${new Date(at + hour)}, 3600, ${lat}, 120.05,
        ${lat}, 120.05)`
    for (const [at, lat] of [
      [doneAt - 5 * hour, 31.05],
      [doneAt + hour, 31.06],
      [doneAt + 9 * hour, 31.07],
      [doneAt + 25 * hour, 31.08],
    ] as const)
      await trip(at, lat).execute(owner)
    await finish(alpha, { kind: 'move', doneAt })
    await finish(alpha, { kind: 'relocate', extra: { to_name: '北门' } })
    const asked = { page: 'move' as const, from: '2026-11-19', to: '2026-11-21' }
    const { moves } = (await handlers.workFindings({ filter: asked }, callOf(alpha))).data
    expect(moves).toMatchObject({ settled: 1, ridden: 1, rides: 2 })
    expect(moves?.metres).toBeGreaterThan(1_000)
    const name = `TENANTALPHA parking ${alpha.areaIds[0]}`
    const out = moves?.ways.find(({ from, to }) => from === name && to === '')
    expect(out).toMatchObject({ count: 1, toAt: null })
    expect(out?.fromAt?.lat).toBeGreaterThan(0)
    expect(moves?.ways.map(({ to }) => to)).toContain('北门')
  })
})
