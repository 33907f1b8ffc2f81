import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { closeCodes, decodeLiveFrame, type LiveFrame, type ServerEvent } from '@saddle/contract/telemetry/live.ts'
import { permissionCodes } from '@saddle/contract/permissions.ts'
import type { Command } from '@saddle/contract/fleet/commands.ts'
import { fleetTopics, type VehicleNow } from '#fleet/public.ts'
import { identityTopics } from '#identity/public.ts'
import { createLocalBus, type Topic } from '#kit/bus.ts'
import { createManualClock } from '#kit/clock.ts'
import { silentLog } from '#kit/log.ts'
import { chatMessageTopic } from '#support/public.ts'
import { createLiveIndex } from '../live/liveIndex.ts'
import { feedLimits, type LiveIdentity, type LiveRights } from './client.ts'
import { createLiveFeed, type LiveFeed } from './feed.ts'

const startMs = Date.UTC(2026, 10, 21)
const bounds = { west: 120, south: 31, east: 121, north: 32 }
let feed: LiveFeed | null = null
afterEach(() => feed?.close())

function vehicle(changes: Partial<VehicleNow> = {}): VehicleNow {
  return {
    vehicleId: 1,
    agentId: 3,
    areaId: 31,
    version: 1,
    state: 'available',
    stateBefore: null,
    lat: 31.25,
    lng: 120.7,
    speedKmh: null,
    headingDeg: null,
    positionAt: startMs,
    batteryPercent: 80,
    voltageV: null,
    locked: true,
    charging: null,
    signal: null,
    odometerM: null,
    factsAt: startMs,
    heardAt: startMs,
    openAlarms: [],
    ...changes,
  }
}

const command: Command = {
  id: 9,
  vehicleId: 1,
  kind: 'lock',
  parameters: null,
  batchId: null,
  state: 'sent',
  reason: '',
  operatorName: '周可',
  failure: null,
  queuedAt: startMs,
  sentAt: startMs,
  acknowledgedAt: null,
  finishedAt: null,
}

function start() {
  const clock = createManualClock(startMs)
  const bus = createLocalBus({ log: silentLog })
  const opened = createLiveFeed({ bus, clock, log: silentLog }, createLiveIndex({ nowMs: startMs }))
  feed = opened
  const say = async <Message>(topic: Topic<Message>, message: NoInfer<Message>): Promise<void> => {
    bus.publish(topic, message)
    await bus.flush()
    // Rights are read a moment after the message.
    await setImmediate()
    await setImmediate()
  }
  const join = (changes: Partial<LiveIdentity> = {}) => {
    const frames: LiveFrame[] = []
    const bytes: Uint8Array[] = []
    const events: ServerEvent[] = []
    const closed: number[] = []
    const socket = { buffered: 0 }
    const session = opened.open(
      {
        send: (data) => {
          if (typeof data === 'string') events.push(JSON.parse(data) as ServerEvent)
          else {
            bytes.push(data)
            frames.push(decodeLiveFrame(data))
          }
        },
        bufferedAmount: () => socket.buffered,
        close: (code) => closed.push(code),
      },
      {
        sessionId: 1,
        handle: 'h1',
        operatorId: 7,
        scope: { agentIds: [3], areaIds: [31], operatorId: 7 },
        permissions: new Set(['0301']),
        ...changes,
      },
    )
    return { frames, bytes, events, closed, socket, session }
  }
  return { clock, bus, feed: opened, say, join }
}

