import { connect, type Socket } from 'node:net'

export interface LoadResult {
  readonly perSecond: number
  readonly p99Ms: number
  /** Answers with another status than 200. */
  readonly failed: number
}

interface LoadOptions {
  readonly url: string
  readonly connections: number
  /** Whole HTTP requests; sent in order, from the start again when all are used. */
  readonly requests: readonly Buffer[]
}

/** A closed-loop load over keep-alive sockets: each connection sends the next request when it has its answer. */
export function createLoad({ url, connections, requests }: LoadOptions): {
  run(durationMs: number): Promise<LoadResult>
} {
  const { hostname, port } = new URL(url)
  return {
    run: async (durationMs) => {
      const times: number[] = []
      let next = 0
      let failed = 0
      const startedAt = performance.now()
      const endsAt = startedAt + durationMs
      const drive = (socket: Socket): Promise<void> =>
        new Promise((resolve, reject) => {
          let sentAt = 0
          let pending = ''
          const send = (): void => {
            if (performance.now() >= endsAt) {
              socket.destroy()
              resolve()
              return
            }
            const request = requests[next++ % requests.length]
            if (request === undefined) throw new Error('no requests')
            sentAt = performance.now()
            socket.write(request)
          }
          socket.setNoDelay(true)
          socket.on('error', reject)
          socket.on('data', (chunk: Buffer) => {
            pending += chunk.toString('latin1')
            const end = answerEnd(pending)
            if (end === -1) return
            if (!pending.startsWith('HTTP/1.1 200')) failed += 1
            pending = pending.slice(end)
            times.push(performance.now() - sentAt)
            send()
          })
          socket.on('connect', send)
        })
      await Promise.all(
        Array.from({ length: connections }, () => drive(connect({ host: hostname, port: Number(port) }))),
      )
      const elapsed = (performance.now() - startedAt) / 1000
      times.sort((a, b) => a - b)
      return { perSecond: times.length / elapsed, p99Ms: times[Math.floor(times.length * 0.99)] ?? 0, failed }
    },
  }
}

function answerEnd(text: string): number {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return -1
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
  const end = head + 4 + length
  return text.length >= end ? end : -1
}
