/**
 * Two gateways, each pinned to a core of its own, beside one: reports of MQTT vehicles that are acknowledged after the commit, at a
 * steady rate and as fast as they go: `node bench/gateways.ts [--quick] [--rate=8000]`. Where the machine has no further cores, the load
 * generator and PostgreSQL share those two, so that throughput says little: what two gateways carry follows from the reports per second
 * of their own processor time. Needs `taskset`.
 */
import type { ChildProcess } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { hourMs } from '@saddle/contract/time.ts'
import { figuresOf, heard, runLoad, startChild, stopChildren, type Devices } from './lib/gatewayParts.ts'
import { addOneArea, withOwnDatabase } from './lib/ownDatabase.ts'
import { compare, isQuick, median, say, state, whole } from './lib/report.ts'

const deviceCount = 500
const window = 32
const seconds = isQuick ? 3 : 10
const rounds = isQuick ? 1 : 3
const rate = Number(process.argv.find((one) => one.startsWith('--rate='))?.split('=')[1] ?? 8_000)
const cores = cpus().length
/** Where there are further cores, the load is theirs. */
const loadCores = cores > 2 ? `2-${cores - 1}` : undefined

interface Gateway {
  readonly child: ChildProcess
  readonly port: number
  readonly devices: Devices
}

interface Carried {
  readonly perSecond: number
  /** Of the gateways' own processor time. */
  readonly perCoreSecond: number
  readonly p99Ms: number
}

/** Each load reports times in an hour of its own, so that no report is a duplicate. */
let firstAt = Date.now() - 100 * hourMs

await withOwnDatabase({ name: 'gateways' }, async ({ url }) => {
  await addOneArea(url)
  const gateways: Gateway[] = []
  try {
    for (const which of [0, 1]) gateways.push(await startGateway(url, which))
    say(`${cores} cores; the gateways on 0 and 1, the load on ${loadCores ?? 'both, as PostgreSQL'}; load ${loads()}`)
    // Code that has not run yet is slow.
    await carry(gateways)
    const steady = await rounded(gateways, rate)
    const fast = await rounded(gateways)
    tell(`at ${whole(rate)}/s`, steady)
    tell('as fast as they go', fast)
    const ratio = (2 * fast.two.perCoreSecond) / fast.one.perCoreSecond
    compare({
      what: 'two on full cores, by processor time',
      figure: `${whole(2 * fast.two.perCoreSecond)}/s`,
      reference: `one ${whole(fast.one.perCoreSecond)}/s`,
      ratio,
      goal: { atLeast: 1.7 },
    })
    compare({
      what: 'two as fast as they go',
      figure: `${whole(fast.two.perSecond)}/s`,
      reference: `one ${whole(fast.one.perSecond)}/s`,
      ratio: fast.two.perSecond / fast.one.perSecond,
      goal: { atLeast: 1.7 },
    })
    say(`load ${loads()}`)
  } finally {
    stopChildren()
  }
})

function loads(): string {
  return loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')
}

async function startGateway(url: string, which: number): Promise<Gateway> {
  const args = [String(deviceCount), 'whole', String(which)]
  const child = startChild({ script: 'gatewayServer.ts', args, env: { DATABASE_URL: url }, cores: String(which) })
  return { child, ...(await heard<{ port: number; devices: Devices }>(child, 'listening')) }
}

/** One of them with all vehicles, and both with half of them each, in turn; the middle of all rounds. */
async function rounded(gateways: readonly Gateway[], perSecond?: number) {
  const one: Carried[] = []
  const two: Carried[] = []
  for (let round = 0; round < rounds; round += 1) {
    one.push(await carry(gateways.slice(0, 1), perSecond))
    two.push(await carry(gateways, perSecond))
  }
  return { one: middle(one), two: middle(two) }
}

function middle(all: readonly Carried[]): Carried {
  const of = (figure: (one: Carried) => number): number => median(all.map(figure))
  return {
    perSecond: of((one) => one.perSecond),
    perCoreSecond: of((one) => one.perCoreSecond),
    p99Ms: of((one) => one.p99Ms),
  }
}

async function carry(gateways: readonly Gateway[], perSecond?: number): Promise<Carried> {
  firstAt += hourMs
  const share = deviceCount / gateways.length
  const before = await Promise.all(gateways.map(({ child }) => figuresOf(child)))
  const results = await Promise.all(
    gateways.map(({ port, devices }, at) =>
      runLoad(
        {
          port,
          devices: devices.slice(at * share, (at + 1) * share),
          seconds,
          window,
          firstAt,
          repeatedPercent: 0,
          qos: 1,
          ...(perSecond !== undefined && { perSecond: perSecond / gateways.length }),
        },
        loadCores,
      ),
    ),
  )
  const after = await Promise.all(gateways.map(({ child }) => figuresOf(child)))
  const cpuS = sumOf(after.map(({ cpuMs }, at) => cpuMs - (before[at]?.cpuMs ?? 0))) / 1_000
  const all = sumOf(results.map(({ allAcknowledged }) => allAcknowledged))
  return {
    perSecond: sumOf(results.map(({ acknowledged, seconds: s }) => acknowledged / s)),
    perCoreSecond: all / cpuS,
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function tell(how: string, { one, two }: { readonly one: Carried; readonly two: Carried }): void {
  for (const [name, carried] of [
    ['one gateway', one],
    ['two gateways', two],
  ] as const) {
    const { perSecond, perCoreSecond, p99Ms } = carried
    state(
      `${name} ${how}`,
      `${whole(perSecond)}/s, p99 ${Math.round(p99Ms)} ms; ${whole(perCoreSecond)} reports a second of their processor time`,
    )
  }
}
