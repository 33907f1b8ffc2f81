import fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { partnerCalls } from '@saddle/contract/partners/api.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { registerPartnerApi } from '#app/partnerApi.ts'
import { partnerApiDocument } from '#app/partnerDocument.ts'
import { asAppError } from '#app/refusal.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { openApiFaults } from '#test/openApiLint.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'
import { createPartners } from './public.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const partners = createPartners(kit, { audit: createAudit(kit) })
const http = fastify()
http.setErrorHandler((error, _request, reply) => {
  const { status, code } = asAppError(error)
  return reply.code(status).send({ suc: false, error: { code } })
})
registerPartnerApi({ http, kit, partners })
await http.ready()
afterAll(() => http.close())

let alpha: TenantFixture
let bravo: TenantFixture
beforeAll(async () => {
  ;[alpha, bravo] = (await seedTenants(kit)) as [TenantFixture, TenantFixture]
})

const callOf = (of: TenantFixture) =>
  sessionCall({
    operatorId: of.managerId,
    agentId: of.agentId,
    grant: { agentIds: [of.agentId], areaIds: [...of.areaIds] },
    name: '周可',
  })
const scopes: ('areas' | 'vehicles' | 'orders')[] = ['areas', 'vehicles', 'orders']
async function make(of: TenantFixture, changes: { scopes?: typeof scopes; perMinute?: number; days?: number } = {}) {
  const given = { name: '地图', scopes, perMinute: 1_000, days: 30, ...changes }
  return (await partners.handlers.createPartnerKey(given, callOf(of))).data
}
const get = async (path: string, key?: string) => {
  const answer = await http.inject({
    method: 'GET',
    url: path,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  })
  return {
    status: answer.statusCode,
    body: answer.json<{ data: { list: { id: number }[]; next: string | null } }>(),
    text: answer.body,
  }
}
const span = () => `from=${kit.clock.now() - 20 * dayMs}&to=${kit.clock.now() + dayMs}`
const paths = () => ['/partner/v1/areas', '/partner/v1/vehicles', `/partner/v1/orders?${span()}`]

it('answers a key with rows of its company and of no other', async () => {
  for (const [own, foreign] of [
    [alpha, bravo],
    [bravo, alpha],
  ] as const) {
    const { key } = await make(own)
    for (const path of paths()) {
      const { status, body, text } = await get(path, key)
      expect([path, status]).toEqual([path, 200])
      expect(body.data.list.length).toBeGreaterThan(0)
      expect(text).not.toContain(foreign.marker)
    }
    const ids = (await get('/partner/v1/vehicles', key)).body.data.list.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([...own.vehicleIds]))
    expect(ids).not.toEqual(expect.arrayContaining([foreign.vehicleIds[0]]))
    const reached = await get(`/partner/v1/vehicles?areaId=${foreign.areaIds[0]}`, key)
    expect(reached.body.data.list).toEqual([])
  }
})

it('sends nothing of riders', async () => {
  const { key } = await make(alpha)
  const { text } = await get(`/partner/v1/orders?${span()}`, key)
  expect(text).not.toMatch(/rider|phone/i)
  expect(text).not.toContain(alpha.riderPhone)
})

it('goes on where the last page ended', async () => {
  const { key } = await make(alpha)
  const first = (await get('/partner/v1/vehicles?limit=1', key)).body.data
  expect(first.list.map(({ id }) => id)).toEqual([alpha.vehicleIds[0]])
  const second = (await get(`/partner/v1/vehicles?limit=1&cursor=${first.next}`, key)).body.data
  expect(second.list.map(({ id }) => id)).toEqual([alpha.vehicleIds[1]])
  const all = (await get('/partner/v1/vehicles?limit=500', key)).body.data
  expect(all.next).toBe(null)
  for (const query of ['limit=501', 'cursor=-1', 'unknown=1', 'state=nothing'])
    expect([query, (await get(`/partner/v1/vehicles?${query}`, key)).status]).toEqual([query, 400])
  const year = `from=0&to=${kit.clock.now()}`
  expect((await get(`/partner/v1/orders?${year}`, key)).status).toBe(400)
})

