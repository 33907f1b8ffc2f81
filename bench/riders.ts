/**
 * A thousand riders on the road at the same time: each unlocks a vehicle, rides, returns it and pays, through the riders'
 * calls of the real server, 33 of each in a second; afterwards every ride is charged once and the ledger holds as much: `node bench/riders.ts [--quick]`.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { rideEndpoints, type Ride } from '@saddle/contract/riding/rides.ts'
import { createAudit } from '@saddle/server/audit/public.ts'
import { createFleet } from '@saddle/server/fleet/public.ts'
import { createLocalBus } from '@saddle/server/kit/bus.ts'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { loadConfig } from '@saddle/server/kit/config.ts'
import { createKeyring } from '@saddle/server/kit/crypto.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { secureRandom } from '@saddle/server/kit/random.ts'
import { testPriceRules } from '@saddle/server/test/rides.ts'
import pg from 'pg'
import { startDemo } from './lib/demo.ts'
import { isQuick, judge, median, quantile, say, state, whole } from './lib/report.ts'

const riders = isQuick ? 50 : 1_000
const arriveEveryMs = 30
/** The last one has unlocked before the first one returns. */
const rideMs = riders * arriveEveryMs
const waitMaxMs = 180_000
/** How often a rider polls for the result. */
const lookEveryMs = 2_000
const key = 'benchmark-key-of-a-riders-application'
const keyHash = createHash('sha256').update(key).digest('base64url')

const demo = await startDemo({
  historyDays: 0,
  prepare: async (database) => {
    await database.query(
      `insert into price_version (agent_id, area_id, name, rules, valid_from, author_name, created_at)
       select agent_id, id, 'bench', $1, now() - interval '1 hour', 'bench', now() - interval '1 hour'
       from service_area on conflict do nothing`,
      [JSON.stringify({ ...testPriceRules, freeSeconds: 0 })],
    )
    await database.query(
      `insert into rider_app (agent_id, name, key_hash, created_at) values (2, 'bench', $1, now())`,
      [keyHash],
    )
  },
})
const database = new pg.Client({ connectionString: demo.databaseUrl })
await database.connect()
const db = openDatabase({ url: demo.databaseUrl, log: silentLog })
const bus = createLocalBus({ log: silentLog })
const secrets = createKeyring({ secret: 'a secret of benchmarks that is long enough' })
const kit = { config: loadConfig({}), log: silentLog, db, bus, clock: systemClock, random: secureRandom, secrets }
const fleet = createFleet(kit, { audit: createAudit(kit) })

/** What the vehicle does with the command that waits for it. */
async function obey(vehicleId: number, place: { lat: number; lng: number }): Promise<void> {
  const command = await fleet.commands.claim(vehicleId)
  if (command === null) throw new Error('there is no command')
  const at = Date.now()
  const silent = { batteryPercent: 80, voltageV: null, charging: null, signal: null, odometerM: null, alarms: [] }
  const told = { position: { ...place, speedKmh: 0, headingDeg: 0 }, locked: command.kind === 'lock', commanded: true }
  await db.system(async (tx) => {
    const locked = await fleet.reports.lock(tx, [vehicleId])
    await fleet.reports.apply(tx, locked, [{ vehicleId, ...silent, ...told, receivedAt: at, occurredAt: at }])
  })
  await fleet.commands.move({ ...command, to: 'confirmed' })
}

const took: Record<'unlock' | 'end' | 'pay' | 'call-back', number[]> = { unlock: [], end: [], pay: [], 'call-back': [] }

type Answered = Ride & { readonly payment?: { readonly number: string } | null }

