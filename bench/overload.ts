/**
 * More readings than the server can answer, from seven people who do not wait for one another, over a fleet of 20,000
 * more vehicles: `node bench/overload.ts [--quick] [calls per second …]`. Says how long the answered ones took, how many
 * were refused and how soon, and how long the server takes to recover after the last call.
 */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { sealEnvelope } from '@saddle/contract/wire/envelope.ts'
import { nodeWireCrypto as crypto } from '@saddle/server/kit/wireCrypto.ts'
import { createClient, type TestClient } from '@saddle/server/test/client.ts'
import { addCrowd } from './lib/crowd.ts'
import { startDemo } from './lib/demo.ts'
import { readCode } from './lib/login.ts'
import { isQuick, judge, quantile, say, state } from './lib/report.ts'

const given = process.argv.slice(2).map(Number).filter(Number.isInteger)
const rates = given.length > 0 ? given : [100, 300, 600]
const seconds = isQuick ? 8 : 20
const people = 7
const answerTimeoutMs = minuteMs
/** A call takes its place within 2 s or is refused, and then it runs. */
const goalMs = 4_000
const calmMs = 250
const calmCalls = 10

interface Asked {
  readonly client: TestClient
  readonly endpoint: Endpoint
  readonly input: Readonly<Record<string, unknown>>
}

const mixed: readonly (readonly [Endpoint, Readonly<Record<string, unknown>>])[] = [
  [endpoints.me, {}],
  [endpoints.searchVehicles, {}],
  [endpoints.searchVehicles, { filter: { states: ['available'] }, pageSize: 100 }],
  [endpoints.listTasks, {}],
  [endpoints.singleDeviceInfo, { number: 'SD100001' }],
  [endpoints.listFences, {}],
]

interface Answer {
  readonly status: number
  readonly tookMs: number
}

/** Browsers keep their connections open, so they are opened before the first call. */
const lines = 600
const agent = new Agent({ keepAlive: true, maxSockets: lines, maxFreeSockets: lines })

async function openLines(url: string): Promise<void> {
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request(`${url}/healthz`, { agent }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end()
    })
  for (let done = 0; done < lines; done += 100) {
    const batch = Math.min(lines, done + 100)
    await Promise.all(Array.from({ length: batch }, open))
  }
}

/** Sends one signed call and waits for the last byte of its answer. */
function ask(url: string, { client, endpoint, input }: Asked): Promise<Answer> {
  const key = client.session?.keys.encryptionKey
  if (key === undefined) throw new Error('not logged in')
  const { method, path } = endpoint
  const jti = randomUUID().replaceAll('-', '')
  const params = sealEnvelope(crypto, key, { method, path, callId: jti, direction: 'request' }, input)
  const token = client.sign(client.tokenFor({ endpoint: { method, path }, params, change: { jti } }))
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const isQuery = method === 'GET'
  const headers = { authorization: `Bearer ${token}`, cookie, 'content-type': 'application/json' }
  const sentAt = performance.now()
  return new Promise((resolve) => {
    const settle = (status: number): void => resolve({ status, tookMs: performance.now() - sentAt })
    const sent = request(
      `${url}${path}${isQuery ? `?params=${params}` : ''}`,
      { method, agent, headers, timeout: answerTimeoutMs },
      (response) => {
        response.resume()
        response.on('end', () => settle(response.statusCode ?? 0))
        response.on('error', () => settle(0))
      },
    )
    sent.on('error', () => settle(0))
    sent.on('timeout', () => sent.destroy())
    sent.end(isQuery ? undefined : JSON.stringify({ params }))
  })
}

async function logIn(url: string, dataDir: string): Promise<TestClient[]> {
  const page = await (await fetch(`${url}/console/`)).text()
  const serverKey = /"serverKey":"([^"]+)"/.exec(page)?.[1] ?? ''
  const clients: TestClient[] = []
  for (let index = 0; index < people; index += 1) {
    const client = createClient({ url })
    const phone = `1380013800${index}`
    await client.login({ phone, serverKey, readCode: (to) => readCode(dataDir, to) })
    clients.push(client)
  }
  return clients
}

/** The calls of the mixture that each of these people may make. */
async function callsOf(url: string, clients: readonly TestClient[]): Promise<Asked[]> {
  const found: Asked[] = []
  for (const client of clients) {
    for (const [endpoint, input] of mixed) {
      const { status } = await ask(url, { client, endpoint, input })
      if (status === 200) found.push({ client, endpoint, input })
    }
  }
  return found
}

async function offer(url: string, calls: readonly Asked[], perSecond: number): Promise<void> {
  const answers: Promise<Answer>[] = []
  const startedAt = performance.now()
  while (performance.now() - startedAt < seconds * 1_000) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond)
    while (answers.length < due) {
      const one = calls[answers.length % calls.length]
      if (one !== undefined) answers.push(ask(url, one))
    }
    await sleep(5)
  }
  const endedAt = performance.now()
  let calm = 0
  while (calm < calmCalls) {
    const one = calls[calm % calls.length]
    if (one === undefined) break
    const { status, tookMs } = await ask(url, one)
    calm = status === 200 && tookMs < calmMs ? calm + 1 : 0
  }
  const calmAfterMs = performance.now() - endedAt
  const all = await Promise.all(answers)
  const of = (isWanted: (status: number) => boolean): number[] =>
    all.filter(({ status }) => isWanted(status)).map(({ tookMs }) => tookMs)
  const [answered, refused] = [of((status) => status === 200), of((status) => status === 503 || status === 429)]
  const offered = `${perSecond}/s offered`
  judge({
    what: `${offered}: answered`,
    figure: `${Math.round(answered.length / seconds)}/s, p50 ${ms(answered, 0.5)}, p99 ${ms(answered, 0.99)}`,
    isMet: quantile(answered, 0.99) <= goalMs,
    goal: `p99 <= ${goalMs} ms`,
  })
  const share = ((refused.length / all.length) * 100).toFixed(1)
  state(`${offered}: refused`, refused.length === 0 ? 'none' : `${share} %, p99 ${ms(refused, 0.99)}`)
  state(`${offered}: neither`, String(all.length - answered.length - refused.length))
  state(`${offered}: calm again`, `${(calmAfterMs / 1_000).toFixed(1)} s after the last call`)
}

const ms = (values: readonly number[], share: number): string => `${Math.round(quantile(values, share))} ms`

const demo = await startDemo({ historyDays: 0, prepare: (database) => addCrowd(database, 20_000) })
try {
  const calls = await callsOf(demo.url, await logIn(demo.url, demo.dataDir))
  say(`overload: ${calls.length} different calls of ${people} people, ${seconds} s each`)
  await openLines(demo.url)
  for (const rate of rates) await offer(demo.url, calls, rate)
} finally {
  agent.destroy()
  await demo.stop()
}
