import { closeCodes, type LiveFrameBytes, type ServerEvent } from '@saddle/contract/telemetry/live.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Visibility } from '../live/table.ts'
import type { LiveView } from '../live/liveView.ts'
import type { ViewportQuery } from '../live/view.ts'

/** The part of a WebSocket that the feed uses. */
export type LiveSocket = {
  send(data: string | LiveFrameBytes): void
  /** Bytes that the client has not taken yet. At 0 none of the frames that were sent is read from its memory any more. */
  bufferedAmount(): number
  close(code: number, reason: string): void
}

/** What somebody may see now. */
export type LiveRights = { readonly scope: Scope; readonly permissions: ReadonlySet<string> }

/** The session that a socket belongs to. */
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

export const feedLimits = {
  tickMs: 500,
  /** A client with more than this unread gets nothing more until it has read. */
  maxBufferedBytes: 1_000_000,
  /** A client that stays behind for longer is disconnected. */
  slowForMs: 30_000,
  /** Moving the map asks for a new view with every frame; a request within this time waits for the tick. */
  viewPauseMs: 100,
  /** A session that ends without an event (idle, too old) is noticed after this time. */
  recheckEveryMs: 30_000,
} as const

export type Client = {
  readonly socket: LiveSocket
  readonly identity: LiveIdentity
  rights: LiveRights
  visibility: Visibility
  /** What it asked for; null while the map is not shown. */
  viewport: Omit<ViewportQuery, 'visibility'> | null
  /** What it was sent of that; null until it was sent something. */
  view: LiveView | null
  /** Equal for clients that see the same: viewport and visibility. */
  viewKey: string
  needsSnapshot: boolean
  viewedAt: number
  /** Sequence number of the live index that the client is up to date with. */
  seen: number
  slowSince: number | null
  missedEvents: boolean
  checkedAt: number
  /** Counts readings of the rights; only the latest counts. */
  check: number
}

export function createClient(socket: LiveSocket, identity: LiveIdentity, nowMs: number): Client {
  const rights = { scope: identity.scope, permissions: identity.permissions }
  return {
    socket,
    identity,
    rights,
    visibility: visibilityOf(rights),
    viewport: null,
    view: null,
    viewKey: '',
    needsSnapshot: false,
    viewedAt: Number.NEGATIVE_INFINITY,
    seen: 0,
    slowSince: null,
    missedEvents: false,
    checkedAt: nowMs,
    check: 0,
  }
}

export function visibilityOf(rights: LiveRights): Visibility {
  return { agentIds: new Set(rights.scope.agentIds), areaIds: new Set(rights.scope.areaIds) }
}

export const holds = (rights: LiveRights, codes: readonly string[]): boolean =>
  codes.some((code) => rights.permissions.has(code))

/** Sends an event, or notes that it was missed when the client does not read. */
export function notify(client: Client, event: ServerEvent): void {
  if (client.socket.bufferedAmount() > feedLimits.maxBufferedBytes) client.missedEvents = true
  else client.socket.send(JSON.stringify(event))
}

/** Does the work for every client. A socket that fails is closed; the others still get their events. */
export function forEachClient(clients: Iterable<Client>, work: (client: Client) => void): void {
  for (const client of clients) {
    try {
      work(client)
    } catch {
      client.socket.close(closeCodes.goingAway, 'broken')
    }
  }
}
