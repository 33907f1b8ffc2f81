import { setImmediate } from 'node:timers/promises'
import { closeCodes, type ClientMessage, type ServerEvent } from '@saddle/contract/telemetry/live.ts'
import type { ChatMessage } from '@saddle/contract/support/chat.ts'
import { fleetTopics, type AlarmMessage, type CommandChangedMessage, type VehicleNow } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import { EMPTY_SCOPE, type Scope } from '#kit/db/scope.ts'
import type { LiveIndex } from '../live/liveIndex.ts'
import type { Sight } from '../live/table.ts'
import type { LiveView, ViewedLook } from '../live/view.ts'

/** The part of a WebSocket that the feed uses. */
type LiveSocket = {
  send(data: string | Uint8Array): void
  /** Bytes that the client has not taken yet. */
  bufferedAmount(): number
  close(code: number, reason: string): void
}

/** What somebody may see now. */
export type LiveRights = { readonly scope: Scope; readonly permissions: ReadonlySet<string> }

/** Whose socket it is. */
export type LiveIdentity = LiveRights & {
  readonly sessionId: number
  readonly handle: string
  readonly operatorId: number
  /** The selection that `scope` was narrowed by. */
  readonly selection?: unknown
  /**
   * The rights as they are now; null when the session has ended. Without it, a socket whose session changed is closed,
   * and its client says hello again.
   */
  readonly current?: () => Promise<LiveRights | null>
}

export type LiveSession = {
  onMessage(message: ClientMessage): void
  onClose(): void
}

export type LiveFeed = {
  open(socket: LiveSocket, identity: LiveIdentity): LiveSession
  /** Sends what changed; done twice a second by itself. */
  tick(): void
  readonly index: LiveIndex
  close(): void
}

export const feedLimits = {
  tickMs: 500,
  /** A client with more than this unread gets nothing more until it has read. */
  maxBufferedBytes: 1_000_000,
  /** So long it may stay behind. */
  slowForMs: 30_000,
  /** Moving the map asks for a new view with every frame: sooner than this it waits for the tick. */
  viewPauseMs: 100,
  /** A session that ends without a word (idle, too old) is noticed after so long. */
  recheckEveryMs: 30_000,
} as const

/** Not 030601: a regulator is told numbers and densities, and the place of no single vehicle. */
const mapCodes = ['0301', '0302'] as const
const commandCodes = ['0301', '0302'] as const
const inboxCode = '180101'

type Client = {
  readonly socket: LiveSocket
  readonly identity: LiveIdentity
  rights: LiveRights
  sight: Sight
  /** What it looks at; null while the map is not shown. */
  look: Omit<ViewedLook, 'sight'> | null
  /** What it has been sent of that; null until it has been sent something. */
  view: LiveView | null
  /** Equal for those who see the same: the look and the sight. */
  viewKey: string
  needsSnapshot: boolean
  viewedAt: number
  seen: number
  slowSince: number | null
  missedEvents: boolean
  checkedAt: number
  /** Counts readings of the rights: only the latest counts. */
  check: number
}

type ChatNews = { readonly message: ChatMessage; readonly operatorId: number; readonly agentId: number }

const holds = (rights: LiveRights, codes: readonly string[]): boolean =>
  codes.some((code) => rights.permissions.has(code))

function sightOf(rights: LiveRights): Sight {
  return { agentIds: new Set(rights.scope.agentIds), areaIds: new Set(rights.scope.areaIds) }
}