it('answers a view with a snapshot and then only with what changed', async () => {
  const { feed, say, join } = start()
  await say(fleetTopics.vehicle, [vehicle()])
  const { frames, session } = join()
  session.onMessage({ type: 'view', bounds })
  expect(frames).toMatchObject([{ snapshot: true, sequence: 1, upserts: [{ id: 1, lat: 31.25 }], removed: [] }])
  feed.tick()
  expect(frames).toHaveLength(1)
  await say(fleetTopics.vehicle, [vehicle({ version: 2, lat: 31.26 }), vehicle({ vehicleId: 2 })])
  feed.tick()
  expect(frames[1]).toMatchObject({ snapshot: false, sequence: 2, removed: [] })
  expect(frames[1]?.kind === 'vehicles' && frames[1].upserts.map(({ id }) => id).toSorted()).toEqual([1, 2])
  await say(fleetTopics.vehicle, [vehicle({ version: 3, lat: 40 })])
  feed.tick()
  expect(frames[2]).toMatchObject({ upserts: [], removed: [1] })
  session.onMessage({ type: 'unview' })
  await say(fleetTopics.vehicle, [vehicle({ version: 4 })])
  feed.tick()
  expect(frames).toHaveLength(3)
})

it('a foreign franchisee, a foreign area and a person without the map see nothing', async () => {
  const { feed, say, join } = start()
  const foreign = join({ scope: { agentIds: [4], areaIds: [31], operatorId: 8 } })
  const otherArea = join({ scope: { agentIds: [3], areaIds: [32], operatorId: 8 } })
  const nobody = join({ scope: { agentIds: [], areaIds: [], operatorId: 8 } })
  const clerk = join({ permissions: new Set(['financial']) })
  const own = join()
  const all = [foreign, otherArea, nobody, clerk, own]
  for (const { session } of all) session.onMessage({ type: 'view', bounds })
  await say(fleetTopics.vehicle, [vehicle()])
  await say(fleetTopics.commandChanged, { agentId: 3, areaId: 31, operatorId: 7, command })
  await say(fleetTopics.alarm, [{ vehicleId: 1, agentId: 3, areaId: 31, kind: 'fall', open: true }])
  feed.tick()
  for (const { frames, events } of [foreign, otherArea, nobody, clerk]) {
    expect(frames.filter(({ upserts }) => upserts.length > 0)).toEqual([])
    expect(events).toEqual([])
  }
  expect(own.frames.at(-1)?.upserts).toHaveLength(1)
  expect(own.events).toEqual([
    { type: 'command', command },
    { type: 'vehicle', vehicleId: 1 },
  ])
})

it('chat reaches its operator and the inbox of its franchisee', async () => {
  const { say, join } = start()
  const author = join({ operatorId: 70, permissions: new Set() })
  const inbox = join({ operatorId: 71, permissions: new Set(['180101']) })
  const foreignInbox = join({
    operatorId: 72,
    permissions: new Set(['180101']),
    scope: { agentIds: [4], areaIds: [41], operatorId: 72 },
  })
  const colleague = join({ operatorId: 73 })
  const message = { id: 1, conversationId: 1, fromSupport: false, authorName: '周可', text: '在吗', sentAt: startMs }
  await say(chatMessageTopic, { message, operatorId: 70, agentId: 3 })
  expect(author.events).toEqual([{ type: 'chat', message }])
  expect(inbox.events).toEqual([{ type: 'chat', message }])
  expect(foreignInbox.events).toEqual([])
  expect(colleague.events).toEqual([])
})

it('a slow client gets nothing until it has read, then all of it afresh, and is closed when it never reads', async () => {
  const { clock, feed, say, join } = start()
  const { frames, events, closed, socket, session } = join()
  session.onMessage({ type: 'view', bounds })
  socket.buffered = feedLimits.maxBufferedBytes + 1
  await say(fleetTopics.vehicle, [vehicle()])
  await say(fleetTopics.commandChanged, { agentId: 3, areaId: 31, operatorId: 7, command })
  feed.tick()
  expect(frames).toHaveLength(1)
  expect(events).toEqual([])
  socket.buffered = 0
  feed.tick()
  expect(frames[1]).toMatchObject({ snapshot: true, upserts: [{ id: 1 }] })
  expect(events).toEqual([{ type: 'refresh' }])
  socket.buffered = feedLimits.maxBufferedBytes + 1
  feed.tick()
  clock.advance(feedLimits.slowForMs - 1)
  feed.tick()
  expect(closed).toEqual([])
  clock.advance(1)
  feed.tick()
  expect(closed).toEqual([closeCodes.tooSlow])
})