async function ask(
  name: 'unlockRide' | 'endRide' | 'payRide' | 'readRide',
  input: Record<string, unknown>,
): Promise<Answered> {
  const endpoint = rideEndpoints[name]
  const isQuery = endpoint.method === 'GET'
  const query = new URLSearchParams(
    Object.entries(input).map(([field, value]): [string, string] => [field, String(value)]),
  ).toString()
  const response = await fetch(`${demo.url}${endpoint.path}${isQuery ? `?${query}` : ''}`, {
    method: endpoint.method,
    headers: { 'x-api-key': key, ...(isQuery ? {} : { 'content-type': 'application/json' }) },
    ...(isQuery ? {} : { body: JSON.stringify(input) }),
  })
  const answer = (await response.json()) as { data: Answered }
  if (response.status !== 200) throw new Error(`${endpoint.path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer.data
}

async function timed<T>(kind: keyof typeof took, work: () => Promise<T>): Promise<T> {
  const from = performance.now()
  const done = await work()
  took[kind].push(performance.now() - from)
  return done
}

/** The rider pays in the channel, which calls back. */
async function payBy(number: string): Promise<void> {
  const { status } = await fetch(`${demo.url}/pay/sandbox/${number}`, { method: 'POST' })
  if (status !== 204) throw new Error(`the sandbox answered ${status}`)
}

async function until(asked: Record<string, unknown>, states: readonly Ride['state'][]): Promise<void> {
  const limit = performance.now() + waitMaxMs
  while (performance.now() < limit) {
    const { state: now } = await ask('readRide', asked)
    if (states.includes(now)) return
    await sleep(lookEveryMs)
  }
  throw new Error(`a ride did not come to ${states.join(' or ')}`)
}

type Vehicle = { id: string; number: string; lat: number; lng: number }

async function rideOnce({ id, number, lat, lng }: Vehicle, index: number): Promise<void> {
  const phone = `139${String(index).padStart(8, '0')}`
  const vehicleId = Number(id)
  await sleep(index * arriveEveryMs)
  const { orderId } = await timed('unlock', () => ask('unlockRide', { phone, vehicleNumber: number }))
  const asked = { phone, orderId }
  await obey(vehicleId, { lat, lng })
  await until(asked, ['riding'])
  await sleep(rideMs)
  await timed('end', () => ask('endRide', asked))
  await obey(vehicleId, { lat, lng })
  await until(asked, ['due', 'paid'])
  const { payment } = await timed('pay', () => ask('payRide', asked))
  if (payment) await timed('call-back', () => payBy(payment.number))
  // A rider who is not sure asks and pays again; nothing more is charged.
  await ask('payRide', asked)
  if (payment) await payBy(payment.number)
}

try {
  const { rows: vehicles } = await database.query<Vehicle>(
    `select v.id, v.number, s.lat, s.lng from vehicle v join vehicle_status s on s.vehicle_id = v.id
     where v.state = 'available' and s.lat is not null order by v.id limit $1`,
    [riders],
  )
  await database.query(`update vehicle_status set heard_at = now(), locked = true`)
  const from = performance.now()
  const rides = await Promise.allSettled(vehicles.map((vehicle, index) => rideOnce(vehicle, index)))
  const failed = rides.flatMap((ride) => (ride.status === 'rejected' ? [String(ride.reason)] : []))
  say(`${whole(riders)} riders on the road at once, ${((performance.now() - from) / 1000).toFixed(1)} s in all`)
  for (const [kind, all] of Object.entries(took)) {
    state(kind, `p50 ${median(all).toFixed(0)} ms, p99 ${quantile(all, 0.99).toFixed(0)} ms`)
  }
  const { rows } = await database.query<{ orders: string; charged: string; ledger: string; twice: string }>(`
    select (select count(*) from ride_order where state = 'paid') as orders,
      (select coalesce(sum(charged_cents), 0)::bigint from ride_order where state = 'paid') as charged,
      (select coalesce(sum(b.balance_cents), 0) from ledger_balance b join ledger_account a on a.id = b.account_id
        where a.kind = 'agent_revenue') as ledger,
      (select count(*) from (select from ledger_entry where kind = 'ride_charge' group by reference having count(*) > 1) t)
        as twice`)
  const sums = rows[0] ?? { orders: '0', charged: '0', ledger: '0', twice: '0' }
  judge({
    what: 'charged once each, as the ledger says',
    figure: `${sums.orders} orders of ${sums.charged} cents, ledger ${sums.ledger} cents, ${sums.twice} twice`,
    isMet: Number(sums.orders) === riders && sums.charged === sums.ledger && sums.twice === '0' && failed.length === 0,
    goal: `${whole(riders)}, equal, 0`,
  })
  for (const reason of failed.slice(0, 3)) say(`  failed: ${reason}`)
} finally {
  await database.end()
  await bus.close()
  await db.close()
  await demo.stop()
}
