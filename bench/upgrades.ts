/**
 * A campaign of firmware over 2,000 simulated devices of three protocols on real sockets: 20 % lose their line in the middle, 5 %
 * of packages arrive broken, and riders take vehicles all the while; then a firmware that 3 % never start again from:
 * `node bench/upgrades.ts [--quick]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { Registry } from 'prom-client'
import { demoAreas, demoVehicles } from '@saddle/contract/demo/city.ts'
import { portSettings } from '@saddle/contract/fleet/protocols.ts'
import { upgradeTermsSchema } from '@saddle/contract/production/upgradeWords.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '@saddle/server/audit/public.ts'
import { createFleet } from '@saddle/server/fleet/public.ts'
import { createOrganisation } from '@saddle/server/organisation/public.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { artefactPath, createProduction } from '@saddle/server/production/public.ts'
import { createDevicePasswords, createTelemetry } from '@saddle/server/telemetry/public.ts'
import { sessionCall, testKit } from '@saddle/server/test/kit.ts'
import { testArtefactKey, testArtefactKeys, testUpload } from '@saddle/server/test/upgrades.ts'
import { createDeviceConnection, type DeviceConnection } from '@saddle/simulator/src/device/connection.ts'
import { timingFor, type Device } from '@saddle/simulator/src/device/device.ts'
import { makeDevice } from '@saddle/simulator/src/device/protocols.ts'
import { createRandom } from '@saddle/simulator/src/random.ts'
import { isQuick, judge, say, state, whole } from './lib/report.ts'

const count = isQuick ? 120 : 2_000
const imageBytes = { omni: 3_000, jt808: 8_000, mqtt: 60_000 } as const
const protocols = ['omni', 'jt808', 'mqtt'] as const
const droppedShare = 0.2
const brokenShare = 0.05
const brickShare = 0.03
const longestMs = (isQuick ? 4 : 40) * minuteMs
const agentId = 3

/** The clock of the machine, which a bench may set forward: silence takes ten minutes to be certain. */
let aheadMs = 0
const clock = { now: () => Date.now() + aheadMs }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bench-'))
const postgres = await startEmbedded({ dataDir, log: silentLog })
const stops: (() => unknown)[] = []
try {
  await migrate({ url: postgres.url, log: silentLog })
  const owner = new Client({ connectionString: postgres.url })
  await owner.connect()
  owner.on('error', () => {})
  stops.push(() => owner.end())
  await owner.query(
    `insert into agent (id, parent_id, company) values (2, null, 'platform'), (${agentId}, 2, 'company')`,
  )
  for (const [index, { ring }] of demoAreas.entries()) {
    await owner.query(
      `insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring) values ($1, $2, $3, 31.3, 120.7, $4)`,
      [100 + index, agentId, `area ${index}`, JSON.stringify(ring)],
    )
  }
  await owner.query(`insert into rider_app (id, agent_id, name, key_hash, created_at) overriding system value
    values (1, ${agentId}, 'app', 'hash', now())`)
  const db = openDatabase({ url: postgres.url, log: silentLog })
  stops.push(() => db.close())
  const kit = { ...testKit(db, { ...portSettings(() => 0), HOST: '127.0.0.1', ...testArtefactKeys }), clock }
  const audit = createAudit(kit)
  const fleet = createFleet(kit, { audit })
  const production = createProduction(kit, { audit, fleet })
  const { transfers } = production
  const telemetry = createTelemetry(kit, {
    fleet,
    audit,
    organisation: createOrganisation(kit),
    transfers,
    metrics: new Registry(),
  })
  const vehicles = demoVehicles(count)
  const ids = await db.system((tx) =>
    fleet.vehicles.register(
      tx,
      vehicles.map(({ number, imei, model, protocol, areaIndex }) => ({
        number,
        imei,
        model,
        protocol,
        agentId,
        areaId: 100 + areaIndex,
        registrationOpenUntil: clock.now() + 60 * minuteMs,
      })),
    ),
  )
  const gateway = await telemetry.startGateway()
  stops.push(() => gateway.close())
  const files = createServer((request, answer) => {
    const token = (request.url ?? '').slice(artefactPath.length + 1)
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const send = async () => {
      const part = await production.files.read(token, { from: Number(range?.[1] ?? 0), to: Number(range?.[2] ?? 0) })
      answer.statusCode = part === null ? 404 : 206
      answer.end(part?.bytes)
    }
    void send()
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  stops.push(() => files.close())
  transfers.addresses.servedAt(`http://127.0.0.1:${(files.address() as AddressInfo).port}`)

  const passwordOf = createDevicePasswords(kit.secrets)
  const random = createRandom(20_261_123)
  const devices: { device: Device; connection: DeviceConnection; isDropped: boolean }[] = vehicles.map(
    (demo, index) => {
      const body = {
        lat: demo.lat,
        lng: demo.lng,
        speedKmh: 0,
        locked: true,
        batteryPercent: 80,
        odometerM: 0,
        signal: 28,
        openSinceMs: null,
      }
      const device = makeDevice({
        demo,
        index,
        body,
        random: createRandom(index + 1),
        timing: timingFor(count),
        startMs: clock.now(),
        password: passwordOf(demo.protocol, { imei: demo.imei, secretGeneration: 0 }) ?? '',
        firmware: '1.0',
        artefactKey: testArtefactKey,
      })
      const port = gateway.ports[demo.protocol]
      return {
        device,
        isDropped: random.chance(droppedShare),
        connection: createDeviceConnection({
          line: device,
          host: '127.0.0.1',
          port,
          random: createRandom(index + 9_000_000),
        }),
      }
    },
  )
  const ticking = setInterval(() => {
    const nowMs = clock.now()
    for (const one of devices) {
      const { device, connection } = one
      const missing = device.flasher.missing()
      // In the middle of the image, once.
      if (one.isDropped && missing !== null && missing > 2) {
        one.isDropped = false
        connection.drop(2_000)
      }
      connection.tick(nowMs)
    }
  }, 50)
  stops.push(() => {
    clearInterval(ticking)
    for (const { connection } of devices) connection.close()
  })
  await until(async () => {
    const { rows } = await owner.query<{ known: number }>(`select count(*)::integer as known from vehicle_status s
      join device d using (vehicle_id) where s.locked and s.heard_at is not null and (d.firmware is not null or exists (
        select from vehicle v where v.id = s.vehicle_id and v.protocol = 'omni'))`)
    return (rows[0]?.known ?? 0) >= count
  })
  await owner.query(`update device set firmware = '1.0' where firmware is null`)

  const grant = { agentIds: [agentId], areaIds: demoAreas.map((_, index) => 100 + index) }
  const call = sessionCall({ operatorId: 1, agentId, grant, permissions: ['0601'] })
  const terms = upgradeTermsSchema.parse({
    nightOnly: false,
    watchHours: 0,
    errorPercent: 100,
    successPercent: 50,
    unlockFailurePoints: 100,
    offlinePoints: 100,
    batteryPoints: 100,
  })
  const begin = async (version: string): Promise<number[]> => {
    const campaigns: number[] = []
    for (const protocol of protocols) {
      const upload = testUpload({ agentId, version, protocol, bytes: imageBytes[protocol] })
      const { data: artefact } = await production.handlers.uploadArtefact(upload, call)
      const of = { agentId, artefactId: artefact.id, areaIds: [], name: `${protocol} ${version}`, terms }
      const { data } = await production.handlers.createUpgradeCampaign(of, call)
      await production.handlers.startUpgradeCampaign({ id: data.id }, call)
      campaigns.push(data.id)
    }
    return campaigns
  }
  const areOver = async (campaigns: readonly number[], states: string): Promise<boolean> => {
    await production.work()
    const { rows } = await owner.query<{ left: number }>(
      `select count(*)::integer as left from upgrade_campaign where id = any ($1) and state not in (${states})`,
      [campaigns],
    )
    return rows[0]?.left === 0
  }

  // Riders take vehicles for a few seconds, by the rows that the riders' call writes.
  const rides = { begun: 0, refused: 0 }
  const streets = { areOpen: true }
  const riding = (async () => {
    while (streets.areOpen) {
      const at = random.below(ids.length)
      const rider = await owner.query<{ id: number }>(
        `insert into rider (agent_id, phone_sealed, phone_hash, created_at, last_active_at) values (${agentId}, 'x', $1, now(), now()) returning id`,
        [`hash ${rides.begun} ${rides.refused}`],
      )
      const riderId = rider.rows[0]?.id ?? 0
      const ride = await owner
        .query<{ id: number }>(
          `insert into ride_order (agent_id, area_id, vehicle_id, vehicle_number, rider_id, app_id, state, placed_at, changed_at)
           select agent_id, area_id, id, number, $2, 1, 'riding', date_trunc('milliseconds', now()), now() from vehicle
           where id = $1 and state = 'available' returning id`,
          [ids[at], riderId],
        )
        .catch(() => null)
      if (ride === null || ride.rows.length === 0) rides.refused += 1
      else {
        rides.begun += 1
        const end = () =>
          owner
            .query(`update ride_order set state = 'failed', failure = 'x', changed_at = now() where id = $1`, [
              ride.rows[0]?.id,
            ])
            .catch(() => null)
        setTimeout(() => void end(), 3_000)
      }
      await pause(20)
    }
  })()
  // Before the connection that it reads by is closed; otherwise its failure would hide the one that ended the run.
  stops.push(async () => {
    streets.areOpen = false
    await riding
  })

  let broken = 0
  for (const { device } of devices) {
    const { flasher } = device
    const put = flasher.put.bind(flasher)
    flasher.put = (index, bytes) => {
      const isRead = put(index, bytes)
      if (!isRead) broken += 1
      return isRead
    }
    device.troubles.brokenPackageChance = brokenShare
    device.troubles.powerLossChance = 0.1
  }
  const startedAt = performance.now()
  const sound = await begin('2.0')
  await until(() => areOver(sound, `'finished', 'paused', 'stopped'`))
  streets.areOpen = false
  await riding
  await pause(3_500)
  const tookS = (performance.now() - startedAt) / 1_000
  const { rows: figures } = await owner.query<Record<string, number>>(
    `select count(*)::integer as all, count(*) filter (where state = 'finished')::integer as done,
       sum(resumes)::integer as resumes, sum(repeats)::integer as repeats, sum(packages)::integer as packages,
       count(*) filter (where package <> packages and state = 'finished')::integer as torn
     from upgrade_action where campaign_id = any ($1)`,
    [sound],
  )
  const known = figures[0] ?? {}
  state('devices upgraded', `${whole(known['done'] ?? 0)} of ${whole(known['all'] ?? 0)} in ${whole(tookS)} s`)
  state('rides begun meanwhile, and refused', `${whole(rides.begun)} and ${whole(rides.refused)}`)
  state(
    'packages sent',
    `${whole(known['packages'] ?? 0)}, ${whole(known['resumes'] ?? 0)} resumes, ${whole(known['repeats'] ?? 0)} repeats`,
  )
  state('packages that arrived broken', whole(broken))
  // A broken package is sent again by necessity: the others are those that a new line repeated.
  const perResume = Math.max(0, (known['repeats'] ?? 0) - broken) / Math.max(1, known['resumes'] ?? 0)
  judge({ what: 'packages repeated a resume', figure: perResume.toFixed(2), isMet: perResume <= 1, goal: '<= 1' })
  const { rows: met } = await owner.query<{ met: number }>(
    `select count(*)::integer as met from upgrade_action a join ride_order o on o.vehicle_id = a.vehicle_id
     where a.begun_at is not null and o.placed_at < coalesce(a.finished_at, now()) and
       (case when o.state = 'riding' then now() else o.changed_at end) > a.begun_at + interval '5 milliseconds'`,
  )
  judge({ what: 'upgrades under way on a trip', figure: whole(met[0]?.met ?? 0), isMet: met[0]?.met === 0, goal: '0' })

  for (const { device } of devices) {
    device.troubles.brokenPackageChance = 0
    device.troubles.brickChance = brickShare
  }
  const bricking = await begin('3.0')
  let last = performance.now()
  await until(async () => {
    // Nothing but silence is left: the ten minutes are over at once.
    const { rows } = await owner.query<{ moving: number; silent: number }>(
      `select count(*) filter (where state in ('downloading', 'downloaded') or state = 'installing' and changed_at > $2)::integer as moving,
         count(*) filter (where state = 'installing')::integer as silent
       from upgrade_action where campaign_id = any ($1)`,
      [bricking, new Date(clock.now() - 30_000)],
    )
    const { moving = 0, silent = 0 } = rows[0] ?? {}
    if (moving > 0) last = performance.now()
    if (silent > 0 && moving === 0 && performance.now() - last > 5_000) {
      aheadMs += 10 * minuteMs
      last = performance.now()
    }
    return areOver(bricking, `'finished', 'paused', 'stopped'`)
  })
  const { rows: bricks } = await owner.query<{
    name: string
    state: string
    canary: number
    total: number
    upgraded: number
  }>(
    `select c.name, c.state, count(*) filter (where a.failure = 'silent' and a.group_no = 0)::integer as canary,
       count(*) filter (where a.failure = 'silent')::integer as total, count(*) filter (where a.begun_at is not null)::integer as upgraded
     from upgrade_campaign c join upgrade_action a on a.campaign_id = c.id where c.id = any ($1) group by c.id order by c.id`,
    [bricking],
  )
  for (const { name, state: end, canary, total, upgraded } of bricks) {
    judge({
      what: `${name}: bricks of ${whole(upgraded)} begun`,
      figure: `${total}, of them ${canary} in the canary; ${end}`,
      isMet: total <= 2 * Math.max(1, canary),
      goal: '<= twice the canary',
    })
  }
} catch (error) {
  say(`the run broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  process.exitCode = 1
} finally {
  // The last that was started ends first; one that does not end well hides no other.
  for (const stop of stops.toReversed()) {
    try {
      await stop()
    } catch (error) {
      say(`a part did not end well: ${String(error)}`)
    }
  }
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Asks every half second, and gives up after a bound. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now()
  while (!(await isDone())) {
    if (performance.now() - startedAt > longestMs) {
      say('it takes too long')
      return
    }
    await pause(500)
  }
}