it('a client that asks for views without pause gets one and then one with the tick', () => {
  const { feed, join } = start()
  const { frames, session } = join()
  for (let turn = 0; turn < 50; turn += 1)
    session.onMessage({ type: 'view', bounds: { ...bounds, east: 120 + turn / 50 } })
  expect(frames).toHaveLength(1)
  feed.tick()
  expect(frames).toHaveLength(2)
})

it('narrowed rights hold at once', async () => {
  const { feed, say, join } = start()
  await say(fleetTopics.vehicle, [vehicle(), vehicle({ vehicleId: 2, areaId: 32 })])
  let now: LiveRights | null = {
    scope: { agentIds: [3], areaIds: [31, 32], operatorId: 7 },
    permissions: new Set(['0301']),
  }
  const { frames, events, closed, session } = join({ ...now, current: async () => now })
  session.onMessage({ type: 'view', bounds })
  expect(frames[0]?.upserts).toHaveLength(2)
  now = { scope: { agentIds: [3], areaIds: [32], operatorId: 7 }, permissions: new Set(['0301']) }
  await say(identityTopics.operatorChanged, { operatorId: 7 })
  feed.tick()
  expect(events).toEqual([{ type: 'refresh' }])
  expect(frames[1]).toMatchObject({ snapshot: true, upserts: [{ id: 2 }] })
  now = null
  await say(identityTopics.sessionChanged, { handle: 'another' })
  expect(closed).toEqual([])
  await say(identityTopics.sessionChanged, { handle: 'h1' })
  expect(events.at(-1)).toEqual({ type: 'bye', code: 'unauthorized' })
  expect(closed).toEqual([closeCodes.unauthorised])
  await say(fleetTopics.vehicle, [vehicle({ vehicleId: 2, areaId: 32, version: 2, lat: 31.3 })])
  feed.tick()
  expect(frames).toHaveLength(2)
})

it('a session that ends without a word is noticed by the clock', async () => {
  const { clock, feed, join } = start()
  let reads = 0
  let now: LiveRights | null = {
    scope: { agentIds: [3], areaIds: [31], operatorId: 7 },
    permissions: new Set(['0301']),
  }
  const current = async () => {
    reads += 1
    return now
  }
  const { events, closed } = join({ ...now, current })
  clock.advance(feedLimits.recheckEveryMs - 1)
  feed.tick()
  await setImmediate()
  expect(reads).toBe(0)
  clock.advance(1)
  feed.tick()
  await setImmediate()
  await setImmediate()
  expect([reads, events, closed]).toEqual([1, [], []])
  now = null
  clock.advance(feedLimits.recheckEveryMs)
  feed.tick()
  await setImmediate()
  await setImmediate()
  expect(closed).toEqual([closeCodes.unauthorised])
})

it('of two readings of the rights the later one holds, whichever answers first', async () => {
  const { feed, say, join } = start()
  await say(fleetTopics.vehicle, [vehicle()])
  const wide = { scope: { agentIds: [3], areaIds: [31], operatorId: 7 }, permissions: new Set(['0301']) }
  const answers: ((rights: LiveRights) => void)[] = []
  const current = () => new Promise<LiveRights>((resolve) => answers.push(resolve))
  const { frames, session } = join({ ...wide, current })
  session.onMessage({ type: 'view', bounds })
  await say(identityTopics.operatorChanged, { operatorId: 7 })
  await say(identityTopics.operatorChanged, { operatorId: 7 })
  answers[1]?.({ ...wide, permissions: new Set() })
  answers[0]?.(wide)
  await setImmediate()
  await say(fleetTopics.vehicle, [vehicle({ version: 2, lat: 31.4 })])
  feed.tick()
  expect(answers).toHaveLength(2)
  expect(frames).toHaveLength(1)
})

