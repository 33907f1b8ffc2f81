import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demoVehicleCount } from '@saddle/contract/demo/city.ts'
import { isSound, summaryOf } from '../faults/summary.ts'
import { checkCluster } from './check.ts'
import { startDatabases } from './database.ts'
import { closeNetwork, entryAddress, machines, openNetwork } from './network.ts'
import { installPackages } from './packages.ts'
import {
  consoleUrl,
  entryPorts,
  firstDataDir,
  prepareDatabase,
  startBus,
  startCity,
  startProcesses,
  type Process,
} from './processes.ts'
import type { Program } from './shell.ts'

/**
 * `npm run cluster -- [--vehicles=2000] [--data=/var/lib/saddle-cluster] [--check [--rounds=1] [--seed=…]]`: three machines as network
 * namespaces of this one, by the files of deploy/. On each etcd, PostgreSQL with Patroni, HAProxy and NATS; two gateways, two api servers,
 * two workers; at the entry HAProxy and the simulated city. Runs until Ctrl+C. With --check, in place of demo and city, the load of
 * `npm run faults`: cables are pulled, etcd is cut off and everything is killed, and it ends with what was lost; exit code 1 unless that
 * is nothing. Needs root and Debian 12; begins anew each time.
 */
const valueOf = (name: string, fallback: string): string =>
  process.argv.findLast((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? fallback
const say = (sentence: string): void => console.log(sentence)
const deploy = fileURLToPath(new URL('../../../../deploy', import.meta.url))
const folder = resolve(valueOf('data', '/var/lib/saddle-cluster'))
const isCheck = process.argv.includes('--check')
const vehicles = Number(valueOf('vehicles', String(demoVehicleCount)))
const started: Program[] = []
/** A folder with this file was made by an earlier run. */
const mark = 'saddle-cluster'
const isOwn = !existsSync(folder) || readdirSync(folder).length === 0 || existsSync(join(folder, mark))
if (!isOwn) {
  console.error(`${folder} is not empty and not of an earlier run: remove it, or give --data another folder.`)
  process.exit(1)
}

async function bringUp() {
  installPackages(say)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o755 })
  writeFileSync(join(folder, mark), '')
  openNetwork()
  say('starting etcd, Patroni with PostgreSQL, HAProxy and NATS on three machines')
  const bus = startBus({ folder })
  started.push(...bus)
  const databases = await startDatabases({ folder, deploy, onStart: (programs) => void started.push(...programs) })
  const options = { folder, deploy, databaseUrl: databases.url }
  say(`a single server writes the schema${isCheck ? '' : ' and the demo'} into the database`)
  const secret = await prepareDatabase({ ...options, isDemo: !isCheck })
  const processes = await startProcesses({
    ...options,
    secret,
    onStart: (programs) => void started.push(...programs),
  })
  return { databases, processes, bus, secret }
}

function describe(processes: readonly Process[]): void {
  say('')
  for (const machine of machines) {
    const own = processes
      .filter((one) => one.machine === machine)
      .map(({ program, address }) => `${program.name} ${address}`)
    say(`${machine.name}: PostgreSQL, etcd, NATS and HAProxy ${machine.address}; ${own.join(', ')}`)
  }
  say(`console ${consoleUrl}, login 13800138000; codes: DATA_DIR=${firstDataDir(folder)} npm run outbox`)
  const { omni, jt808, mqtt } = entryPorts
  say(`vehicles at ${entryAddress} ports ${omni} (Omni), ${jt808} (JT/T 808), ${mqtt} (MQTT)`)
  say(`databases: patronictl -c ${join(folder, 'db1', 'patroni.yml')} list`)
  say(
    `a machine: ip netns exec ${machines[0].name} bash; its cable: ip link set ${machines[0].name} down, and up again`,
  )
  say(`logs in ${join(folder, 'logs')}`)
}

let isEnding = false
async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  say('stopping')
  // Databases last: what stops writes its state.
  for (const program of started.toReversed()) await program.stop()
  closeNetwork()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end().then(() => process.exit(0)))
try {
  const { databases, processes, bus, secret } = await bringUp()
  if (isCheck) {
    const run = await checkCluster({
      databases,
      processes,
      bus,
      secret,
      codes: firstDataDir(folder),
      seed: Number(valueOf('seed', String(Math.floor(Date.now() / 1_000)))),
      rounds: Number(valueOf('rounds', '1')),
      say,
    })
    for (const line of summaryOf(run)) say(line)
    process.exitCode = isSound(run) ? 0 : 1
    await end()
  } else {
    started.push(startCity(folder, vehicles))
    describe(processes)
  }
} catch (error) {
  console.error(error)
  process.exitCode = 1
  await end()
}