/** Sends vehicles and events to the people who may see them. */
export function createLiveFeed(kit: Pick<Kit, 'bus' | 'clock' | 'log'>, index: LiveIndex): LiveFeed {
  const clients = new Set<Client>()
  const frames = createFrames()
  const stops = [
    kit.bus.subscribe(fleetTopics.vehicle, (message) => index.update(message as readonly VehicleNow[])),
    kit.bus.subscribe(fleetTopics.commandChanged, (message) => {
      const news = message as CommandChangedMessage
      each(clients, (client) => {
        if (holds(client.rights, commandCodes) && sees(client, news)) {
          tell(client, { type: 'command', command: news.command })
        }
      })
    }),
    kit.bus.subscribe(fleetTopics.alarm, (message) => {
      for (const news of message as readonly AlarmMessage[]) {
        each(clients, (client) => {
          if (holds(client.rights, mapCodes) && sees(client, news)) {
            tell(client, { type: 'vehicle', vehicleId: news.vehicleId })
          }
        })
      }
    }),
    kit.bus.subscribe('chat.message', (message) => {
      const news = message as ChatNews
      each(clients, (client) => {
        const isOwn = client.identity.operatorId === news.operatorId
        const isInbox = client.rights.permissions.has(inboxCode) && client.sight.agentIds.has(news.agentId)
        if (isOwn || isInbox) tell(client, { type: 'chat', message: news.message })
      })
    }),
    kit.bus.subscribe('session.changed', (message) => {
      const { handle } = message as { handle?: string }
      each(clients, (client) => {
        if (handle === undefined || client.identity.handle === handle) recheck({ client, kit })
      })
    }),
    kit.bus.subscribe('operator.changed', (message) => {
      const { operatorId } = message as { operatorId?: number }
      each(clients, (client) => {
        if (operatorId === undefined || client.identity.operatorId === operatorId) recheck({ client, kit })
      })
    }),
  ]
  const tick = (): void => {
    index.tick(kit.clock.now())
    const nowMs = kit.clock.now()
    frames.begin()
    each(clients, (client) => {
      if (nowMs - client.checkedAt >= feedLimits.recheckEveryMs) void readRights({ client, kit })
      advance({ client, index, frames, nowMs })
    })
  }
  const timer = setInterval(tick, feedLimits.tickMs)
  timer.unref()

  return {
    index,
    tick,
    open(socket, identity) {
      const rights = { scope: identity.scope, permissions: identity.permissions }
      const client: Client = {
        socket,
        identity,
        rights,
        sight: sightOf(rights),
        look: null,
        view: null,
        viewKey: '',
        needsSnapshot: false,
        viewedAt: Number.NEGATIVE_INFINITY,
        seen: 0,
        slowSince: null,
        missedEvents: false,
        checkedAt: kit.clock.now(),
        check: 0,
      }
      clients.add(client)
      return {
        onMessage: (message) => onMessage({ client, message, index, frames, nowMs: kit.clock.now() }),
        onClose: () => {
          clients.delete(client)
        },
      }
    },
    close() {
      clearInterval(timer)
      for (const stop of stops) stop()
      clients.clear()
    },
  }
}

/** One client's broken socket must not keep news from the others. */
function each(clients: ReadonlySet<Client>, work: (client: Client) => void): void {
  for (const client of clients) {
    try {
      work(client)
    } catch {
      client.socket.close(closeCodes.goingAway, 'broken')
    }
  }
}

function sees(client: Client, thing: { readonly agentId: number; readonly areaId: number }): boolean {
  return client.sight.agentIds.has(thing.agentId) && client.sight.areaIds.has(thing.areaId)
}

function tell(client: Client, event: ServerEvent): void {
  if (client.socket.bufferedAmount() > feedLimits.maxBufferedBytes) client.missedEvents = true
  else client.socket.send(JSON.stringify(event))
}

/** The frames of one tick. Those who see the same share one view and are sent the same bytes. */
function createFrames() {
  const views = new Map<string, { readonly view: LiveView; readonly from: number }>()
  const made = new Map<LiveView, Uint8Array | null>()
  let sequence = 0
  const next = (): number => (sequence = (sequence + 1) >>> 0)
  return {
    begin(): void {
      views.clear()
      made.clear()
    },
    snapshot: (view: LiveView): Uint8Array => view.snapshot(next()),
    /** The view of another who saw the same up to now, or else his own. */
    shared({ viewKey, seen }: Client, own: LiveView): LiveView {
      const other = views.get(viewKey)
      if (other === undefined) views.set(viewKey, { view: own, from: seen })
      return other?.from === seen ? other.view : own
    },
    difference(view: LiveView): Uint8Array | null {
      const known = made.get(view)
      if (known !== undefined) return known
      const frame = view.difference(sequence + 1)
      if (frame !== null) next()
      made.set(view, frame)
      return frame
    },
  }
}
type Frames = ReturnType<typeof createFrames>