it('shows vehicles, and tells of alarms and commands, for the codes of the map and of the search alone', async () => {
  const { say, join } = start()
  await say(fleetTopics.vehicle, [vehicle()])
  const people = new Map(permissionCodes.map((code) => [code, join({ permissions: new Set([code, 'all']) })]))
  for (const { session } of people.values()) session.onMessage({ type: 'view', bounds })
  await say(fleetTopics.commandChanged, { agentId: 3, areaId: 31, operatorId: 7, command })
  await say(fleetTopics.alarm, [{ vehicleId: 1, agentId: 3, areaId: 31, kind: 'fall', open: true }])
  const told = [...people].flatMap(([code, { frames, events }]) => (frames.length + events.length > 0 ? [code] : []))
  expect(told.toSorted()).toEqual(['0301', '0302'])
})

it('without a way to read its rights again a changed session is sent away', async () => {
  const { say, join } = start()
  const { events, closed } = join()
  await say(identityTopics.sessionChanged, {})
  expect(events).toEqual([{ type: 'bye', code: 'session_changed' }])
  expect(closed).toEqual([closeCodes.goingAway])
})

it('those who see the same are sent the very same bytes, and nobody else is', async () => {
  const { feed, say, join } = start()
  await say(fleetTopics.vehicle, [vehicle(), vehicle({ vehicleId: 2, lng: 120.2 })])
  const narrow = { ...bounds, west: 120.5 }
  const [one, late, elsewhere] = [join(), join(), join()]
  const foreign = join({ scope: { agentIds: [3], areaIds: [99], operatorId: 7 } })
  one.session.onMessage({ type: 'view', bounds })
  elsewhere.session.onMessage({ type: 'view', bounds: narrow })
  foreign.session.onMessage({ type: 'view', bounds })
  feed.tick()
  // Comes and sees a vehicle that the first one has not been told of, which is gone by the next tick.
  await say(fleetTopics.vehicle, [vehicle({ vehicleId: 3, lng: 120.3 })])
  late.session.onMessage({ type: 'view', bounds })
  await say(fleetTopics.vehicle, [vehicle({ vehicleId: 3, version: 2, lat: 40 })])
  feed.tick()
  expect(late.frames.at(-1)).toMatchObject({ snapshot: false, removed: [3] })
  for (let version = 2; version < 5; version += 1) {
    await say(fleetTopics.vehicle, [
      vehicle({ version, lat: 31.3 }),
      vehicle({ vehicleId: 2, version, lng: 120.2 + version / 100 }),
    ])
    feed.tick()
    expect(late.bytes.at(-1)).toBe(one.bytes.at(-1))
    expect(one.frames.at(-1)).toMatchObject({ snapshot: false, removed: [] })
  }
  expect(elsewhere.frames.at(-1)).toMatchObject({ upserts: [{ id: 1 }] })
  expect(foreign.frames.map((frame) => frame.upserts.length)).toEqual([0])
  // Another look is one's own again.
  late.session.onMessage({ type: 'view', bounds: narrow })
  await say(fleetTopics.vehicle, [vehicle({ vehicleId: 2, version: 9, lng: 120.1 })])
  feed.tick()
  expect(one.frames.at(-1)).toMatchObject({ upserts: [{ id: 2 }] })
  expect(late.frames.at(-1)).toMatchObject({ snapshot: true, upserts: [{ id: 1 }] })
})

it('the bytes of a frame stay as they are while some socket still has to write', async () => {
  const { feed, say, join } = start()
  await say(fleetTopics.vehicle, [vehicle()])
  const { bytes, socket, session } = join()
  session.onMessage({ type: 'view', bounds })
  feed.tick()
  for (let version = 2; version < 6; version += 1) {
    await say(fleetTopics.vehicle, [vehicle({ version, lat: 31.25 + version / 1_000 })])
    feed.tick()
    socket.buffered = 1
  }
  const places = bytes.slice(1).map((frame) => decodeLiveFrame(frame).upserts[0]?.lat)
  expect(places).toEqual([31.252, 31.253, 31.254, 31.255])
})
