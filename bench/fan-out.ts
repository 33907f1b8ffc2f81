/**
 * The live feed to 200 sockets while 50,000 of 100,000 vehicles move each second, beside bare `ws` that sends the very
 * same bytes to 200 more: `node bench/fan-out.ts [--quick]`. A process of its own holds the feed and all sockets and
 * measures the time from the beginning of a tick until the last byte was sent; the clients here only read.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FanOutOrder, FanOutResult } from './lib/fanOutServer.ts'
import { compare, isQuick, median, quantile, say, state, whole } from './lib/report.ts'

const sockets = 200
const ticks = isQuick ? 12 : 60

const child = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('lib/fanOutServer.ts', import.meta.url))],
  { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
)

async function hear<T>(type: string): Promise<T> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ type: string }]
    if (message.type === type) return message as T
  }
}

/** A client that does the handshake, then reads and discards all data. */
async function open(port: number, path: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const head = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const key = `Sec-WebSocket-Key: ${Buffer.from('saddle-fan-bench').toString('base64')}`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${head.join('\r\n')}\r\n${key}\r\n\r\n`)
  await once(socket, 'data')
  socket.resume()
  return socket
}

const scenarios: readonly { readonly name: string; readonly order: Omit<FanOutOrder, 'type'> }[] = [
  { name: 'each its own quarter, 4 km', order: { sockets, ticks, km: 4, zoom: 15, isShared: false } },
  { name: 'all the same quarter', order: { sockets, ticks, km: 4, zoom: 15, isShared: true } },
  { name: 'each its own town from afar, in clusters', order: { sockets, ticks, km: 24, zoom: 12, isShared: false } },
  { name: 'all the same town from afar', order: { sockets, ticks, km: 24, zoom: 12, isShared: true } },
]

say(`fan-out to ${sockets} sockets, 100,000 vehicles, 50,000 moves/s, ${ticks} ticks of 500 ms`)
try {
  const { port } = await hear<{ port: number }>('listening')
  let bytesPerVehicle: FanOutResult['bytesPerVehicle'] | null = null
  for (const { name, order } of scenarios) {
    const clients: Socket[] = []
    for (let n = 0; n < sockets; n += 1) clients.push(await open(port, '/feed'), await open(port, '/bare'))
    child.send({ type: 'run', ...order })
    const { ours, bare, bytes, frames, ...rest } = await hear<FanOutResult>('result')
    bytesPerVehicle ??= rest.bytesPerVehicle
    for (const client of clients) client.destroy()
    const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
    const speed = (times: readonly number[]): string => `${whole(bytes / 1e6 / (total(times) / 1_000))} MB/s`
    const figure = `${speed(ours)}, a tick ${median(ours).toFixed(1)} ms (p99 ${quantile(ours, 0.99).toFixed(1)})`
    const reference = `bare ws ${speed(bare)} (${whole(bytes / frames / 1e3)} kB a frame)`
    // The median of the ticks, so that short interference from another process affects neither figure.
    const ratio = median(ours.map((time, n) => (bare[n] ?? 0) / time))
    compare({ what: name, figure, reference, ratio, goal: { atLeast: 0.7 } })
  }
  if (bytesPerVehicle !== null) {
    const { frame, json } = bytesPerVehicle
    state(
      'bytes of a vehicle in a frame',
      `${frame.toFixed(1)}, as JSON ${json.toFixed(0)} (${(json / frame).toFixed(1)} x)`,
    )
  }
} finally {
  child.kill()
}
