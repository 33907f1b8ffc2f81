/**
 * Calls at a steady rate, 10 % of them writes, over the demo's 2,000 vehicles with its city, from eight people who do not wait for
 * answers: `node bench/calls.ts [--quick] [--rate=300] [--minutes=10] [--days=1] [--resting]`. Signed, sealed and opened by
 * packages/client. A call's time begins when it was due. With `--minutes=120 --rate=30` it is the soak: every 10 s it asks for the
 * server's memory, and at the end it states the slope in percent an hour of what it had after a fifth of the time. Without the city
 * with `--resting`.
 */
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { parseErrorAnswer } from '@saddle/contract/errorAnswer.ts'
import { portSettings } from '@saddle/contract/fleet/protocols.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createClient, type TestClient } from '@saddle/server/test/client.ts'
import pg from 'pg'
import { nth, reads, writes, type Kind, type Person, type Vehicle, type World } from './lib/callMix.ts'
import { devicePorts, startCity } from './lib/city.ts'
import { startDemo, type Demo } from './lib/demo.ts'
import { readCode } from './lib/login.ts'
import { postmasterOf, ticksASecond, ticksByName } from './lib/processes.ts'
import { isQuick, judge, quantile, say, state, whole } from './lib/report.ts'

const optionOf = (name: string, fallback: number): number =>
  Number(process.argv.findLast((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? fallback)
const rate = optionOf('rate', 300)
const minutes = optionOf('minutes', isQuick ? 1 : 10)
const historyDays = optionOf('days', 1)
const withCity = !process.argv.includes('--resting')
const people = 8
const loginTries = 4
const writeShare = 0.1
const goalMs = 200
const warmUpMs = isQuick ? 10_000 : minuteMs
const calledMs = isQuick ? 20_000 : 2 * minuteMs
const sampleMs = 10_000
const quietMs = 20_000
/** A slope is judged over so much time at least. */
const judgedMinutes = 30
const slopeGoal = 1

interface Ready {
  readonly kind: Kind
  readonly people: readonly Person[]
}

async function logIn({ url, dataDir }: Demo): Promise<Person[]> {
  const page = await (await fetch(`${url}/console/`)).text()
  const serverKey = /"serverKey":"([^"]+)"/.exec(page)?.[1]
  if (serverKey === undefined) throw new Error('the console is not built: npm start does it')
  const found: Person[] = []
  for (let index = 0; index < people; index += 1) {
    const client = createClient({ url })
    const phone = `1380013800${index}`
    // A busy server may refuse one.
    for (let tries = 1; ; tries += 1) {
      try {
        await client.login({ phone, serverKey, readCode: (to) => readCode(dataDir, to) })
        break
      } catch (error) {
        if (tries === loginTries) throw error
        await sleep(sampleMs)
      }
    }
    found.push({ client, vehicles: await vehiclesOf(client), tasks: [] })
  }
  return found
}

async function vehiclesOf(client: TestClient): Promise<Vehicle[]> {
  const found: Vehicle[] = []
  for (let cursor: string | undefined; ;) {
    const { status, body } = await client.call(endpoints.searchVehicles, {
      pageSize: 100,
      ...(cursor !== undefined && { cursor }),
    })
    if (status !== 200) return found
    found.push(...body.data.list.map(({ id, number }) => ({ id: Number(id), number })))
    if (body.data.nextCursor === null) return found
    cursor = body.data.nextCursor
  }
}

/** Each kind with those who may make it: everybody tries it once. */
async function readyOf(kinds: readonly Kind[], all: readonly Person[], world: World): Promise<Ready[]> {
  const ready: Ready[] = []
  for (const [at, one] of kinds.entries()) {
    const may: Person[] = []
    const refusals = new Set<string>()
    for (const [who, person] of (one.ofAll ? all.slice(0, 1) : all).entries()) {
      const answer = await one.ask(person, at * 100 + who, world)
      if (answer?.status === 200) may.push(person)
      else refusals.add(answer === null ? 'nothing to do' : JSON.stringify(answer.body))
    }
    if (may.length === 0) throw new Error(`nobody may ask: ${one.name}: ${[...refusals].join()}`)
    ready.push({ kind: one, people: may })
  }
  return ready
}

