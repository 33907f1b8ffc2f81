// Probes a server and, at the same moments, a bare server of its own. It is a separate process, so that a slow server is
// told from a busy machine.
import { fork } from 'node:child_process'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const everyMs = 250
const limitMs = 1_000

export interface ProbeFigures {
  readonly type: 'figures'
  readonly probes: number
  /** Moments at which the server was late and the bare one was not. */
  readonly misses: number
  readonly longestRun: number
  readonly worstMs: number
  readonly worstBareMs: number
}

const [role, url] = process.argv.slice(2)
if (role === 'bare') {
  const server = createServer((_request, response) => response.end('ok'))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.once('disconnect', () => process.exit(0))
} else if (role === 'probe' && url !== undefined) {
  const bare = fork(fileURLToPath(import.meta.url), ['bare'])
  process.once('disconnect', () => process.exit(0))
  bare.once('message', (port) => probe({ url, bareUrl: `http://127.0.0.1:${Number(port)}/` }))
}

function probe({ url: address, bareUrl }: { url: string; bareUrl: string }): void {
  const figures = { type: 'figures', probes: 0, misses: 0, longestRun: 0, worstMs: 0, worstBareMs: 0 }
  let run = 0
  let isAsking = false
  const ask = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    const [ms, bareMs] = await Promise.all([timeOf(address), timeOf(bareUrl)])
    isAsking = false
    figures.probes += 1
    figures.worstMs = Math.max(figures.worstMs, ms)
    figures.worstBareMs = Math.max(figures.worstBareMs, bareMs)
    run = ms >= limitMs && bareMs < limitMs / 2 ? run + 1 : 0
    if (run > 0) figures.misses += 1
    figures.longestRun = Math.max(figures.longestRun, run)
    process.send?.({ type: 'latest', ms })
  }
  setInterval(() => void ask(), everyMs)
  process.on('message', () => process.send?.(figures))
  process.send?.({ type: 'ready' })
}

/** Milliseconds until an answer of 200, at most the limit. */
function timeOf(address: string): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const request = get(address, { agent: false, timeout: limitMs }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode === 200 ? performance.now() - startedAt : limitMs))
      response.once('error', () => resolve(limitMs))
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(limitMs))
  })
}
