/**
 * What the demo costs while nobody looks at it: processor time of the server, its city of 2,000 vehicles and PostgreSQL, each of
 * them with the processes that it started, from Linux's own account: `node bench/idle.ts [--quick]`. Other load on the machine
 * makes the same work dearer, so it is said.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deviceProtocols, portSettings, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import pg from 'pg'
import { startDemo, type Demo } from './lib/demo.ts'
import { isQuick, judge, say, state } from './lib/report.ts'

const warmUpMs = isQuick ? minuteMs : 4 * minuteMs
const measuredMs = isQuick ? minuteMs : 5 * minuteMs
const goal = 0.15
/** Linux counts processor time in these. */
const ticksASecond = 100

type Process = { readonly pid: number; readonly parent: number; readonly name: string; readonly ticks: number }

/** Every process that is alive, with its own time and that of children that have ended. */
function processes(): Process[] {
  return readdirSync('/proc').flatMap((entry): Process[] => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const line = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      const fields = line
        .slice(line.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [, parent = 0, , , , , , , , , , own = 0, system = 0, ended = 0, endedSystem = 0] = fields
      return [{ pid: Number(entry), parent, name: nameOf(command), ticks: own + system + ended + endedSystem }]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

function nameOf(command: string): string {
  if (command.startsWith('postgres:') || /\/postgres\b/.test(command)) return 'PostgreSQL'
  return /simulator/.test(command) ? 'city' : /apps\/server/.test(command) ? 'server' : 'other'
}

/** Processor time in ticks by name of what descends from this process, without itself, or from PostgreSQL's first process. */
function ticksByName(postmaster: number): Map<string, number> {
  const all = processes()
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]))
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) {
      if (at === postmaster || (at === process.pid && pid !== process.pid)) return true
    }
    return false
  }
  const sums = new Map<string, number>()
  for (const { pid, name, ticks } of all) if (isOurs(pid)) sums.set(name, (sums.get(name) ?? 0) + ticks)
  return sums
}

async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  await client.end()
  return Number(readFileSync(`${rows[0]?.folder}/postmaster.pid`, 'utf8').split('\n')[0])
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The city as `npm start` has it: vehicles, riders with their app, and staff. */
function startCity({ url, dataDir }: Demo, portOf: (protocol: DeviceProtocol) => number) {
  const gateways = deviceProtocols.map((protocol) => `--${protocol}=127.0.0.1:${portOf(protocol)}`)
  const people = [`--api=${url}`, `--riders=${join(dataDir, 'demo-riders.json')}`, `--staff=${dataDir}`]
  const args = [...gateways, ...people, `--devices=${join(dataDir, 'demo-devices.json')}`]
  const script = fileURLToPath(new URL('../apps/simulator/src/main.ts', import.meta.url))
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

const ports = new Map(await Promise.all(deviceProtocols.map(async (protocol) => [protocol, await freePort()] as const)))
const portOf = (protocol: DeviceProtocol): number => ports.get(protocol) ?? 0
const demo = await startDemo({ historyDays: 0, env: portSettings(portOf) })
const city = startCity(demo, portOf)
try {
  const postmaster = await postmasterOf(demo.databaseUrl)
  say(`nobody looks; ${warmUpMs / minuteMs} minutes until every vehicle has called, ${measuredMs / minuteMs} measured`)
  await sleep(warmUpMs)
  const before = ticksByName(postmaster)
  const startedAt = performance.now()
  await sleep(measuredMs)
  const seconds = (performance.now() - startedAt) / 1_000
  let whole = 0
  for (const [name, ticks] of ticksByName(postmaster)) {
    const share = (ticks - (before.get(name) ?? 0)) / ticksASecond / seconds
    whole += share
    state(name, percent(share))
  }
  judge({
    what: 'all of it, of one core',
    figure: `${percent(whole)}, other load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(', ')}`,
    isMet: whole <= goal,
    goal: `<= ${percent(goal)}`,
  })
} finally {
  city.kill()
  await once(city, 'exit')
  await demo.stop()
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