type Turn = {
  readonly client: Client
  readonly index: LiveIndex
  readonly frames: Frames
  readonly nowMs: number
}

function onMessage({ client, message, index, frames, nowMs }: Turn & { readonly message: ClientMessage }): void {
  if (message.type === 'unview') {
    client.look = null
    client.view = null
    client.needsSnapshot = false
  } else if (message.type === 'view') {
    client.look = { bounds: message.bounds, zoom: message.zoom, filter: message.filter }
    client.needsSnapshot = true
    if (nowMs - client.viewedAt >= feedLimits.viewPauseMs) advance({ client, index, frames, nowMs })
  }
}

function advance({ client, index, frames, nowMs }: Turn): void {
  if (client.socket.bufferedAmount() > feedLimits.maxBufferedBytes) return waitForSlow(client, nowMs)
  if (client.slowSince !== null) {
    client.slowSince = null
    client.needsSnapshot = client.look !== null
  }
  if (client.missedEvents) {
    client.missedEvents = false
    tell(client, { type: 'refresh' })
  }
  if (client.look === null || !holds(client.rights, mapCodes)) return
  if (!client.needsSnapshot && client.seen === index.sequence) return
  const frame =
    client.needsSnapshot || client.view === null
      ? begin({ client, index, frames, nowMs }, client.look)
      : frames.difference((client.view = frames.shared(client, client.view)))
  client.seen = index.sequence
  if (frame !== null) client.socket.send(frame)
}

function begin({ client, index, frames, nowMs }: Turn, look: Omit<ViewedLook, 'sight'>): Uint8Array {
  const { sight } = client
  const view = index.createView({ ...look, sight })
  client.view = view
  client.viewKey = JSON.stringify([look, [...sight.agentIds], [...sight.areaIds]])
  client.viewedAt = nowMs
  client.needsSnapshot = false
  return frames.snapshot(view)
}

function waitForSlow(client: Client, nowMs: number): void {
  client.slowSince ??= nowMs
  if (nowMs - client.slowSince >= feedLimits.slowForMs) {
    client.socket.close(closeCodes.tooSlow, 'too slow')
    client.slowSince = nowMs
  }
}

/** Something about the session has changed: what it may see is read again before it sees anything new. */
function recheck(options: Checking): void {
  const { client } = options
  if (client.identity.current === undefined) {
    leave(client, { code: 'session_changed', close: closeCodes.goingAway })
    return
  }
  client.rights = { scope: EMPTY_SCOPE, permissions: new Set() }
  client.sight = sightOf(client.rights)
  void readRights(options)
}

type Checking = { readonly client: Client; readonly kit: Pick<Kit, 'clock' | 'log'> }

async function readRights({ client, kit }: Checking): Promise<void> {
  const { current } = client.identity
  if (current === undefined) return
  client.checkedAt = kit.clock.now()
  client.check += 1
  const { check } = client
  try {
    // Whoever remembers sessions hears of the change by the same bus, perhaps after us.
    await setImmediate()
    const rights = await current()
    if (client.check !== check) return
    if (rights === null) leave(client, { code: 'unauthorized', close: closeCodes.unauthorised })
    else takeRights(client, rights)
  } catch (err) {
    kit.log.warn({ err }, 'the rights of a live socket could not be read')
    leave(client, { code: 'session_changed', close: closeCodes.goingAway })
  }
}

function takeRights(client: Client, rights: LiveRights): void {
  const isSame = isSameSight(client.sight, sightOf(rights)) && equalSets(client.rights.permissions, rights.permissions)
  client.rights = rights
  if (isSame) return
  client.sight = sightOf(rights)
  client.needsSnapshot = client.look !== null
  tell(client, { type: 'refresh' })
}

function isSameSight(a: Sight, b: Sight): boolean {
  return equalSets(a.agentIds, b.agentIds) && equalSets(a.areaIds, b.areaIds)
}

function equalSets<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && a.isSubsetOf(b)
}

function leave(client: Client, options: { code: string; close: number }): void {
  client.look = null
  tell(client, { type: 'bye', code: options.code })
  client.socket.close(options.close, options.code)
}
