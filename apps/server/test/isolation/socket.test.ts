import { afterAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import type { Command } from '@saddle/contract/fleet/commands.ts'
import type { ChatMessage } from '@saddle/contract/support/chat.ts'
import { decodeLiveFrame, type Bounds, type LiveFilter } from '@saddle/contract/telemetry/live.ts'
import { fleetTopics } from '#fleet/public.ts'
import { chatMessageTopic } from '#support/public.ts'
import type { TestClient } from '#test/client.ts'
import type { TenantFixture } from '#test/tenants.ts'
import { createTally, createWorld } from './world.ts'

const tally = createTally('by the live socket')
const world = await createWorld()
const { alpha, bravo, clients, server } = world
const { bus } = server.kit
// The person without codes becomes a regulator: numbers and densities, and no single vehicle.
const bareRole = await server.owner
  .selectFrom('role')
  .select('id')
  .where('name', '=', `${alpha.marker} bare`)
  .executeTakeFirstOrThrow()
await server.owner
  .insertInto('role_permission')
  .values({ agent_id: alpha.agentId, role_id: bareRole.id, code: '030601' })
  .execute()
const regulator = await server.login(alpha.bare)
const { id: regulatorId } = await server.owner
  .selectFrom('operator')
  .select('id')
  .where('name', '=', `${alpha.marker} bare`)
  .executeTakeFirstOrThrow()

interface Line {
  /** Everything that came: vehicles as `vehicle 12`, clusters as `cluster 3`, events as their JSON. */
  readonly told: string[]
  readonly view: (bounds: Bounds, zoom?: number, filter?: LiveFilter) => void
  /** Its answer comes after everything that was said before it was heard. */
  readonly ping: () => void
}

const sockets: WebSocket[] = []
afterAll(() => {
  for (const socket of sockets) socket.close()
})

async function open(client: TestClient): Promise<Line> {
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(server.address.replace('http', 'ws') + liveSocketPath, { headers: { cookie } })
  sockets.push(socket)
  const told: string[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      told.push(data.toString())
      return
    }
    const frame = decodeLiveFrame(new Uint8Array(data))
    told.push('frame')
    if (frame.kind === 'vehicles') told.push(...frame.upserts.map(({ id }) => `vehicle ${id}`))
    else told.push(...frame.upserts.map(({ count }) => `cluster ${count}`))
  })
  await new Promise((resolve) => socket.once('open', resolve))
  const token = client.sign(client.tokenFor({ endpoint: { method: 'GET', path: liveSocketPath } }))
  socket.send(JSON.stringify({ type: 'hello', token }))
  await vi.waitUntil(() => told.some((text) => text.includes('ready')), { timeout: 60_000 })
  return {
    told,
    view: (bounds, zoom, filter) => socket.send(JSON.stringify({ type: 'view', bounds, zoom, filter })),
    ping: () => socket.send(JSON.stringify({ type: 'ping' })),
  }
}

const everywhere = { west: -180, south: -90, east: 180, north: 90 }
const here = { west: 120.04, south: 31.04, east: 120.06, north: 31.06 }
const lines = {
  manager: await open(clients.manager),
  worker: await open(clients.worker),
  regulator: await open(regulator),
} as const
const roles = ['manager', 'worker'] as const
/** How many of alpha's two vehicles, one in each area, the role may see. */
const permitted = { manager: 2, worker: 1 } as const

const filters: (LiveFilter | undefined)[] = [
  undefined,
  { areaIds: [...bravo.areaIds] },
  { areaIds: [...alpha.areaIds, ...bravo.areaIds] },
  { models: [`${bravo.marker} model`] },
  { states: ['available', 'non_contactable'] },
  { idleMinutes: 1 },
]
const views = [everywhere, here].flatMap((bounds) =>
  [undefined, 3, 9, 12, 18].flatMap((zoom) => filters.map((filter) => ({ bounds, zoom, filter }))),
)

describe('a view', () => {
  it.each(roles)('of the %s shows and counts nobody else’s vehicles, however it asks', async (role) => {
    const { told, view } = lines[role]
    let most = 0
    for (const { bounds, zoom, filter } of views) {
      tally.cases += 1
      told.length = 0
      // Views in quick succession wait for each other.
      world.clock.advance(1_000)
      view(bounds, zoom, filter)
      await expect.poll(() => told, { interval: 2 }).toContain('frame')
      const ids = told.flatMap((text) => (text.startsWith('vehicle') ? [Number(text.slice(8))] : []))
      const counted = told.reduce((sum, text) => sum + (text.startsWith('cluster') ? Number(text.slice(8)) : 0), 0)
      const foreign = ids.filter((id) => !alpha.vehicleIds.slice(0, permitted[role]).includes(id))
      most = Math.max(most, ids.length, counted)
      if (foreign.length > 0 || counted > permitted[role]) tally.leaks += 1
      expect({ foreign, tooMany: counted > permitted[role] }).toEqual({ foreign: [], tooMany: false })
    }
    expect(most).toBe(permitted[role])
  })
})