it('refuses what a key may not read, and keys that are wrong, over, replaced or revoked', async () => {
  const narrow = await make(alpha, { scopes: ['areas'] })
  expect((await get('/partner/v1/areas', narrow.key)).status).toBe(200)
  expect((await get('/partner/v1/vehicles', narrow.key)).status).toBe(403)
  for (const wrong of [undefined, '', 'x', `${narrow.key}x`, narrow.key.slice(0, -1)])
    expect([wrong, (await get('/partner/v1/areas', wrong)).status]).toEqual([wrong, 401])
  const short = await make(alpha, { days: 1 })
  kit.clock.advance(dayMs)
  expect((await get('/partner/v1/areas', short.key)).status).toBe(401)
  const { data: rotated } = await partners.handlers.rotatePartnerKey({ id: narrow.id, version: 1 }, callOf(alpha))
  expect((await get('/partner/v1/areas', narrow.key)).status).toBe(200)
  expect((await get('/partner/v1/areas', rotated.key)).status).toBe(200)
  kit.clock.advance(24 * hourMs)
  expect((await get('/partner/v1/areas', narrow.key)).status).toBe(401)
  expect((await get('/partner/v1/areas', rotated.key)).status).toBe(200)
  await partners.handlers.revokePartnerKey({ id: narrow.id }, callOf(alpha))
  expect((await get('/partner/v1/areas', rotated.key)).status).toBe(401)
  const again = partners.handlers.rotatePartnerKey({ id: narrow.id, version: 2 }, callOf(alpha))
  await expect(again).rejects.toMatchObject({ code: 'not_found' })
})

it("leaves another company's keys alone", async () => {
  const { id, key } = await make(bravo)
  await expect(partners.handlers.revokePartnerKey({ id }, callOf(alpha))).rejects.toMatchObject({ code: 'not_found' })
  await expect(partners.handlers.rotatePartnerKey({ id, version: 1 }, callOf(alpha))).rejects.toMatchObject({
    code: 'not_found',
  })
  expect((await get('/partner/v1/areas', key)).status).toBe(200)
  await owner.updateTable('agent').set({ state: 'disabled' }).where('id', '=', bravo.agentId).execute()
  expect((await get('/partner/v1/areas', key)).status).toBe(401)
  await owner.updateTable('agent').set({ state: 'enabled' }).where('id', '=', bravo.agentId).execute()
})

it('holds each key to its own rate, and counts what it does by day', async () => {
  const { id, key } = await make(alpha, { perMinute: 3 })
  const other = await make(alpha, { perMinute: 3 })
  const answers = [1, 2, 3, 4, 5].map(() => get('/partner/v1/areas', key))
  const states = (await Promise.all(answers)).map(({ status }) => status)
  expect(states.toSorted()).toEqual([200, 200, 200, 429, 429])
  expect((await get('/partner/v1/areas', other.key)).status).toBe(200)
  await partners.access.flush()
  const { data } = await partners.handlers.listPartnerKeys({}, callOf(alpha))
  expect(data.list.find((row) => row.id === id)).toMatchObject({ calls: 5, refused: 2, lastUsedAt: kit.clock.now() })
  kit.clock.advance(5 * minuteMs)
})

it('holds a network that shows wrong keys to a limit', async () => {
  const tries = Array.from({ length: 40 }, (_, index) =>
    get('/partner/v1/areas', `saddle_pk_${String(index).repeat(43).slice(0, 43)}`),
  )
  const states = (await Promise.all(tries)).map(({ status }) => status)
  expect(states.filter((status) => status === 401)).toHaveLength(30)
  expect(states.filter((status) => status === 429)).toHaveLength(10)
  // A right key is not held to it.
  const { key } = await make(alpha)
  expect((await get('/partner/v1/areas', key)).status).toBe(200)
})

it('keeps no key, only what it hashes to', async () => {
  const { key } = await make(alpha)
  const { rows } = await sql<{ text: string }>`select k::text as text from partner_key k`.execute(owner)
  expect(rows.some(({ text }) => text.includes(key.slice('saddle_pk_'.length)))).toBe(false)
  const lines = await sql<{
    text: string
  }>`select l::text as text from audit_record l where action like 'partner_key.%'`.execute(owner)
  expect(lines.rows.length).toBeGreaterThan(5)
  expect(lines.rows.some(({ text }) => text.includes(key.slice(-20)))).toBe(false)
})

it('describes its calls in a document without a fault, with examples that fit', async () => {
  expect(await openApiFaults(partnerApiDocument())).toEqual([])
  for (const [name, { output, example }] of Object.entries(partnerCalls))
    expect([name, output.safeParse(example).success]).toEqual([name, true])
  expect((await http.inject('/partner/v1/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
})
