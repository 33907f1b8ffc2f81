/** The live feed on real sockets, and beside it sockets that are sent the same bytes: a child of bench/fan-out.ts. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { decodeLiveFrame, type LiveFrameBytes } from '@saddle/contract/telemetry/live.ts'
import { writeBinaryMessage } from '@saddle/server/app/binaryMessage.ts'
import { createLocalBus } from '@saddle/server/kit/bus.ts'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { createLiveFeed } from '@saddle/server/telemetry/feed/feed.ts'
import { createLiveIndex } from '@saddle/server/telemetry/live/liveIndex.ts'
import { around, createMoves, loadIndex, makePlaces, fullVisibility } from './fleet.ts'
import { createRandom } from './random.ts'

export type FanOutOrder = {
  readonly type: 'run'
  readonly sockets: number
  readonly ticks: number
  /** What each socket looks at is so wide and high. */
  readonly km: number
  readonly zoom: number
  /** All look at the same place. */
  readonly isShared: boolean
}

export type FanOutResult = {
  readonly type: 'result'
  /** Milliseconds of each tick until its last byte had left. */
  readonly ours: readonly number[]
  readonly bare: readonly number[]
  /** In all ticks together, to either kind of sockets. */
  readonly bytes: number
  readonly frames: number
  readonly bytesPerVehicle: { readonly frame: number; readonly json: number }
}

const vehicles = 100_000
const movesPerTick = 25_000
const warmUps = 4
const seed = 20_261_121

const places = makePlaces(vehicles, seed)
const index = createLiveIndex({ nowMs: Date.now() })
loadIndex(index, places)
const move = createMoves(places, seed + 1)

const feedSockets: WebSocket[] = []
const bareSockets: WebSocket[] = []
const streams = new Map<WebSocket, Duplex>()
const http = createServer()
const server = new WebSocketServer({ noServer: true, perMessageDeflate: false })
http.on('upgrade', (request, stream, head) => {
  server.handleUpgrade(request, stream, head, (socket) => {
    const list = request.url === '/feed' ? feedSockets : bareSockets
    list.push(socket)
    streams.set(socket, stream)
    socket.on('close', () => {
      list.splice(list.indexOf(socket), 1)
      streams.delete(socket)
    })
  })
})

/** Until the kernel has taken every byte. */
async function drained(sockets: readonly WebSocket[]): Promise<void> {
  while (sockets.some((socket) => socket.bufferedAmount > 0)) await turn()
}

async function timed(sockets: readonly WebSocket[], work: () => void): Promise<number> {
  const startedAt = performance.now()
  work()
  await drained(sockets)
  return performance.now() - startedAt
}

function measureBytes(frame: Uint8Array): FanOutResult['bytesPerVehicle'] {
  const decoded = decodeLiveFrame(frame)
  const count = Math.max(1, decoded.upserts.length)
  return { frame: frame.length / count, json: JSON.stringify(decoded.upserts).length / count }
}

async function run({ sockets, ticks, km, zoom, isShared }: FanOutOrder): Promise<FanOutResult> {
  while (feedSockets.length < sockets || bareSockets.length < sockets) await turn()
  // The clock of the feed's own ticks is not started: ticks come as fast as the sockets take them.
  const feed = createLiveFeed({ bus: createLocalBus({ log: silentLog }), clock: systemClock, log: silentLog }, index)
  const random = createRandom(seed + 2)
  const sent: { n: number; frame: LiveFrameBytes }[] = []
  const one = around(places[0]!, km)
  const permissions = new Set(['0301'])
  const scope = { agentIds: [...fullVisibility.agentIds], areaIds: [...fullVisibility.areaIds], operatorId: 7 }
  for (const [n, socket] of feedSockets.entries()) {
    const stream = streams.get(socket)
    if (stream === undefined) throw new Error('a socket has gone')
    const session = feed.open(
      {
        send: (data) => {
          if (typeof data === 'string') return socket.send(data)
          sent.push({ n, frame: data })
          return writeBinaryMessage(stream, data)
        },
        bufferedAmount: () => socket.bufferedAmount,
        close: () => socket.close(),
      },
      { sessionId: n, handle: String(n), operatorId: n, scope, permissions },
    )
    const bounds = isShared ? one : around(places[Math.floor(random() * places.length)]!, km)
    session.onMessage({ type: 'view', bounds, zoom })
  }
  await drained(feedSockets)
  const ours: number[] = []
  const bare: number[] = []
  let [bytes, frames] = [0, 0]
  for (let n = -warmUps; n < ticks; n += 1) {
    index.update(move(movesPerTick))
    sent.length = 0
    const took = await timed(feedSockets, () => feed.tick())
    const same = sent.slice()
    const tookBare = await timed(bareSockets, () => {
      for (const { n: to, frame } of same) bareSockets[to]?.send(frame)
    })
    if (n < 0) continue
    ours.push(took)
    bare.push(tookBare)
    frames += same.length
    for (const { frame } of same) bytes += frame.length
  }
  feed.close()
  const [last] = sent
  if (last === undefined) throw new Error('nothing was sent')
  return { type: 'result', ours, bare, bytes, frames, bytesPerVehicle: measureBytes(last.frame) }
}

process.on('message', (order: FanOutOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
http.listen(0, '127.0.0.1', () => process.send?.({ type: 'listening', port: (http.address() as AddressInfo).port }))
