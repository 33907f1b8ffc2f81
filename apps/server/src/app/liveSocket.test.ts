import { connect as connectTcp } from 'node:net'
import { describe, expect, it } from 'vitest'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import type { TestClient } from '#test/client.ts'
import { connectLive, enter, hello, idsOf, type Live } from '#test/live.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const world = { west: -180, south: -90, east: 180, north: 90 }

const tenants: TenantFixture[] = []
const server = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const [alpha, bravo] = [tenants[0]!, tenants[1]!]

const connect = (client: TestClient, headers: Record<string, string> = {}): Live =>
  connectLive(server.address, client, headers)

describe('the live socket', () => {
  it('shows the vehicles of the session, and of nobody else', async () => {
    const client = await server.login(alpha.manager)
    const live = connect(client)
    await enter(live, client)
    await expect.poll(() => idsOf(live)).toEqual([...alpha.vehicleIds])
    expect(live.events[0]).toMatchObject({ type: 'ready' })
    live.socket.close()
  })

  it('narrows to the selection of its token', async () => {
    const client = await server.login(alpha.manager)
    const live = connect(client)
    await enter(live, client, { opAreaIds: [alpha.areaIds[1]] })
    await expect.poll(() => idsOf(live)).toEqual([alpha.vehicleIds[1]])
    live.socket.close()
  })

  it('is held to the areas of the operator', async () => {
    const client = await server.login(alpha.worker)
    const live = connect(client)
    await enter(live, client)
    await expect.poll(() => idsOf(live)).toEqual([alpha.vehicleIds[0]])
    live.socket.close()
  })

  it.each([
    ['a foreign selection', { agentIds: [4] }],
    ['another path', { htu: '/elsewhere' }],
    ['another person', { phone: '13900000099' }],
  ] as const)('closes on %s', async (_, change) => {
    const client = await server.login(bravo.worker)
    const foreign = 'agentIds' in change ? { agentIds: [alpha.agentId] } : change
    const live = connect(client)
    live.say(hello(client, foreign))
    live.say({ type: 'view', bounds: world })
    expect(await live.closed).toBe(4401)
    expect(live.frames).toEqual([])
  })

  it('closes on words before hello, a second hello, or nonsense', async () => {
    const client = await server.login(bravo.worker)
    const early = connect(client)
    early.say({ type: 'view', bounds: world })
    expect(await early.closed).toBe(4401)
    const twice = connect(client)
    twice.say(hello(client))
    twice.say(hello(client))
    expect(await twice.closed).toBe(4400)
    const odd = connect(client)
    odd.say({ type: 'odd' })
    expect(await odd.closed).toBe(4400)
  })

  it('refuses pages of other origins and other paths', async () => {
    const client = await server.login(bravo.worker)
    expect(await connect(client, { origin: 'https://evil.example' }).closed).toBe(-1)
  })

  it('ends with the session', async () => {
    const client = await server.login(bravo.manager)
    const live = connect(client)
    await enter(live, client)
    await expect.poll(() => idsOf(live).length).toBe(2)
    const session = await server.owner
      .selectFrom('session')
      .select('id')
      .where('handle', '=', client.session!.data.accessToken)
      .executeTakeFirstOrThrow()
    await server.platform.domains.identity.sessions.revoke(session.id)
    expect([1001, 4401]).toContain(await live.closed)
  })
})

interface RawAnswer {
  readonly head: string
}

/** Sends an upgrade request byte by byte; resolves when the server has closed the connection. */
function upgrade(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let head = ''
    const socket = connectTcp(Number(new URL(server.address).port), '127.0.0.1', () =>
      socket.write(upgradeRequest(path, headers)),
    )
    socket.on('data', (data) => (head += data.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve({ head }))
  })
}

function upgradeRequest(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({
    Host: 'localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

const isAlive = async (): Promise<boolean> => (await fetch(`${server.address}/healthz`)).ok

describe('an upgrade of an outsider', () => {
  it.each(['//', '///x', '*', '/%', '/ws/live/', 'http://', 'http://[', '/ws/live%00'])(
    'to %s is refused and harms nobody',
    async (path) => {
      const { head } = await upgrade(path)
      expect(head).toMatch(/^HTTP\/1\.1 40[04] /)
      expect(await isAlive()).toBe(true)
    },
  )

  it('that is refused and then reset harms nobody', async () => {
    for (let turn = 0; turn < 50; turn += 1) {
      await new Promise<void>((resolve) => {
        const socket = connectTcp(Number(new URL(server.address).port), '127.0.0.1', () => {
          socket.write(upgradeRequest(liveSocketPath, { Origin: 'https://evil.example' }), () =>
            socket.resetAndDestroy(),
          )
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
      })
    }
    expect(await isAlive()).toBe(true)
  })

  it('in which the handshake is wrong is refused', async () => {
    const { head } = await upgrade(liveSocketPath, { 'Sec-WebSocket-Key': 'short' })
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(await isAlive()).toBe(true)
  })

  it('gives back its place when the line breaks, whatever was said on it', async () => {
    for (let turn = 0; turn < 40; turn += 1) {
      await new Promise<void>((resolve) => {
        const socket = connectTcp(Number(new URL(server.address).port), '127.0.0.1', () =>
          socket.write(upgradeRequest(liveSocketPath, {})),
        )
        socket.once('data', () => {
          // A frame without its mask, then garbage: both break the protocol.
          socket.write(Buffer.from(turn % 2 === 0 ? '8105' : 'ffffffffffff', 'hex'))
          socket.resetAndDestroy()
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
      })
    }
    const client = await server.login(bravo.worker)
    const live = connect(client)
    await enter(live, client)
    expect(live.events[0]).toMatchObject({ type: 'ready' })
    live.socket.close()
  })
})