type Publish = (of: TenantFixture, area: 0 | 1, mark: string) => void

const commandOf = (vehicleId: number, reason: string): Command => ({
  id: vehicleId,
  vehicleId,
  kind: 'lock',
  parameters: null,
  batchId: null,
  state: 'sent',
  reason,
  operatorName: '',
  failure: null,
  queuedAt: 0,
  sentAt: 0,
  acknowledgedAt: null,
  finishedAt: null,
})

const chatMessageOf = (text: string): ChatMessage => ({
  id: 1,
  conversationId: 1,
  fromSupport: true,
  authorName: '',
  text,
  sentAt: 0,
})

/** Each kind of event, as the domains publish it after their commit. */
const events: Readonly<Record<string, Publish>> = {
  command: (of, area, mark) =>
    bus.publish(fleetTopics.commandChanged, {
      agentId: of.agentId,
      areaId: of.areaIds[area],
      operatorId: of.managerId,
      command: commandOf(of.vehicleIds[area], mark),
    }),
  alarm: (of, area) =>
    bus.publish(fleetTopics.alarm, [
      { vehicleId: of.vehicleIds[area], agentId: of.agentId, areaId: of.areaIds[area], kind: 'fall', open: true },
    ]),
}

it('tells a regulator of no vehicle, by no view and by no event', async () => {
  const { told, view, ping } = lines.regulator
  const heard = lines.manager.told
  const pong = '{"type":"pong"}'
  told.length = 0
  for (const { bounds, zoom, filter } of views) {
    world.clock.advance(1_000)
    view(bounds, zoom, filter)
    const before = told.filter((text) => text === pong).length
    ping()
    await expect.poll(() => told.filter((text) => text === pong), { interval: 2 }).toHaveLength(before + 1)
  }
  // The manager hears the command: it did leave.
  heard.length = 0
  for (const [kind, publish] of Object.entries(events)) publish(alpha, 0, `regulated ${kind}`)
  bus.publish(chatMessageTopic, {
    agentId: alpha.agentId,
    operatorId: regulatorId,
    message: chatMessageOf('to the regulator'),
  })
  await expect.poll(() => told.some((text) => text.includes('to the regulator'))).toBe(true)
  await expect.poll(() => heard.some((text) => text.includes('regulated command'))).toBe(true)
  tally.cases += views.length + Object.keys(events).length
  const leaked = told.filter((text) => text !== pong && !text.includes('to the regulator'))
  tally.leaks += leaked.length
  expect(leaked).toEqual([])
})

describe.each(Object.entries(events))('events of a %s', (kind, publish) => {
  it.each(roles)('reaches the %s only for what they may see', async (role) => {
    const { told } = lines[role]
    const cases = [
      { of: bravo, area: 0, may: false },
      { of: bravo, area: 1, may: false },
      { of: alpha, area: 1, may: role === 'manager' },
      // The last one is always told: when it is there, the others would be.
      { of: alpha, area: 0, may: true },
    ] as const
    told.length = 0
    for (const { of, area } of cases) publish(of, area, `${kind} ${of.marker} ${area}`)
    const isTold = (of: TenantFixture, area: 0 | 1): boolean =>
      told.some(
        (text) => text.includes(`${kind} ${of.marker} ${area}`) || text.includes(`"vehicleId":${of.vehicleIds[area]}}`),
      )
    await expect.poll(() => isTold(alpha, 0)).toBe(true)
    for (const { of, area, may } of cases) {
      tally.cases += 1
      if (isTold(of, area) && !may) tally.leaks += 1
      expect(isTold(of, area), `${of.marker} ${area}`).toBe(may)
    }
  })
})

it('words between people reach nobody of another company', async () => {
  const { told } = lines.manager
  told.length = 0
  for (const of of [bravo, alpha]) {
    bus.publish(chatMessageTopic, {
      agentId: of.agentId,
      operatorId: of.workerId,
      message: chatMessageOf(`chat ${of.marker}`),
    })
  }
  await expect.poll(() => told.some((text) => text.includes(`chat ${alpha.marker}`))).toBe(true)
  tally.cases += 1
  const isTold = told.some((text) => text.includes(bravo.marker))
  if (isTold) tally.leaks += 1
  expect(isTold).toBe(false)
})
