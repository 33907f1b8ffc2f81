/**
 * The real gateway, writer and live index with registered MQTT vehicles: a child of bench/ingest.ts, bench/connections.ts and
 * bench/gateways.ts. With `alone` as the second argument everything runs but PostgreSQL: what would be written goes nowhere. The third
 * argument says which gateway it is of several on one database, from 0: each has a probe of its own.
 */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { Registry } from 'prom-client'
import { portSettings } from '@saddle/contract/fleet/protocols.ts'
import { createAudit } from '@saddle/server/audit/public.ts'
import { createOrganisation } from '@saddle/server/organisation/public.ts'
import { createFleet, fleetTopics, type Fleet } from '@saddle/server/fleet/public.ts'
import { createProduction } from '@saddle/server/production/public.ts'
import { createLocalBus } from '@saddle/server/kit/bus.ts'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { loadConfig } from '@saddle/server/kit/config.ts'
import { createKeyring } from '@saddle/server/kit/crypto.ts'
import { openDatabase, type Database, type Tx } from '@saddle/server/kit/db/pool.ts'
import type { DB } from '@saddle/server/kit/db/types.ts'
import type { Kit } from '@saddle/server/kit/kit.ts'
import { createLog } from '@saddle/server/kit/log.ts'
import { secureRandom } from '@saddle/server/kit/random.ts'
import { createDevicePasswords, createTelemetry } from '@saddle/server/telemetry/public.ts'
import { startProbe } from './probe.ts'

const count = Number(process.argv[2])
const isAlone = process.argv[3] === 'alone'
const which = Number(process.argv[4] ?? 0)
const probes = 2
const log = createLog({ level: 'error' })
const real = openDatabase({ url: process.env['DATABASE_URL'] ?? '', log })
const realKit: Kit = {
  config: loadConfig({ ...portSettings(() => 0), HOST: '127.0.0.1' }),
  db: real,
  log,
  clock: systemClock,
  random: secureRandom,
  bus: createLocalBus({ log }),
  secrets: createKeyring({ secret: 'a secret for the bench only, long enough' }),
}

/** A database that takes every statement and keeps nothing. */
function nowhere(): Database {
  const tx = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }) as unknown as Tx
  let effects: (() => void | Promise<void>)[] = []
  return {
    ...real,
    system: async (work) => {
      const result = await work(tx)
      const due = effects
      effects = []
      for (const effect of due) await effect()
      return result
    },
    copyIn: (_, { chunks }) => {
      let bytes = 0
      for (const chunk of chunks) bytes += chunk.length
      return Promise.resolve(bytes)
    },
    afterCommit: (_, effect) => void effects.push(effect),
  }
}

/** The fleet that keeps what it knows of vehicles in memory instead of asking the database before each batch. */
async function withoutDatabase(onReal: Fleet, kit: Kit): Promise<Fleet> {
  const made = createFleet(kit, { audit: createAudit(kit) })
  const ids = Array.from({ length: imeis.length }, (_, n) => n + 1)
  const known = new Map(await real.system((tx) => onReal.reports.lock(tx, ids)))
  kit.bus.subscribe(fleetTopics.vehicle, (vehicles) => {
    for (const now of vehicles) {
      const before = known.get(now.vehicleId)
      if (before !== undefined) known.set(now.vehicleId, { ...before, now })
    }
  })
  const reports = { ...made.reports, lock: () => Promise.resolve(known) }
  return { ...made, vehicles: onReal.vehicles, reports }
}

/** The last ones are the probes'. */
const imeis = Array.from({ length: count + probes }, (_, n) => `8612345${String(n).padStart(8, '0')}`)
const registrations = imeis.map((imei, n) => {
  const number = `SB${String(n).padStart(6, '0')}`
  return { agentId: 3, areaId: 31, number, imei, model: 'SD-E2', protocol: 'mqtt' as const }
})
const onReal = createFleet(realKit, { audit: createAudit(realKit) })
const [known] = await real.systemRead<{ count: number }>((k) =>
  k
    .selectFrom('vehicle')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .compile(),
)
if (Number(known?.count) === 0) await real.system((tx) => onReal.vehicles.register(tx, registrations))

const kit: Kit = isAlone ? { ...realKit, db: nowhere() } : realKit
const fleet = isAlone ? await withoutDatabase(onReal, kit) : onReal
const audit = createAudit(kit)
const telemetry = createTelemetry(kit, {
  fleet,
  audit,
  transfers: createProduction(kit, { audit, fleet }).transfers,
  organisation: createOrganisation(kit),
  metrics: new Registry(),
})
const gateway = await telemetry.startGateway()
await telemetry.startFeed()
const passwordOf = createDevicePasswords(kit.secrets)
const devices = imeis.map((imei) => ({ imei, password: passwordOf('mqtt', { imei, secretGeneration: 0 }) ?? '' }))
const probed = count + which
const probe = startProbe({
  port: gateway.ports.mqtt,
  device: devices[probed]!,
  vehicleId: probed + 1,
  bus: kit.bus,
})
let highestRss = 0
setInterval(() => {
  highestRss = Math.max(highestRss, process.memoryUsage.rss())
}, 50).unref()

process.on('message', (message: { type: string }) => {
  if (message.type !== 'figures') return
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const figures = {
    cpuMs: (user + system) / 1_000,
    rssMb: process.memoryUsage.rss() / 1e6,
    heapMb: process.memoryUsage().heapUsed / 1e6,
    highestRssMb: highestRss / 1e6,
  }
  process.send?.({ type: 'figures', ...figures, ...probe.take() })
  highestRss = 0
})
process.on('disconnect', () => process.exit(0))
process.send?.({ type: 'listening', port: gateway.ports.mqtt, devices: devices.slice(0, count) })
