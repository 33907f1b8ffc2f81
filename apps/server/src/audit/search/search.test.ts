import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEndpoints, type AuditFilter } from '@saddle/contract/audit/records.ts'
import { minuteMs as minute } from '@saddle/contract/time.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, TEST_START_MS, testKit } from '#test/kit.ts'
import { createAudit, createAuditLog, type AuditEntry } from '#audit/public.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const audit = createAudit(kit)
const { handlers } = createAuditLog(kit, {
  audit,
  phoneHash: (phone) => (phone === '13800138000' ? 'a' : 'of nobody'),
})

const permissions = ['1402', '1403', '1404']
const who = { operatorId: 1001, agentId: 3, name: '周可', permissions }
const whole = sessionCall({ ...who, grant: { agentIds: [3, 4], areaIds: [31, 32, 41] } })
const oneArea = sessionCall({ ...who, grant: { agentIds: [3], areaIds: [31] } })
const foreign = sessionCall({ ...who, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })

const numbers: readonly string[] = ['SD0001', 'SD0002', 'XQ0003']
let vehicleIds: number[] = []

async function write(minutes: number, entry: Partial<AuditEntry>): Promise<void> {
  kit.clock.set(TEST_START_MS + minutes * minute)
  const base = { agentId: 3, operatorId: 1001, action: 'vehicle.lock', subjectKind: 'vehicle', subjectId: '' }
  await db.system((tx) => audit.write(tx, { ...base, ...entry }))
}

beforeAll(async () => {
  await owner
    .insertInto('agent')
    .values([
      { id: 2, parent_id: null, company: '总部' },
      { id: 3, parent_id: 2, company: '城北出行' },
      { id: 4, parent_id: 2, company: '城南出行' },
    ])
    .execute()
  const place = { centre_lat: 31.3, centre_lng: 120.6, ring: '[[120,31],[121,31],[121,32],[120,32],[120,31]]' }
  await owner
    .insertInto('service_area')
    .values([
      { id: 31, agent_id: 3, name: '城北', ...place },
      { id: 32, agent_id: 3, name: '城北二区', ...place },
      { id: 41, agent_id: 4, name: '城南', ...place },
    ])
    .execute()
  const person = { level: 1, phone_sealed: 'x' }
  await owner
    .insertInto('operator')
    .values([
      { ...person, id: 1001, agent_id: 3, op_man_id: 'a'.repeat(24), phone_hash: 'a', name: '周可' },
      { ...person, id: 1002, agent_id: 2, op_man_id: 'b'.repeat(24), phone_hash: 'b', name: '总部王敏' },
    ])
    .execute()
  const vehicles = await owner
    .insertInto('vehicle')
    .values(
      numbers.map((number, index) => ({
        agent_id: index === 2 ? 4 : 3,
        area_id: [31, 32, 41][index] ?? 0,
        number,
        model: 'SD-E2',
        protocol: 'omni',
        state: 'available',
        state_changed_at: new Date(TEST_START_MS),
        created_at: new Date(TEST_START_MS),
      })),
    )
    .returning('id')
    .execute()
  vehicleIds = vehicles.map(({ id }) => id)
  const [first = 0, second = 0, third = 0] = vehicleIds
  await write(1, { action: 'session.login', subjectKind: 'operator', subjectId: 1001, after: { kind: 'sms' } })
  await write(2, { action: 'vehicle.unlock', subjectId: first, areaId: 31, after: { reason: '=HYPERLINK("x")' } })
  await write(3, { subjectId: second, areaId: 32, operatorId: 1002, before: { roleId: 5 }, after: { roleId: 6 } })
  await write(4, {
    action: 'vehicle.batch_ring',
    subjectKind: 'command_batch',
    subjectId: 'batch-1',
    after: { vehicleIds: [first, second] },
    about: [first, second].map((id) => ({ kind: 'vehicle', id })),
  })
  await write(5, { agentId: 4, operatorId: 1002, subjectId: third, areaId: 41 })
  await write(6, { action: 'session.logout', subjectKind: 'session', subjectId: 9 })
  kit.clock.set(TEST_START_MS + 60 * minute)
})

