import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { AppError } from '@saddle/contract/errors.ts'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import {
  clientMessageMaxBytes,
  clientMessageSchema,
  closeCodes,
  type ServerEvent,
} from '@saddle/contract/telemetry/live.ts'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import type { Call } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { LiveFeed, LiveRights, LiveSession } from '#telemetry/public.ts'
import type { Identity, Session } from '#identity/public.ts'
import { cookieNames } from './callContext.ts'
import { clientAddressReader, trustedHops } from './clientAddress.ts'
import { checkSecondFactor, type Guards } from './guards.ts'
import { writeBinaryMessage } from './binaryMessage.ts'
import { asAppError } from './refusal.ts'
import { effectiveScope } from './scope.ts'
import { createSocketPlaces, type SocketPlace } from './socketPlaces.ts'
import { isSecureUpgrade } from './transport.ts'

const helloWithinMs = 5_000
const heartbeatMs = 30_000
const maxMessagesPerSecond = 30

interface LiveSocketOptions {
  readonly http: FastifyInstance
  readonly kit: Kit
  readonly guards: Guards
  readonly sessions: Pick<Identity['sessions'], 'find'>
  readonly feed: LiveFeed
}

/** The live socket: nothing is sent before a token bound to this socket's path has been checked. */
export function attachLiveSocket({ http, kit, guards, sessions, feed }: LiveSocketOptions): { close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: clientMessageMaxBytes, perMessageDeflate: false })
  const places = createSocketPlaces()
  const addressOf = clientAddressReader(kit.config.trustProxy)
  const isTrustedHop = trustedHops(kit.config.trustProxy)
  const server: Server = http.server

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    // Before anything else: Node has let go of the stream, and a reset that nobody hears ends the process.
    stream.on('error', () => stream.destroy())
    try {
      const refusal = refusalOf(request)
      if (refusal !== null) return refuse(stream, refusal)
      if (!kit.config.allowHttp && !isSecureUpgrade(request, isTrustedHop)) return refuse(stream, '403 Forbidden')
      const address = addressOf(request)
      const place = places.take(address)
      if (place === null) return refuse(stream, '503 Service Unavailable')
      stream.once('close', () => place.leave())
      sockets.handleUpgrade(request, stream, head, (socket) =>
        serve({ socket, stream, place, call: socketCall(request, address), kit, guards, sessions, feed }),
      )
    } catch (err) {
      kit.log.error({ err }, 'an upgrade failed')
      stream.destroy()
    }
  }
  server.on('upgrade', onUpgrade)

  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (silent.has(socket)) socket.terminate()
      else {
        silent.add(socket)
        socket.ping()
      }
    }
  }, heartbeatMs)
  heartbeat.unref()

  return {
    close: () => {
      clearInterval(heartbeat)
      server.off('upgrade', onUpgrade)
      for (const socket of sockets.clients) socket.close(closeCodes.goingAway)
      sockets.close()
    },
  }
}

/** Sockets that have not answered the last ping. */
const silent = new WeakSet<WebSocket>()

/** The status line of an upgrade that is not let in; null lets it in. */
function refusalOf({ url, headers }: IncomingMessage): string | null {
  const [path] = (url ?? '').split('?')
  if (path !== liveSocketPath) return '404 Not Found'
  return headers.origin === undefined || hostOf(headers.origin) === headers.host ? null : '403 Forbidden'
}

