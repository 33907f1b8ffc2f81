import { connect } from 'node:net'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'

/** The beginning of something whose rest comes byte by byte or never ends. */
const beginnings = {
  http: [
    'GET / HTTP/1.1\r\nX-Slow: ',
    'POST /rider/v1/end HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{"a":"',
    'POST /pay/callback/wechat HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  omni: ['*SCOR,OM,'],
  jt808: ['~'],
  mqtt: ['\u0010\u00ff\u00ff\u007f'],
} as const

const tickMs = 200
const endlessChunk = Buffer.alloc(16_384, 'a')
const endlessMax = 16 * 1_048_576

/** Keeps slow and endless lines open until it is stopped; one that the server closed is opened anew. */
export function holdSlowLines(options: {
  readonly ports: Readonly<Record<'http' | DeviceProtocol, number>>
  readonly perKind: number
}): { readonly opened: () => number; readonly stop: () => Promise<void> } {
  const { ports, perKind } = options
  let isStopping = false
  let opened = 0
  const hold = async (listener: keyof typeof ports, beginning: string, isEndless: boolean): Promise<void> => {
    // eslint-disable-next-line no-unmodified-loop-condition -- stop() sets it while this loop waits
    while (!isStopping) {
      opened += 1
      await holdOne({ port: ports[listener], beginning, isEndless, isStopping: () => isStopping })
    }
  }
  const lines = Object.entries(beginnings).flatMap(([listener, texts]) =>
    texts.flatMap((text) =>
      Array.from({ length: perKind }, (_, index) => hold(listener as keyof typeof ports, text, index % 2 === 1)),
    ),
  )
  return {
    opened: () => opened,
    stop: async () => {
      isStopping = true
      await Promise.all(lines)
    },
  }
}

async function holdOne(options: {
  readonly port: number
  readonly beginning: string
  readonly isEndless: boolean
  readonly isStopping: () => boolean
}): Promise<void> {
  const { port, beginning, isEndless, isStopping } = options
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.resume()
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  socket.write(Buffer.from(beginning, 'latin1'))
  let written = 0
  const timer = setInterval(() => {
    if (isStopping()) socket.resetAndDestroy()
    else if (!isEndless) socket.write('a')
    else if (written < endlessMax && !socket.writableNeedDrain) {
      written += endlessChunk.length
      socket.write(endlessChunk)
    }
  }, tickMs)
  await closed
  clearInterval(timer)
  // A connection that is refused at once is opened again after a pause.
  await new Promise((resolve) => setTimeout(resolve, tickMs))
}