const input = (filter: AuditFilter = {}) => ({ filter, sort: 'at' as const, pageSize: 50 })
const actions = async (filter: AuditFilter, call = whole): Promise<string[]> =>
  (await handlers.userLogs(input(filter), call)).data.list.map((line) => line.action.replace(/^\w+\./, ''))

describe('a search', () => {
  it('shows the newest first, with names in the place of ids', async () => {
    const { data } = await handlers.userLogs(input(), whole)
    expect(data.list.map((line) => line.action)).toEqual([
      'session.logout',
      'vehicle.lock',
      'vehicle.batch_ring',
      'vehicle.lock',
      'vehicle.unlock',
      'session.login',
    ])
    expect(data.list[1]).toMatchObject({ company: '城南出行', subjectName: 'XQ0003', operatorName: '总部王敏' })
    expect(data.list[5]).toMatchObject({ subjectName: '周可', operatorName: '周可', at: TEST_START_MS + minute })
    const batch = data.list.find(({ action }) => action === 'vehicle.batch_ring')
    expect(batch?.names).toEqual({ [`vehicle:${vehicleIds[0]}`]: 'SD0001', [`vehicle:${vehicleIds[1]}`]: 'SD0002' })
    expect(data.count, 'millions of records are not counted').toBeNull()
    expect(data.nextCursor).toBeNull()
  })

  it('shows the oldest first, page by page', async () => {
    const newest = (await handlers.userLogs(input(), whole)).data.list.map(({ id }) => id)
    const asked = { ...input(), pageSize: 4, direction: 'asc' as const }
    const first = (await handlers.userLogs(asked, whole)).data
    const rest = (await handlers.userLogs({ ...asked, cursor: first.nextCursor ?? '' }, whole)).data
    expect([...first.list, ...rest.list].map(({ id }) => id)).toEqual(newest.toReversed())
  })

  it('says when a text stands for more things than are searched for', async () => {
    const ask = (subject: string, call = whole) => handlers.logSubjects({ category: 'vehicle', subject }, call)
    expect((await ask('SD')).data).toEqual({ count: 2, isCut: false })
    expect((await ask('SD', foreign)).data).toEqual({ count: 0, isCut: false })
    const some = sessionCall({ ...who, permissions: ['1403'], grant: whole.grant })
    await expect(ask('SD', some)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('goes on from page to page without gap or repetition', async () => {
    const seen: number[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < 10; pages += 1) {
      const { data } = await handlers.userLogs(
        { filter: {}, sort: 'at', pageSize: 2, ...(cursor !== undefined && { cursor }) },
        whole,
      )
      seen.push(...data.list.map(({ id }) => id))
      if (data.nextCursor === null) break
      cursor = data.nextCursor
    }
    const all = (await handlers.userLogs(input(), whole)).data.list.map(({ id }) => id)
    expect(seen).toEqual(all)
    await expect(handlers.userLogs({ ...input(), cursor: 'bm90IG91cnM' }, whole)).rejects.toMatchObject({
      code: 'bad_request',
    })
  })

  it('finds by person: by id, by part of a name, by a whole number', async () => {
    expect(await actions({ operatorId: 1002 })).toEqual(['lock', 'lock'])
    expect(await actions({ operator: '王' })).toEqual(['lock', 'lock'])
    expect(await actions({ operator: '13800138000' })).toEqual(['logout', 'batch_ring', 'unlock', 'login'])
    expect(await actions({ operator: '13900000000' })).toEqual([])
    expect(await actions({ operator: '无此人' })).toEqual([])
  })

  it('finds by thing, also where a line only mentions it', async () => {
    const [first = 0] = vehicleIds
    expect(await actions({ subjectKind: 'vehicle', subjectId: String(first) })).toEqual(['batch_ring', 'unlock'])
    expect(await actions({ subject: 'sd0002' })).toEqual(['batch_ring', 'lock'])
    expect(await actions({ subject: 'SD' })).toEqual(['batch_ring', 'lock', 'unlock'])
    expect(await actions({ subject: '无此车' })).toEqual([])
  })

  it('finds by time, action, kind and company, and by all of them at once', async () => {
    const at = (minutes: number) => TEST_START_MS + minutes * minute
    expect(await actions({ from: at(2), to: at(4) })).toEqual(['lock', 'unlock'])
    expect(await actions({ actions: ['vehicle.unlock', 'session.login'] })).toEqual(['unlock', 'login'])
    expect(await actions({ subjectKind: 'vehicle' })).toEqual(['lock', 'lock', 'unlock'])
    expect(await actions({ agentId: 4 })).toEqual(['lock'])
    const [, second = 0] = vehicleIds
    const all = { from: at(3), to: at(5), operatorId: 1002, actions: ['vehicle.lock'], agentId: 3 }
    expect(await actions({ ...all, subjectKind: 'vehicle', subjectId: String(second) })).toEqual(['lock'])
    expect(await actions({ ...all, operatorId: 1001 })).toEqual([])
  })

  it('keeps the logs of vehicles and devices apart', async () => {
    const vehicle = await handlers.vehicleLogs(input(), whole)
    expect(vehicle.data.list.map((line) => line.subjectKind)).toEqual([
      'vehicle',
      'command_batch',
      'vehicle',
      'vehicle',
    ])
    expect((await handlers.vehicleLogs(input({ subjectKind: 'session' }), whole)).data.list).toEqual([])
    const device = await handlers.deviceLogs(input(), whole)
    expect(device.data.list.map((line) => line.action)).toEqual(['session.logout', 'session.login'])
  })
})

describe('the scope', () => {
  it('shows of another company nothing, whatever is asked', async () => {
    const [first = 0] = vehicleIds
    expect(await actions({}, foreign)).toEqual(['lock'])
    expect(await actions({ agentId: 3 }, foreign)).toEqual([])
    expect(await actions({ operatorId: 1001 }, foreign)).toEqual([])
    expect(await actions({ subjectKind: 'vehicle', subjectId: String(first) }, foreign)).toEqual([])
    expect(await actions({ subject: 'SD0001' }, foreign)).toEqual([])
  })

  it('shows of other areas nothing, and names nothing there', async () => {
    expect(await actions({}, oneArea)).toEqual(['logout', 'batch_ring', 'unlock', 'login'])
    const { data } = await handlers.userLogs(input(), oneArea)
    for (const { names } of data.list) expect(names).not.toHaveProperty(`vehicle:${vehicleIds[1]}`)
    expect(await actions({ subject: 'SD0002' }, oneArea)).toEqual([])
  })
})

describe('a scope of hundreds of companies', () => {
  const many = Array.from({ length: 400 }, (_, index) => 5_000 + index)
  const wide = sessionCall({ ...who, grant: { agentIds: [3, 4, ...many], areaIds: [31, 32, 41] } })
  const wideForeign = sessionCall({ ...who, agentId: 4, grant: { agentIds: [4, ...many], areaIds: [31, 32, 41] } })
  const filters: readonly AuditFilter[] = [
    {},
    { from: TEST_START_MS + 2 * minute },
    { actions: ['vehicle.unlock', 'session.login', 'vehicle.lock'] },
    { subjectKind: 'vehicle' },
    { operatorId: 1002 },
    { subject: 'SD0001' },
    { subject: 'SD0001', actions: ['vehicle.batch_ring'], operatorId: 1001 },
  ]

  it.each(filters)('is answered as a small one: %j', async (filter) => {
    expect(await actions(filter, wide)).toEqual(await actions(filter, whole))
    expect(await actions(filter, wideForeign)).toEqual(await actions(filter, foreign))
  })
})

describe('a file', () => {
  it('says changes in words, makes cells safe, and is written down itself', async () => {
    const { data } = await handlers.exportVehicleLogs({ filter: {}, sort: 'at' }, whole)
    expect(data.rows).toBe(4)
    expect(data.state).toBe('done')
    expect(data.fileName).toMatch(/^vehicle-log-2026-11-21-[0-9a-f]{8}\.csv$/)
    const text = data.text.split('\r\n')
    expect(text[0]).toBe('\ufeff时间,公司,人员,动作,对象,对象名称,变更,来源地址,请求编号,日志编号,导出编号,导出人')
    expect(text[1]).toMatch(new RegExp(`,${data.exportId},周可$`))
    expect(data.text).toContain('批量寻车铃,批量指令,batch-1,车辆：SD0001、SD0002')
    expect(data.text).toContain('角色：#5 → #6')
    expect(data.text).toContain('原因：=HYPERLINK(""x"")')
    const line = await owner
      .selectFrom('audit_record')
      .selectAll()
      .where('action', '=', 'audit.export')
      .executeTakeFirst()
    expect(line).toMatchObject({ agent_id: 3, operator_id: 1001, subject_id: data.exportId })
  })

  it('is in the language of the reader', async () => {
    const { data } = await handlers.exportVehicleLogs({ filter: {}, sort: 'at', language: 'en' }, whole)
    expect(data.text.split('\r\n')[0]).toContain('Time,')
    expect(data.text).toContain('Vehicle: SD0001')
  })

  it('needs the permission of the log that it is of', async () => {
    expect(auditEndpoints.exportUserLogs.permission).toEqual(auditEndpoints.userLogs.permission)
    expect(auditEndpoints.exportVehicleLogs.permission).toEqual(auditEndpoints.vehicleLogs.permission)
    expect(auditEndpoints.exportDeviceLogs.permission).toEqual(auditEndpoints.deviceLogs.permission)
  })
})

describe('commands of riders’ apps', () => {
  const minutes = [10, 11, 12, 13]
  const told = async (filter: AuditFilter = {}, call = whole) =>
    (await handlers.vehicleLogs(input(filter), call)).data.list.filter(({ id }) => id < 0)

  beforeAll(async () => {
    const [first = 0, second = 0, third = 0] = vehicleIds
    const places = [
      [first, 3, 31],
      [first, 3, 31],
      [second, 3, 32],
      [third, 4, 41],
    ] as const
    await owner
      .insertInto('vehicle_command')
      .values(
        places.map(([vehicleId, agentId, areaId], index) => {
          const at = new Date(TEST_START_MS + (minutes[index] ?? 0) * minute)
          return {
            state: 'confirmed',
            queued_at: at,
            expires_at: at,
            finished_at: at,
            vehicle_id: vehicleId,
            agent_id: agentId,
            area_id: areaId,
            kind: index === 1 ? 'lock' : 'unlock',
            reason: '订单 7：骑行',
            operator_id: 0,
            operator_name: '骑行应用',
          }
        }),
      )
      .execute()
  })
  afterAll(() => owner.deleteFrom('vehicle_command').execute())

  it('stand in the log of vehicles with who and why, and in no other', async () => {
    const [newest, ...others] = await told({}, whole)
    expect(newest).toMatchObject({ action: 'vehicle.unlock', operatorId: null, operatorName: '骑行应用' })
    expect(newest).toMatchObject({ subjectName: 'XQ0003', after: { reason: '订单 7：骑行', state: 'confirmed' } })
    expect(others.map(({ action }) => action)).toEqual(['vehicle.unlock', 'vehicle.lock', 'vehicle.unlock'])
    expect((await handlers.userLogs(input(), whole)).data.list.some(({ id }) => id < 0)).toBe(false)
    expect((await handlers.deviceLogs(input(), whole)).data.list.some(({ id }) => id < 0)).toBe(false)
  })

  it('are found like lines, and page with them', async () => {
    expect(await told({ actions: ['vehicle.lock'] })).toHaveLength(1)
    expect(await told({ subject: 'SD0002' })).toHaveLength(1)
    expect(await told({ from: TEST_START_MS + 12 * minute })).toHaveLength(2)
    expect(await told({ operatorId: 1001 })).toEqual([])
    const all = (await handlers.vehicleLogs(input(), whole)).data.list.map(({ id }) => id)
    const seen: number[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < 10; pages += 1) {
      const asked = { filter: {}, sort: 'at' as const, pageSize: 3, ...(cursor !== undefined && { cursor }) }
      const { data } = await handlers.vehicleLogs(asked, whole)
      seen.push(...data.list.map(({ id }) => id))
      if (data.nextCursor === null) break
      cursor = data.nextCursor
    }
    expect(seen).toEqual(all)
  })

  it('are nobody else’s', async () => {
    expect(await told({}, foreign)).toHaveLength(1)
    expect(await told({}, oneArea)).toHaveLength(2)
    expect(await told({ subject: 'SD0001' }, foreign)).toEqual([])
  })

  it('stand in the file, too', async () => {
    const { data } = await handlers.exportVehicleLogs({ filter: {}, sort: 'at' }, whole)
    expect(data.rows).toBe(8)
    expect(data.text).toContain('骑行应用,开锁,车辆')
  })
})
