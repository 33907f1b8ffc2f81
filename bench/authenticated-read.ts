/**
 * One authenticated, encrypted, permission-checked read through the whole stack, beside the same query on bare Fastify
 * with `pg`, in the same run: `node bench/authenticated-read.ts [seconds]`.
 * The load comes from this process over raw keep-alive sockets; every request is made and signed before the clock runs,
 * so that both servers are asked equally fast.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { createLoad, type LoadResult } from './lib/load.ts'
import { loginForBench } from './lib/login.ts'

const seconds = Number(process.argv[2] ?? 8)
const connections = 32
const rounds = 5
/** Rounds that count for nothing: the first tens of thousands of calls still run uncompiled code, on both sides. */
const warmUps = 3
const here = fileURLToPath(new URL('.', import.meta.url))

function startChild(script: string, env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
    child.on('message', (message) => {
      const { type, url } = message as { type?: string; url?: string }
      if (type === 'listening' && url !== undefined) resolve({ child, url: url.replace('localhost', '127.0.0.1') })
    })
  })
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bench-'))
  const postgres = await startEmbedded({ dataDir, log: silentLog })
  const env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    OMNI_PORT: '0',
    DEMO: 'true',
    LOG_LEVEL: 'error',
  }
  const saddle = await startChild(join(here, '../apps/server/src/main.ts'), env)
  const bare = await startChild(join(here, 'lib/bareServer.ts'), { DATABASE_URL: postgres.url })
  try {
    const seat = await loginForBench({ url: saddle.url, dataDir, phone: '13800138000' })
    const results: { bare: LoadResult; saddle: LoadResult }[] = []
    for (let round = 0; round < warmUps + rounds; round++) {
      const bareLoad = createLoad({ url: bare.url, connections, requests: bareRequests(bare.url) })
      const bareResult = await bareLoad.run(seconds * 1000)
      const load = createLoad({ url: saddle.url, connections, requests: seat.requests(seconds * 12_000) })
      const result = await load.run(seconds * 1000)
      if (round >= warmUps) results.push({ bare: bareResult, saddle: result })
    }
    report(results)
  } finally {
    saddle.child.kill('SIGTERM')
    bare.child.kill('SIGTERM')
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function bareRequests(url: string): Buffer[] {
  const { host } = new URL(url)
  return [Buffer.from(`GET /vehicle?number=SD100001 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)]
}

function report(results: readonly { bare: LoadResult; saddle: LoadResult }[]): void {
  const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const line = (name: string, of: (row: (typeof results)[number]) => LoadResult): void => {
    const rate = middle(results.map((row) => of(row).perSecond))
    const p99 = middle(results.map((row) => of(row).p99Ms))
    const failed = results.reduce((sum, row) => sum + of(row).failed, 0)
    console.log(`${name.padEnd(34)} ${rate.toFixed(0).padStart(7)} /s   p99 ${p99.toFixed(1)} ms   refused ${failed}`)
  }
  line('bare Fastify + pg, same query', (row) => row.bare)
  line('Saddle, whole stack', (row) => row.saddle)
  const ratio = middle(results.map((row) => row.saddle.perSecond / row.bare.perSecond))
  console.log(
    `ratio ${ratio.toFixed(2)} (goal ≥ 0.6), ${connections} connections, medians of ${rounds} rounds of ${seconds} s`,
  )
}

await main()
