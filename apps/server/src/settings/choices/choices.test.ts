import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { settingCodes, settingOf, isSettingValue, type SettingCode } from '@saddle/contract/settings/registry.ts'
import { createAudit } from '#audit/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { createSettings, readSetting, readSettingEverywhere } from '../public.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const { handlers } = createSettings(kit, { audit: createAudit(kit) })
const [platform, company, branch] = [2, 3, 4]
const call = (agentId: number, agentIds = [agentId], areaIds = [310]) =>
  sessionCall({ operatorId: 7, agentId, grant: { agentIds, areaIds }, permissions: ['0502'], name: '周可' })
const above = call(platform, [platform, company, branch])
const own = call(company)
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  )
const counts = <C extends SettingCode>(code: C, agentId: number, areaId?: number) =>
  db.system((tx) => readSetting(tx, code, { agentId, areaId }))

beforeAll(async () => {
  await sql`insert into agent (id, parent_id, company) values (2, null, '总部'), (3, 2, '城北出行'), (4, 3, '一分')`.execute(
    owner,
  )
  await sql`insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
    select n, 3, '区' || n, 31.5, 120.5, '[[120,31],[121,31],[121,32],[120,31]]' from unnest(array[310, 320]) n`.execute(
    owner,
  )
})
beforeEach(async () => {
  await sql`truncate setting_change`.execute(owner)
})

it('every default is within its own range', () => {
  for (const code of settingCodes) expect([code, isSettingValue(code, settingOf(code).usual)]).toEqual([code, true])
})

it('counts of the area, then the company, then those above, then the default', async () => {
  const code = 'reservation_minutes'
  const change = (place: { agentId: number; areaId?: number }, value: number | null, version: number) =>
    handlers.changeSetting({ ...place, code, value, version }, above)
  expect(await counts(code, branch)).toBe(10)
  await change({ agentId: platform }, 12, 0)
  expect([await counts(code, company, 310), await counts(code, branch)]).toEqual([12, 12])
  const { data: ofCompany } = await change({ agentId: company }, 15, 0)
  const { data: ofArea } = await change({ agentId: company, areaId: 310 }, 5, 0)
  expect([await counts(code, company, 310), await counts(code, company, 320), await counts(code, branch)]).toEqual([
    5, 15, 15,
  ])
  await change({ agentId: company, areaId: 310 }, null, ofArea.version)
  expect(await counts(code, company, 310)).toBe(15)
  expect(await refusal(change({ agentId: company }, 20, 0))).toBe('conflict')
  const { data: undone } = await change({ agentId: company }, null, ofCompany.version)
  expect(undone.previous).toBe(15)
  expect(await counts(code, company, 310)).toBe(12)
})

it('a statement over vehicles of many companies finds the same, by company', async () => {
  const code = 'tickets_per_day'
  const found = sql<{ found: unknown }>`select chosen_numbers(${code}, 1, 100) as found`
  const inStatement = async (): Promise<unknown> => {
    const { rows } = await db.system((tx) => found.execute(tx))
    return rows[0]?.found
  }
  const inRequest = async (): Promise<unknown> => {
    const grant = { agentIds: [branch], areaIds: [], operatorId: 7 }
    const { rows } = await db.withScope(grant, (tx) => found.execute(tx))
    return rows[0]?.found
  }
  const choose = (agentId: number, value: unknown) =>
    sql`insert into setting_change (agent_id, code, value, made_at, made_by)
      values (${agentId}, ${code}, ${value === null ? null : JSON.stringify(value)}::jsonb, now(), 'x')`.execute(owner)
  expect(await inStatement()).toBeNull()
  await choose(company, 7)
  expect(await inStatement()).toEqual({ 3: 7, 4: 7 })
  // A request hears of its own companies alone, also of what those above have chosen for them.
  expect(await inRequest()).toEqual({ 4: 7 })
  await choose(platform, 9)
  await choose(branch, 4)
  expect(await inStatement()).toEqual({ 2: 9, 3: 7, 4: 4 })
  for (const agentId of [platform, company, branch])
    expect(await counts(code, agentId)).toBe(((await inStatement()) as Record<number, number>)[agentId])
  await choose(company, null)
  // No value of the registry any more: the choice above counts.
  await choose(branch, 1_000)
  expect(await inStatement()).toEqual({ 2: 9, 3: 9, 4: 9 })
})

