import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it } from 'vitest'
import { commandEndpoints } from '@saddle/contract/fleet/commands.ts'
import { loginEndpoints } from '@saddle/contract/identity/login.ts'
import { sessionEndpoints, type Me } from '@saddle/contract/identity/session.ts'
import { systemClock } from '#kit/clock.ts'
import { openPostgresLine } from '#kit/cluster/postgresLine.ts'
import { createSharedBus } from '#kit/cluster/sharedBus.ts'
import type { Domain } from '#kit/domain.ts'
import type { Kit } from '#kit/kit.ts'
import { silentLog } from '#kit/log.ts'
import { noticeTopic } from '#notices/public.ts'
import { heartbeat, openLine, positionAt, signIn, type Line } from '#telemetry/field.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { connectLive, enter, idsOf } from '#test/live.ts'
import { testPlatform, testSecret, type TestPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const database = await testDatabase()
const tenants: TenantFixture[] = []

let nodes = 0
async function startNode(services: string, seed?: (kit: Kit) => Promise<void>): Promise<TestPlatform> {
  const line = await openPostgresLine({ url: database.url, log: silentLog })
  const bus = await createSharedBus({ line, log: silentLog, clock: systemClock, node: `node-${(nodes += 1)}` })
  return testPlatform({
    database,
    bus,
    env: { SERVICES: services, CLUSTER: 'true', DATABASE_URL: database.url, SADDLE_SECRET: testSecret },
    ...(seed !== undefined && { seed }),
  })
}

const first = await startNode('api,gateway', async (kit) => void tenants.push(...(await seedTenants(kit))))
const second = await startNode('api,gateway')
const workers = [await startNode('worker'), await startNode('worker')]
const alpha = tenants[0]!
const [vehicleId] = alpha.vehicleIds
const waiting = { timeout: 60_000 }

const lines: Line[] = []
afterEach(() => {
  for (const line of lines.splice(0)) line.end()
})
/** The device of the first vehicle, signed in at a gateway that has its lease. */
async function connect(node: TestPlatform): Promise<Line> {
  const before = await lease()
  const line = await openLine({ port: node.platform.devicePorts.omni ?? 0, imei: alpha.imei })
  lines.push(line)
  line.say(signIn, heartbeat(true))
  await expect.poll(async () => (await lease())?.taken_at.getTime(), waiting).not.toBe(before?.taken_at.getTime())
  return line
}
const lease = () =>
  database.owner.selectFrom('device_lease').selectAll().where('vehicle_id', '=', vehicleId).executeTakeFirst()
const rings = (line: Line): number => line.received.filter(({ instruction }) => instruction === 'S8').length
async function ring(node: TestPlatform): Promise<void> {
  await database.owner
    .updateTable('vehicle_command')
    .set({ state: 'failed', finished_at: new Date(), failure: 'test' })
    .where('vehicle_id', '=', vehicleId)
    .where('state', 'in', ['queued', 'sent', 'acknowledged'])
    .execute()
  const client = await node.login(alpha.manager)
  const { status } = await client.call(commandEndpoints.lockVehicle, { vehicleId, kind: 'ring', reason: '试车' })
  expect(status).toBe(200)
}

describe('two servers on one database', () => {
  it('show vehicles of either gateway, and send commands to the one that has the vehicle', async () => {
    const line = await connect(first)
    const client = await second.login(alpha.manager)
    const live = connectLive(second.address, client)
    await enter(live, client)
    line.say(positionAt(Date.now(), 31.1, 120.1))
    await expect.poll(() => idsOf(live), waiting).toContain(vehicleId)
    await ring(second)
    await expect.poll(() => rings(line), waiting).toBe(1)
    live.socket.close()
  })

  it('let the vehicle go over to the other gateway, which alone is given its commands then', async () => {
    const before = await connect(first)
    const held = await lease()
    const after = await connect(second)
    expect((await lease())?.gateway_id).not.toBe(held?.gateway_id)
    await before.closed
    await ring(first)
    await expect.poll(() => rings(after), waiting).toBe(1)
    expect(rings(before)).toBe(0)
  })

  it('end a session everywhere at once', async () => {
    const client = await first.login(alpha.manager)
    const ask = () => client.call(commandEndpoints.listCommands, { vehicleId }, { at: second.address })
    expect((await ask()).status).toBe(200)
    await client.call(loginEndpoints.logout, {})
    await expect.poll(async () => (await ask()).status, waiting).toBe(401)
  })

  it('tell somebody who has a new notice at either of them', async () => {
    const client = await first.login(alpha.manager)
    const lives = [first, second].map(({ address }) => connectLive(address, client))
    for (const live of lives) await enter(live, client)
    const { body } = await client.call(sessionEndpoints.me, {})
    workers[0]?.kit.bus.publish(noticeTopic, { operatorIds: [Number((body as { data: Me }).data.operatorId)] })
    const told = () => lives.map(({ events }) => events.some(({ type }) => type === 'notice'))
    await expect.poll(told, waiting).toEqual([true, true])
    for (const { socket } of lives) socket.close()
  })

  it('bring the live map up to date after the line between them broke', async () => {
    const line = await connect(first)
    const client = await second.login(alpha.manager)
    const live = connectLive(second.address, client)
    await enter(live, client)
    await expect.poll(() => idsOf(live), waiting).toContain(vehicleId)
    const shown = live.frames.length
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'saddle bus' and datname = current_database()`.execute(database.owner)
    line.say(positionAt(Date.now(), 31.1008, 120.1))
    const sees = (): boolean =>
      live.frames
        .slice(shown)
        .some(
          (frame) =>
            frame.kind === 'vehicles' && frame.upserts.some(({ id, lat }) => id === vehicleId && lat > 31.1005),
        )
    await expect.poll(sees, waiting).toBe(true)
    live.socket.close()
  })

  it('answer probes in each process, and figures to the machine itself', async () => {
    const nodes = [first, second, ...workers]
    const ask = async (path: string) => {
      const answers = await Promise.all(nodes.map(({ platform }) => fetch(platform.probesUrl + path)))
      return Promise.all(answers.map(async (answer) => ({ status: answer.status, text: await answer.text() })))
    }
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await ask(path)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const leaders = async (): Promise<number> =>
      (await ask('/metrics')).filter(({ text }) => /^saddle_jobs_leading 1$/m.test(text)).length
    await expect.poll(leaders, waiting).toBe(1)
    const [worker] = workers
    const elsewhere = await fetch(`${worker?.platform.probesUrl}/metrics`, {
      headers: { 'x-forwarded-for': '10.9.8.7' },
    })
    expect(elsewhere.status).toBe(403)
    expect((await fetch(`${worker?.platform.probesUrl}/user/login`)).status).toBe(404)
  })

  it('can begin the jobs again in a process that had them before', async () => {
    const registry = new Registry()
    for (let turn = 0; turn < 2; turn += 1) {
      const ends = Object.values<Domain>(first.platform.domains).map(({ startBackground }) =>
        startBackground?.(registry),
      )
      for (const end of ends) await end?.()
    }
    expect(registry.getSingleMetric('saddle_books_faults')).toBeDefined()
  })

  it('run the jobs in one process', async () => {
    const holders = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`select count(*)::integer as n from pg_locks l
        join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.granted and a.application_name = 'saddle jobs'
          and a.datname = current_database()`.execute(database.owner)
      return rows[0]?.n ?? 0
    }
    await expect.poll(holders, waiting).toBe(1)
  })
})