/** Each as often as its weight says, mixed in an order that is the same every time. */
function deckOf(ready: readonly Ready[]): Ready[] {
  const deck = ready.flatMap((one) => Array.from({ length: one.kind.weight }, () => one))
  return deck
    .map((one, at) => ({ one, place: (at * 7_919) % 10_007 }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one)
}

interface Call {
  readonly name: string
  readonly isWrite: boolean
  readonly tookMs: number
  /** Null where it was answered. */
  readonly fault: string | null
  /** The answer is a refusal that a rule of the fleet demands. */
  readonly isRefusal: boolean
}

interface Offered {
  readonly calls: readonly Call[]
  readonly seconds: number
  /** The most that waited for an answer at once. */
  readonly waiting: number
}

/** Offers calls at the rate, whatever the answers do. */
async function offer(
  decks: { reads: readonly Ready[]; writes: readonly Ready[] },
  world: World,
  forMs: number,
): Promise<Offered> {
  const calls: Call[] = []
  const open = new Set<Promise<void>>()
  const times = { reads: 0, writes: 0 }
  let [sent, waiting] = [0, 0]
  const startedAt = performance.now()
  const everyMs = 1_000 / rate
  const send = (dueAt: number): void => {
    const isWrite = Math.floor((sent + 1) * writeShare) > Math.floor(sent * writeShare)
    sent += 1
    const which = isWrite ? 'writes' : 'reads'
    for (let tries = 0; tries < 100; tries += 1) {
      const n = times[which]
      times[which] += 1
      const ready = nth(decks[which], n)
      const person = ready === undefined ? undefined : nth(ready.people, n)
      const answer = person === undefined ? null : (ready?.kind.ask(person, n + 1_000, world) ?? null)
      if (ready === undefined || answer === null) continue
      const { name, refusals } = ready.kind
      const settle = (fault: string | null): void => {
        const isRefusal = fault !== null && refusals.includes(fault)
        calls.push({ name, isWrite, tookMs: performance.now() - dueAt, fault, isRefusal })
      }
      const one = answer.then(
        ({ status, body }) => settle(status === 200 ? null : (parseErrorAnswer(body)?.code ?? String(status))),
        (error: unknown) => settle(String(error)),
      )
      open.add(one)
      void one.then(() => open.delete(one))
      waiting = Math.max(waiting, open.size)
      return
    }
    throw new Error(`no ${which} left`)
  }
  while (performance.now() - startedAt < forMs) {
    const due = Math.floor((performance.now() - startedAt) / everyMs)
    for (let at = sent; at < due; at += 1) send(startedAt + at * everyMs)
    await sleep(2)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  await Promise.all(open)
  return { calls, seconds, waiting }
}

interface Memory {
  readonly atMs: number
  readonly residentMb: number
  readonly heapMb: number
}

async function memoryOf(url: string): Promise<Memory> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 1e6
  return {
    atMs: performance.now(),
    residentMb: read('process_resident_memory_bytes'),
    heapMb: read('nodejs_heap_size_used_bytes'),
  }
}

/** Percent an hour of the mean, by least squares. */
function slopeOf(samples: readonly Memory[], of: (one: Memory) => number): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length
  const [at, level] = [mean(samples.map(({ atMs }) => atMs)), mean(samples.map(of))]
  const above = samples.reduce((sum, one) => sum + (one.atMs - at) * (of(one) - level), 0)
  const below = samples.reduce((sum, { atMs }) => sum + (atMs - at) ** 2, 0)
  return ((above / below) * hourMs * 100) / level
}

function startSampling(url: string) {
  const samples: Memory[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      // A line that the server has just closed: the next look has another one.
      await memoryOf(url).then(
        (one) => samples.push(one),
        () => {},
      )
      await sleep(sampleMs, undefined, { signal }).catch(() => {})
    }
  })()
  return async (): Promise<Memory[]> => {
    stopping.abort()
    await running
    return samples
  }
}

/** Riders and orders of the past are made by the jobs after the start; how many orders. */
async function untilPastIsMade(database: pg.Client): Promise<number> {
  for (let [before, since] = [-1, performance.now()]; ;) {
    const { rows } = await database.query<{ riders: number; orders: number }>(
      'select (select count(*)::integer from rider) as riders, (select count(*)::integer from ride_order) as orders',
    )
    const { riders = 0, orders = 0 } = rows[0] ?? {}
    if (riders === 0 || orders !== before) [before, since] = [orders, performance.now()]
    else if (performance.now() - since > quietMs) return orders
    await sleep(1_000)
  }
}

async function worldOf(database: pg.Client): Promise<World> {
  const idsOf = async (text: string): Promise<number[]> =>
    (await database.query<{ id: string }>(text)).rows.map(({ id }) => Number(id))
  return {
    riderIds: await idsOf('select id from rider order by id limit 500'),
    onlineIds: new Set(
      await idsOf(`select v.id from vehicle v join vehicle_status s on s.vehicle_id = v.id
      where s.heard_at > now() - interval '2 minutes' and v.state = 'available' order by v.id`),
    ),
    withTask: new Set(
      await idsOf(
        `select distinct vehicle_id as id from task where kind = 'retrieve' and state not in ('done', 'cancelled')`,
      ),
    ),
  }
}

const loads = (): string =>
  loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')
const ms = (calls: readonly Call[], share: number): string =>
  `${Math.round(
    quantile(
      calls.map(({ tookMs }) => tookMs),
      share,
    ),
  )} ms`

