import {
  closeCodes,
  decodeLiveFrame,
  serverEventSchema,
  type ClientMessage,
  type LiveFrame,
  type ServerEvent,
} from '@saddle/contract/telemetry/live.ts'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { tokenFor } from '#kit/api/client.ts'
import { learnServerTime } from '#kit/clock.ts'
import { clientConfig } from '#kit/config.ts'
import { onSelectionChange } from '#kit/session/scope.ts'
import { isLoggedIn } from '#kit/session/store.ts'
import { createStore, useStore } from '#kit/store.ts'

export interface LiveStatus {
  /** `connecting` also between two tries. */
  readonly state: 'idle' | 'connecting' | 'open'
  /** Time of the last message from the server, by this machine's clock; null before the first. */
  readonly heardAtMs: number | null
}

/** The map's view and zoom, and the vehicles that it needs. */
export type LiveView = Omit<Extract<ClientMessage, { type: 'view' }>, 'type'>

const firstWaitMs = 500
const longestWaitMs = 15_000
const pingEveryMs = 20_000
/** After a longer silence the connection counts as dead, even if the browser reports it as open. */
const deadAfterMs = 45_000

const status = createStore<LiveStatus>({ state: 'idle', heardAtMs: null })
const frameListeners = new Set<(frame: LiveFrame) => void>()
const eventListeners = new Set<(event: ServerEvent) => void>()
const refusalListeners = new Set<() => void>()

let socket: WebSocket | null = null
let wanted = false
let ready = false
let view: LiveView | null = null
let waitMs = firstWaitMs
let retryTimer: ReturnType<typeof setTimeout> | undefined
let pulseTimer: ReturnType<typeof setInterval> | undefined

function mark(state: LiveStatus['state'], heardAtMs: number | null = status.get().heardAtMs): void {
  status.set({ state, heardAtMs })
}

/** The page's only socket: vehicles in binary frames, events in JSON; it reconnects automatically. */
export const liveSocket = {
  connect(): void {
    if (wanted) return
    wanted = true
    void open()
  },
  disconnect(): void {
    wanted = false
    drop()
    clearTimeout(retryTimer)
    mark('idle')
  },
  /** Asks for the vehicles inside; null asks for none. Kept over reconnections. */
  setView(next: LiveView | null): void {
    view = next
    if (ready) send(next === null ? { type: 'unview' } : { type: 'view', ...next })
  },
  onFrame(listener: (frame: LiveFrame) => void): () => void {
    frameListeners.add(listener)
    return () => frameListeners.delete(listener)
  },
  onEvent(listener: (event: ServerEvent) => void): () => void {
    eventListeners.add(listener)
    return () => eventListeners.delete(listener)
  },
  /** Listens for the server's rejection of this session on the socket. */
  onRefused(listener: () => void): () => void {
    refusalListeners.add(listener)
    return () => refusalListeners.delete(listener)
  },
  status,
}

export const useLiveStatus = (): LiveStatus => useStore(status)

// A new selection changes the scope, which the server checks when the socket connects.
onSelectionChange(() => drop())

async function open(): Promise<void> {
  if (!wanted || !isLoggedIn()) return mark('idle')
  mark('connecting')
  const token = await tokenFor({ method: 'GET', path: liveSocketPath }).catch(() => null)
  if (!wanted) return
  if (token === null) return retryLater()
  const next = new WebSocket(socketUrl())
  socket = next
  next.binaryType = 'arraybuffer'
  next.addEventListener('open', () => next.send(JSON.stringify({ type: 'hello', token } satisfies ClientMessage)))
  next.addEventListener('message', ({ data }: MessageEvent<unknown>) => receive(data))
  next.addEventListener('close', ({ code }) => {
    if (code === closeCodes.unauthorised) for (const listener of refusalListeners) listener()
    if (socket === next) lost()
  })
}

function lost(): void {
  socket = null
  ready = false
  clearInterval(pulseTimer)
  if (wanted) retryLater()
}

/** Drops a connection at once: a browser waits long for the close frame of a dead peer. */
function drop(): void {
  const old = socket
  if (old === null) return
  lost()
  old.close()
}

function retryLater(): void {
  mark('connecting')
  clearTimeout(retryTimer)
  // Jitter, so that the browsers of one office do not reconnect at the same instant.
  retryTimer = setTimeout(() => void open(), waitMs * (0.75 + Math.random() / 2))
  waitMs = Math.min(waitMs * 2, longestWaitMs)
}

function receive(data: unknown): void {
  mark(ready ? 'open' : 'connecting', Date.now())
  if (data instanceof ArrayBuffer) {
    const frame = decodeLiveFrame(new Uint8Array(data))
    for (const listener of frameListeners) listener(frame)
    return
  }
  const event = serverEventSchema.safeParse(JSON.parse(String(data)))
  if (!event.success) return
  if (event.data.type === 'ready') welcomed(event.data.serverTime)
  for (const listener of eventListeners) listener(event.data)
}

function welcomed(serverTimeMs: number): void {
  ready = true
  waitMs = firstWaitMs
  learnServerTime(serverTimeMs)
  mark('open')
  if (view !== null) send({ type: 'view', ...view })
  clearInterval(pulseTimer)
  pulseTimer = setInterval(pulse, pingEveryMs)
}

function pulse(): void {
  const { heardAtMs } = status.get()
  if (heardAtMs !== null && Date.now() - heardAtMs > deadAfterMs) return drop()
  send({ type: 'ping' })
}

function send(message: ClientMessage): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

function socketUrl(): string {
  const url = new URL(clientConfig().hosts.platform + liveSocketPath, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}
