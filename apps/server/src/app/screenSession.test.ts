import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { endpoints, everyCall } from '@saddle/contract/endpoints.ts'
import { isSealed } from '@saddle/contract/endpoint.ts'
import { callsOfScreens, screenCodeLifetimeMs, screenPairingsPerAddress } from '@saddle/contract/identity/screens.ts'
import type { ScreenPage } from '@saddle/contract/reports/screens.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import { createManualClock } from '#kit/clock.ts'
import { TEST_START_MS } from '#test/kit.ts'
import type { TestClient } from '#test/client.ts'
import type { SealedName } from '#test/isolation/specimens/specimen.ts'
import { inputFor } from '#test/isolation/world.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const tenants: TenantFixture[] = []
const clock = createManualClock(TEST_START_MS)
const server = await testPlatform({
  env: { SERVICES: 'api', SCREEN_CACHE_SECONDS: '0' },
  clock,
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const [alpha, bravo] = [tenants[0]!, tenants[1]!]
const { owner } = server
const { serverKey } = server.platform.domains.identity
const codeOf = (body: unknown): string | undefined => (body as { error?: { code: string } }).error?.code

interface Pairing {
  readonly staff: TestClient
  readonly pages?: readonly ScreenPage[]
  readonly areaIds?: readonly number[]
}

/** A wall that somebody has connected. */
async function connected({ staff, pages = ['operations', 'revenue'], areaIds }: Pairing) {
  // Codes of one address are limited; those of earlier tests have expired.
  clock.advance(screenCodeLifetimeMs)
  const wall = server.client()
  const { code } = (await wall.call(endpoints.beginScreenPairing, {})).body.data
  expect(await wall.collectScreen(serverKey)).toBe('waiting')
  const input = { code, name: `${alpha.marker} wall`, pages: [...pages], ...(areaIds && { areaIds: [...areaIds] }) }
  const { status, body } = await staff.call(endpoints.pairScreen, input)
  expect(status).toBe(200)
  expect(await wall.collectScreen(serverKey)).toBe('paired')
  return { wall, id: body.data.id }
}
const operations = (client: TestClient) => client.call(endpoints.readOperationsScreen, {})
const revenue = (client: TestClient) => client.call(endpoints.readRevenueScreen, {})

describe('a wall', () => {
  it('has a code that works once, for a while, and a session that it collects once', async () => {
    const staff = await server.login(alpha.manager)
    const wall = server.client()
    const { code, expiresAt } = (await wall.call(endpoints.beginScreenPairing, {})).body.data
    expect(expiresAt).toBe(clock.now() + screenCodeLifetimeMs)
    const input = { name: 'lobby', pages: ['operations' as const] }
    expect(codeOf((await staff.call(endpoints.pairScreen, { ...input, code: '22222222' })).body)).toBe(
      'screen_code_invalid',
    )
    // As it is read aloud.
    const typed = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase()
    expect((await staff.call(endpoints.pairScreen, { ...input, code: typed })).status).toBe(200)
    expect(codeOf((await staff.call(endpoints.pairScreen, { ...input, code })).body)).toBe('screen_code_invalid')
    expect(await server.client().collectScreen(serverKey)).toBe('expired')
    expect(await wall.collectScreen(serverKey)).toBe('paired')
    expect(await wall.collectScreen(serverKey)).toBe('expired')

    const late = server.client()
    const { code: old } = (await late.call(endpoints.beginScreenPairing, {})).body.data
    clock.advance(screenCodeLifetimeMs)
    const again = await server.login(alpha.manager)
    expect(codeOf((await again.call(endpoints.pairScreen, { ...input, code: old })).body)).toBe('screen_code_invalid')
    expect(await late.collectScreen(serverKey)).toBe('expired')
  })

  it('shows so many codes at one address, and no more', async () => {
    clock.advance(screenCodeLifetimeMs)
    for (let count = 0; count < screenPairingsPerAddress; count += 1)
      expect((await server.client().call(endpoints.beginScreenPairing, {})).status).toBe(200)
    expect((await server.client().call(endpoints.beginScreenPairing, {})).status).toBe(429)
  })

  it('may make its own calls and no other, and opens no socket', async () => {
    const { wall } = await connected({ staff: await server.login(alpha.manager) })
    expect([(await operations(wall)).status, (await revenue(wall)).status]).toEqual([200, 200])
    const closed = Object.entries(everyCall).filter(([, one]) => isSealed(one) && !callsOfScreens.has(one))
    const codes = new Set<string | undefined>()
    for (const [name, endpoint] of closed) {
      const { body } = await wall.call(endpoint, inputFor(name as SealedName, alpha, alpha.manager))
      codes.add(codeOf(body))
    }
    expect(codes).toEqual(new Set(['forbidden']))
    expect(await closeCodeOf(wall)).toBe(4401)
  })

  it('has the pages of its row that its person may see, and only its areas', async () => {
    const staff = await server.login(alpha.manager)
    const [first, second] = alpha.areaIds
    const { wall } = await connected({ staff, pages: ['operations'], areaIds: [first] })
    expect((await revenue(wall)).status).toBe(403)
    const { areas, areaCount } = (await operations(wall)).body.data
    expect([areaCount, areas.length]).toEqual([1, 1])
    // Whoever holds the wall may not widen what it reaches.
    const widened = await wall.call(endpoints.readOperationsScreen, {}, { token: { opAreaIdsBigScreen: [second] } })
    expect(codeOf(widened.body)).toBe('foreign_scope')
    expect((await operations(staff)).body.data.areaCount).toBe(2)
  })

  it('is given nobody’s areas and no page that the person lacks', async () => {
    const worker = await server.login(alpha.worker)
    const wall = server.client()
    clock.advance(screenCodeLifetimeMs)
    const { code } = (await wall.call(endpoints.beginScreenPairing, {})).body.data
    const input = { code, name: 'lobby', pages: ['operations' as const] }
    for (const areaIds of [[bravo.areaIds[0]], [alpha.areaIds[1]]])
      expect(codeOf((await worker.call(endpoints.pairScreen, { ...input, areaIds })).body)).toBe('foreign_scope')
    const bare = await server.login(alpha.bare)
    expect(codeOf((await bare.call(endpoints.pairScreen, { ...input })).body)).toBe('forbidden')
  })

  it('stays logged in without a pause limit, and holds no number of the person', async () => {
    const { wall } = await connected({ staff: await server.login(alpha.manager) })
    expect(wall.session?.data).toMatchObject({ phone: '' })
    clock.advance(300 * dayMs)
    const { status, body } = await operations(wall)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain(alpha.manager)
    clock.advance(66 * dayMs)
    expect((await operations(wall)).status).toBe(401)
  })
})

describe('a wall ends', () => {
  it('when its screen is removed, at once and only by its own company', async () => {
    const staff = await server.login(alpha.manager)
    const { wall, id } = await connected({ staff })
    const other = await server.login(bravo.manager)
    expect((await other.call(endpoints.removeScreen, { id })).status).toBe(404)
    expect((await other.call(endpoints.renameScreen, { id, name: 'x' })).status).toBe(404)
    expect((await other.call(endpoints.listScreens, {})).body.data.list.map((screen) => screen.id)).not.toContain(id)
    const listed = (await staff.call(endpoints.listScreens, {})).body.data.list.find((screen) => screen.id === id)
    expect(listed).toMatchObject({ pages: ['operations', 'revenue'], areaCount: null, lastSeenAt: expect.any(Number) })
    expect((await operations(wall)).status).toBe(200)
    expect((await staff.call(endpoints.removeScreen, { id })).status).toBe(200)
    expect((await operations(wall)).status).toBe(401)
    expect((await staff.call(endpoints.removeScreen, { id })).status).toBe(404)
  })

  it('when its person loses the right or is disabled, and not when they log out', async () => {
    const staff = await server.login(alpha.manager)
    const { wall } = await connected({ staff })
    expect((await staff.call(endpoints.endOwnSession, {})).status).toBe(200)
    const own = (await staff.call(endpoints.selfSettings, {})).body.data.sessions
    expect(own.map(({ loginKind }) => loginKind)).not.toContain('screen')
    await staff.call(endpoints.logout, {})
    expect((await operations(wall)).status).toBe(200)
    const codes = ['0221', 'LargeRevenueScreen']
    const removed = await owner
      .deleteFrom('role_permission')
      .where('role_id', '=', alpha.roleId)
      .where('code', 'in', codes)
      .returningAll()
      .execute()
    clock.advance(minuteMs)
    expect((await operations(wall)).status).toBe(401)
    await owner.insertInto('role_permission').values(removed).execute()
    clock.advance(minuteMs)
    expect((await operations(wall)).status).toBe(200)
    await owner.updateTable('operator').set({ state: 'disabled' }).where('id', '=', alpha.managerId).execute()
    clock.advance(minuteMs)
    expect((await operations(wall)).status).toBe(401)
    await owner.updateTable('operator').set({ state: 'enabled' }).where('id', '=', alpha.managerId).execute()
  })
})

async function closeCodeOf(client: TestClient): Promise<number> {
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(server.address.replace('http', 'ws') + liveSocketPath, { headers: { cookie } })
  await new Promise<void>((resolve) => socket.on('open', () => resolve()))
  const token = client.sign(client.tokenFor({ endpoint: { method: 'GET', path: liveSocketPath } }))
  const closed = new Promise<number>((resolve) => socket.on('close', (closeCode) => resolve(closeCode)))
  socket.send(JSON.stringify({ type: 'hello', token }))
  return closed
}