function tell({ calls, seconds, waiting }: Offered): void {
  const answered = calls.filter(({ fault, isRefusal }) => fault === null || isRefusal)
  const counted = (some: readonly Call[]): string => {
    const times = new Map<string, number>()
    for (const { name, fault } of some) times.set(`${name}: ${fault}`, (times.get(`${name}: ${fault}`) ?? 0) + 1)
    return [...times].map(([what, n]) => `${what} ${n}`).join(', ')
  }
  for (const [which, isWrite] of [
    ['reads', false],
    ['writes', true],
  ] as const) {
    const own = answered.filter((one) => one.isWrite === isWrite)
    state(which, `${whole(own.length)}, p50 ${ms(own, 0.5)}, p99 ${ms(own, 0.99)}`)
  }
  for (const name of new Set(answered.map((one) => one.name))) {
    const own = answered.filter((one) => one.name === name)
    state(`  ${name}`, `${whole(own.length)}, p50 ${ms(own, 0.5)}, p99 ${ms(own, 0.99)}`)
  }
  const p99 = quantile(
    answered.map(({ tookMs }) => tookMs),
    0.99,
  )
  judge({
    what: `${(calls.length / seconds).toFixed(0)}/s for ${(seconds / 60).toFixed(1)} minutes`,
    figure: `p50 ${ms(answered, 0.5)}, p99 ${ms(answered, 0.99)}, p99.9 ${ms(answered, 0.999)}; at most ${waiting} waiting; load ${loads()}`,
    isMet: p99 < goalMs,
    goal: `p99 < ${goalMs} ms`,
  })
  const refused = calls.filter(({ isRefusal }) => isRefusal)
  if (refused.length > 0) state('refused by a rule, as they should be', counted(refused))
  const wrong = calls.filter(({ fault, isRefusal }) => fault !== null && !isRefusal)
  judge({ what: 'errors', figure: wrong.length === 0 ? '0' : counted(wrong), isMet: wrong.length === 0, goal: '0' })
}

function tellMemory(samples: readonly Memory[]): void {
  const settled = samples.slice(Math.floor(samples.length / 5))
  const [first, last] = [settled[0], settled.at(-1)]
  if (first === undefined || last === undefined || settled.length < 3) return
  const hours = (last.atMs - first.atMs) / hourMs
  const slope = slopeOf(settled, ({ residentMb }) => residentMb)
  const heap = slopeOf(settled, ({ heapMb }) => heapMb)
  const figure = `${slope.toFixed(1)} %/h (heap ${heap.toFixed(1)}) over ${(hours * 60).toFixed(0)} minutes, ${whole(first.residentMb)} to ${whole(last.residentMb)} MB`
  if (minutes < judgedMinutes) state('memory of the server', figure)
  else judge({ what: 'memory of the server', figure, isMet: slope < slopeGoal, goal: `< ${slopeGoal} %/h` })
}

const portOf = await devicePorts()
const demo = await startDemo({ historyDays, env: portSettings(portOf) })
let city: ReturnType<typeof startCity> | null = null
const database = new pg.Client({ connectionString: demo.databaseUrl })
try {
  await database.connect()
  const orders = await untilPastIsMade(database)
  if (withCity) {
    city = startCity(demo, portOf)
    await sleep(calledMs)
  }
  const world = await worldOf(database)
  await database.end()
  const all = await logIn(demo)
  const decks = { reads: deckOf(await readyOf(reads, all, world)), writes: deckOf(await readyOf(writes, all, world)) }
  say(
    `${rate}/s, ${writeShare * 100} % writes, ${people} people, ${whole(all[0]?.vehicles.length ?? 0)} vehicles, ${whole(world.onlineIds.size)} of them online and free, ${whole(orders)} orders; load ${loads()}`,
  )
  await offer(decks, world, warmUpMs)
  const stopSampling = startSampling(demo.url)
  const postmaster = await postmasterOf(demo.databaseUrl)
  const [before, ownBefore] = [ticksByName(postmaster), process.cpuUsage()]
  const offered = await offer(decks, world, minutes * minuteMs)
  const [after, own] = [ticksByName(postmaster), process.cpuUsage(ownBefore)]
  tell(offered)
  const shareOf = (seconds: number): string => `${((seconds / offered.seconds) * 100).toFixed(0)} %`
  const shares = [...after].map(
    ([name, ticks]) => `${name} ${shareOf((ticks - (before.get(name) ?? 0)) / ticksASecond)}`,
  )
  state('processor time, of one core', [...shares, `the load ${shareOf((own.user + own.system) / 1e6)}`].join(', '))
  tellMemory(await stopSampling())
} finally {
  if (city !== null) {
    city.kill()
    await once(city, 'exit')
  }
  await demo.stop()
}