it('shows what counts, where it comes from and who changed it, and keeps the history', async () => {
  await handlers.changeSetting({ agentId: platform, code: 'tickets_per_day', value: 4, version: 0 }, above)
  const { data: first } = await handlers.changeSetting({ code: 'tickets_per_day', value: 6, version: 0 }, own)
  await handlers.changeSetting({ code: 'tickets_per_day', value: 8, version: first.version }, own)
  const of = async (agentId: number) =>
    (await handlers.systemSettings({ agentId }, above)).data.settings.find((one) => one.code === 'tickets_per_day')
  expect(await of(company)).toMatchObject({ value: 8, own: 8, source: 'company', changedBy: '周可' })
  expect(await of(branch)).toMatchObject({ value: 8, own: null, source: 'above', version: 0 })
  const { data } = await handlers.settingHistory({ code: 'tickets_per_day' }, own)
  expect(data.changes.map(({ value }) => value)).toEqual([8, 6])
  const lines = await owner
    .selectFrom('audit_record')
    .select('before')
    .where('action', '=', 'setting.change')
    .orderBy('id')
    .execute()
  expect(lines.at(-1)?.before).toEqual({ value: 6 })
})

it('takes no value beyond the range, no area for a company’s setting, and nothing foreign', async () => {
  const set = (input: object, by = own) => refusal(handlers.changeSetting({ version: 0, ...input } as never, by))
  expect(await set({ code: 'reservation_minutes', value: 61 })).toBe('setting_range')
  expect(await set({ code: 'reservation_minutes', value: ['fall'] })).toBe('setting_range')
  expect(await set({ code: 'serious_alarms', value: ['fall', 'no such'] })).toBe('setting_range')
  expect(await set({ code: 'serious_alarms', value: ['fall', 'fall'] })).toBe('setting_range')
  expect(await set({ code: 'tickets_per_day', value: 5, areaId: 310 })).toBe('setting_of_company')
  expect(await set({ code: 'tickets_per_day', value: 5, agentId: platform })).toBe('foreign_scope')
  expect(await set({ code: 'reservation_minutes', value: 5, areaId: 320 })).toBe('foreign_scope')
  expect(await set({ code: 'serious_alarms', value: [] })).toBe('done')
  expect(await counts('serious_alarms', company)).toEqual([])
})

it('is read for all places at once as for each of them', async () => {
  const code = 'battery_out_percent'
  const places = [
    { agentId: platform },
    { agentId: company },
    { agentId: company, areaId: 310 },
    { agentId: company, areaId: 320 },
    { agentId: branch },
  ]
  const both = () =>
    db.system(async (tx) => {
      const everywhere = await readSettingEverywhere(tx, code)
      const each: number[] = []
      for (const place of places) each.push(await readSetting(tx, code, place))
      return [places.map((place) => everywhere.of(place)), each]
    })
  const change = (place: { agentId: number; areaId?: number }, value: number | null, version: number) =>
    handlers.changeSetting({ ...place, code, value, version }, above)
  const usual = settingOf(code).usual
  expect(await both()).toEqual([places.map(() => usual), places.map(() => usual)])
  await change({ agentId: platform }, 8, 0)
  const { data } = await change({ agentId: company, areaId: 310 }, 5, 0)
  const chosen = [8, 8, 5, 8, 8]
  expect(await both()).toEqual([chosen, chosen])
  await change({ agentId: company, areaId: 310 }, null, data.version)
  expect(await both()).toEqual([places.map(() => 8), places.map(() => 8)])
})