function refuse(stream: Duplex, status: string): void {
  // Nothing monitors the stream after this: a peer that never closes would hold it open forever.
  stream.once('finish', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

interface ServeOptions {
  readonly socket: WebSocket
  /** What the socket writes to. */
  readonly stream: Duplex
  readonly place: SocketPlace
  readonly call: Call
  readonly kit: Kit
  readonly guards: Guards
  readonly sessions: Pick<Identity['sessions'], 'find'>
  readonly feed: LiveFeed
}

function serve({ socket, stream, place, call, kit, guards, sessions, feed }: ServeOptions): void {
  let live: LiveSession | 'greeting' | null = null
  const budget = messageBudget(() => kit.clock.now())
  const helloTimer = setTimeout(() => socket.close(closeCodes.unauthorised), helloWithinMs)
  socket.on('pong', () => silent.delete(socket))
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearTimeout(helloTimer)
    if (live !== null && live !== 'greeting') live.onClose()
    live = null
  })

  const greet = async (token: string): Promise<void> => {
    const checked = await guards.checkToken({ token, method: 'GET', path: liveSocketPath }, call)
    await guards.takeToken(checked, { params: undefined, idempotencyKey: undefined }, false)
    const { session, token: claims } = checked
    checkSecondFactor(session)
    if (session.screen !== null) throw new AppError('forbidden')
    const scope = effectiveScope(session.grant, claims)
    clearTimeout(helloTimer)
    if (socket.readyState !== socket.OPEN) return
    if (!place.admit(session.operator.id)) return socket.close(closeCodes.tooMany)
    live = feed.open(
      {
        send: (data) => {
          if (typeof data === 'string') socket.send(data)
          else if (socket.readyState === socket.OPEN) writeBinaryMessage(stream, data)
        },
        bufferedAmount: () => socket.bufferedAmount,
        close: (code, reason) => socket.close(code, reason),
      },
      {
        sessionId: session.id,
        handle: session.handle,
        operatorId: session.operator.id,
        selection: claims,
        scope,
        permissions: session.permissions,
        // Asked again on every change and from time to time: a right that was taken away ends on open sockets too.
        current: async () => {
          const now = await sessions.find(session.handle)
          return now && rightsOf(now, claims)
        },
      },
    )
    socket.send(JSON.stringify({ type: 'ready', serverTime: kit.clock.now() } satisfies ServerEvent))
  }

  const receive = (data: RawData, isBinary: boolean): void => {
    silent.delete(socket)
    const message = isBinary || !budget() ? null : parseMessage(data)
    if (message === null) return socket.close(closeCodes.badMessage)
    if (message.type === 'hello') {
      if (live !== null) return socket.close(closeCodes.badMessage)
      live = 'greeting'
      greet(message.token).catch((error: unknown) => socket.close(closeCodeOf(error)))
      return
    }
    if (live === null || live === 'greeting') return socket.close(closeCodes.unauthorised)
    if (message.type === 'ping') socket.send(JSON.stringify({ type: 'pong' } satisfies ServerEvent))
    else live.onMessage(message)
  }
  socket.on('message', (data, isBinary) => {
    try {
      receive(data, isBinary)
    } catch (err) {
      kit.log.error({ err }, 'a message of a live socket failed')
      socket.terminate()
    }
  })
}

/** A server error must not end a session: the client retries later. */
function closeCodeOf(error: unknown): number {
  return asAppError(error).status >= 500 ? closeCodes.goingAway : closeCodes.unauthorised
}

/** Null when what was selected is no longer granted, or a second factor is due: the client asks again. */
function rightsOf(session: Session, claims: CallToken): LiveRights | null {
  try {
    checkSecondFactor(session)
    return { scope: effectiveScope(session.grant, claims), permissions: session.permissions }
  } catch {
    return null
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return data instanceof ArrayBuffer ? Buffer.from(data).toString() : data.toString()
}

function parseMessage(data: RawData) {
  try {
    const parsed = clientMessageSchema.safeParse(JSON.parse(textOf(data)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** True while the socket keeps to its messages a second. */
function messageBudget(now: () => number): () => boolean {
  let second = 0
  let used = 0
  return () => {
    const current = Math.floor(now() / 1000)
    if (current !== second) {
      second = current
      used = 0
    }
    used += 1
    return used <= maxMessagesPerSecond
  }
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host
  } catch {
    return null
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** A socket's upgrade request as a call: it can read cookies and set none. */
function socketCall(request: IncomingMessage, address: string): Call {
  const cookies = new Map(
    (request.headers.cookie ?? '').split(';').map((pair) => {
      const mark = pair.indexOf('=')
      return [pair.slice(0, mark).trim(), decoded(pair.slice(mark + 1).trim())]
    }),
  )
  return {
    requestId: 'live',
    address,
    userAgent: request.headers['user-agent'] ?? '',
    host: request.headers.host ?? '',
    cookie: (name) =>
      cookieNames(name)
        .map((known) => cookies.get(known))
        .find((value) => value !== undefined),
    setCookie: () => {},
    clearCookie: () => {},
  }
}
