import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { rideEndpoints, type Ride } from '@saddle/contract/riding/rides.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { createKeyring } from '#kit/crypto.ts'
import { createRiders } from '#rider/public.ts'
import { testDatabase } from '#test/database.ts'
import { testPriceRules } from '#test/rides.ts'
import { reconcileRides } from '../reconcile/reconcile.ts'
import { ridingWorld } from '../riding.fixture.ts'
import { isLong } from '../../../../../scripts/lib/thorough.mjs'

/** A statement takes 32,767 values, and an order is nine. */
const rides = isLong ? 3_000 : 500
const callers = 40
/** The server is killed after each of these numbers of ended rides. */
const killsAfter = isLong ? [300, 800, 1_400, 2_100] : [180]
const secret = 'a secret of the crash test that is long enough'

const database = await testDatabase()
const { db, owner, url: databaseUrl } = database
const { kit, fleet, ledger, riding } = await ridingWorld(database)
const dataDir = mkdtempSync(join(tmpdir(), 'saddle-crash-'))
const sources = dirname(dirname(fileURLToPath(import.meta.resolve('#riding/public.ts'))))
let child: ChildProcess | null = null
afterAll(async () => {
  await stop('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<string> {
  child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(sources, 'main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      DEMO: 'true',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      SADDLE_SECRET: secret,
      LOG_LEVEL: 'fatal',
      PORT: '0',
      OMNI_PORT: '0',
      JT808_PORT: '0',
      MQTT_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ended with code ${String(code)}`)
  })
  // Read only until the server listens.
  ended.catch(() => {})
  for (;;) {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ type?: string; url?: string }]
    if (message.type === 'listening' && message.url !== undefined) return message.url.replace('localhost', '127.0.0.1')
  }
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** The output of `npm run ledger:verify`. */
const verify = (): string =>
  execFileSync(process.execPath, [join(sources, 'app', 'ledgerVerifyCli.ts')], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    encoding: 'utf8',
  }).trim()

const phoneOf = (index: number): string => `139${String(index).padStart(8, '0')}`

/** Everybody has paused where they may return; every third has money in the wallet. */
async function setOut(): Promise<{ orderId: number; phone: string }[]> {
  const at = new Date()
  const started = new Date(Date.now() - 20 * minuteMs)
  await owner
    .insertInto('price_version')
    .values({
      agent_id: 3,
      area_id: 31,
      name: '首版',
      rules: JSON.stringify(testPriceRules),
      valid_from: new Date(0),
      created_at: new Date(0),
      author_name: '平台',
    })
    .execute()
  const secrets = createKeyring({ secret })
  return db.system(async (tx) => {
    const vehicleIds = await fleet.vehicles.register(
      tx,
      Array.from({ length: rides }, (_, n) => ({
        agentId: 3,
        areaId: 31,
        number: `CR${String(n).padStart(6, '0')}`,
        imei: `87${String(n).padStart(13, '0')}`,
        model: 'SD-E2',
        position: { lat: 31.3, lng: 120.6 },
      })),
    )
    await tx.updateTable('vehicle_status').set({ heard_at: at, locked: true }).execute()
    const riderIds = await createRiders({ ...kit, secrets }).ensure(
      tx,
      vehicleIds.map((_, n) => ({ agentId: 3, phone: phoneOf(n), name: null })),
    )
    const orders = await tx
      .insertInto('ride_order')
      .values(
        vehicleIds.map((vehicle_id, n) => ({
          agent_id: 3,
          area_id: 31,
          vehicle_id,
          vehicle_number: `CR${String(n).padStart(6, '0')}`,
          rider_id: riderIds[n]!,
          state: 'paused',
          app_id: 1,
          placed_at: started,
          started_at: started,
          changed_at: started,
        })),
      )
      .returning('id')
      .execute()
    return orders.map(({ id }, n) => ({ orderId: id, phone: phoneOf(n), riderId: riderIds[n]! }))
  })
}

it('ends and charges each ride once or not at all, and keeps what it answered, when it is killed among thousands of charges', async () => {
  const all = await setOut()
  const riderIds = await owner.selectFrom('ride_order').select('rider_id').orderBy('id').execute()
  const rich = riderIds.filter((_, n) => n % 3 === 0)
  const recharges = rich.map(({ rider_id: ownerId }) => ({
    agentId: 3,
    kind: 'recharge' as const,
    reference: `test:${ownerId}`,
    lines: [
      { account: { kind: 'clearing_sandbox' as const }, amountCents: -5_000 },
      { account: { kind: 'rider_balance' as const, ownerId }, amountCents: 5_000 },
    ],
  }))
  expect((await ledger.postMany(recharges)).every(({ status }) => status === 'fulfilled')).toBe(true)
  const key = await db.system((tx) => riding.addApp(tx, { agentId: 3, name: 'crash' }))

  /** What the server answered before it died: it must still be so. */
  const ended = new Map<number, number>()
  const paid = new Set<number>()
  let url = ''
  const ask = async (name: 'endRide' | 'payRide', input: object) => {
    const response = await fetch(url + rideEndpoints[name].path, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: Ride & { payment?: { number: string } | null } }).data
  }
  const goHome = async ({ orderId, phone }: (typeof all)[number]): Promise<void> => {
    let end = await ask('endRide', { orderId, phone })
    // The server's own job may be handling this ride now: the charge follows.
    while (end.chargedCents === null) end = await ask('endRide', { orderId, phone })
    ended.set(orderId, end.chargedCents)
    if (end.state === 'paid') paid.add(orderId)
    const asked = await ask('payRide', { orderId, phone })
    if (asked.payment) {
      const done = await fetch(`${url}/pay/sandbox/${asked.payment.number}`, { method: 'POST' })
      if (done.status !== 204) throw new Error(`the sandbox answered ${done.status}`)
    }
    paid.add(orderId)
  }
  /** Runs until all rides have ended or the server died; resolves to the riders whose return was interrupted. */
  const goAll = async (those: readonly (typeof all)[number][]) => {
    const left = [...those]
    const broken: typeof left = []
    const walk = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        try {
          await goHome(one)
        } catch (error) {
          // Only a dead server may leave a request without an answer.
          if (child?.signalCode !== 'SIGKILL' && child?.killed !== true) throw error
          broken.push(one)
        }
      }
    }
    await Promise.all(Array.from({ length: callers }, walk))
    return broken
  }
  /** What the database has must be what was answered, and nothing half done. */
  const check = async (): Promise<void> => {
    const rows = await owner.selectFrom('ride_order').select(['id', 'state', 'charged_cents']).execute()
    const known = new Map(rows.map((row) => [row.id, row]))
    for (const [id, cents] of ended) expect(known.get(id)?.charged_cents).toBe(cents)
    for (const id of paid) expect(known.get(id)?.state).toBe('paid')
    const halves = await sql<{ id: number }>`
      select o.id from ride_order o
      left join (select order_id, sum(amount_cents) as cents from order_line group by 1) l on l.order_id = o.id
      left join (select order_id, count(*) as n from return_check where accepted group by 1) c on c.order_id = o.id
      where (o.state in ('due', 'paid')) is distinct from (l.cents is not null and l.cents = o.charged_cents and c.n = 1)
        or (o.state not in ('due', 'paid') and (l.cents is not null or c.n is not null))`.execute(owner)
    expect(halves.rows).toEqual([])
    const twice = await sql`
      select reference from ledger_entry where kind = 'ride_charge' group by 1 having count(*) > 1`.execute(owner)
    expect(twice.rows).toEqual([])
    expect(verify()).toMatch(/sound$/)
    expect((await reconcileRides(db)).disagreements).toEqual([])
  }

  let left: readonly (typeof all)[number][] = all
  for (const after of killsAfter) {
    url = await start()
    const killer = setInterval(() => {
      if (ended.size >= after) child?.kill('SIGKILL')
    }, 1)
    left = await goAll(left)
    clearInterval(killer)
    await stop('SIGKILL')
    expect(left.length).toBeGreaterThan(100)
    await check()
  }
  url = await start()
  expect(await goAll(left)).toEqual([])
  await check()
  const states = await sql<{ state: string; n: number }>`
    select state, count(*)::integer as n from ride_order group by 1`.execute(owner)
  expect(states.rows).toEqual([{ state: 'paid', n: rides }])
  const { orders, orderCents, ledgerCents, reportCents } = await reconcileRides(db)
  expect({ orders, ledgerCents, reportCents }).toEqual({
    orders: rides,
    ledgerCents: orderCents,
    reportCents: orderCents,
  })
  await stop('SIGTERM')
}, 600_000)
