import pg from 'pg'
import { operatorLevels } from '@saddle/contract/constants.ts'
import { deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { permissionCodes } from '@saddle/contract/permissions.ts'
import { createAudit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createIdentity } from '#identity/public.ts'
import { outboxFile, readOutbox } from '#identity/sms/outbox.ts'
import { createLocalBus } from '#kit/bus.ts'
import { systemClock } from '#kit/clock.ts'
import { loadConfig } from '#kit/config.ts'
import { createKeyring } from '#kit/crypto.ts'
import { openDatabase } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { silentLog } from '#kit/log.ts'
import { secureRandom } from '#kit/random.ts'
import { createOrganisation } from '#organisation/public.ts'
import { createRiders } from '#rider/public.ts'
import { addApp } from '#riding/apps/store.ts'
import { createDeviceSecrets } from '#telemetry/gateway/secrets.ts'
import { createClient, type TestClient } from '#test/client.ts'
import { testPriceRules } from '#test/rides.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Vehicle } from './vehicles.ts'

export const agentId = 3
export const areaId = 31
const talkersOfProtocol = 2
const commandedCount = 3
const riddenCount = 3
const riderCount = 3_000
const ticketCount = 12_000
const staffPhone = '13900000001'
/** A ride costs the cent that was added to the wallet before it, wherever it ends. */
const rules = {
  ...testPriceRules,
  freeSeconds: 0,
  startCents: 1,
  outOfPlaceCents: 0,
  outsideAreaCents: 0,
  noStopCents: 0,
  noStopReturnAllowed: true,
}
export const place = { lat: 31.26, lng: 120.72 }

export type World = Awaited<ReturnType<typeof seedWorld>>

/** A company with staff, riders, the key of their application, and vehicles: some report, some are commanded, some ridden. */
export async function seedWorld({ url, secret, folder }: Record<'url' | 'secret' | 'folder', string>) {
  const db = openDatabase({ url, log: silentLog, appConnections: 1, systemConnections: 2 })
  const secrets = createKeyring({ secret })
  const kit: Kit = {
    config: loadConfig({ DATA_DIR: folder }),
    log: silentLog,
    bus: createLocalBus({ log: silentLog }),
    random: secureRandom,
    db,
    clock: systemClock,
    secrets,
  }
  const audit = createAudit(kit)
  const fleet = createFleet(kit, { audit })
  await addCompany(url)
  const serverKey = await addStaff(kit)
  const add = (protocol: DeviceProtocol, count: number, from: number): Promise<Vehicle[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, n): Promise<Vehicle> => {
        const serial = String(from + n).padStart(6, '0')
        const [imei, number] = [`861234567${serial}`, `SD${serial}`]
        const row = { agentId, areaId, number, imei, model: 'SD-E2', protocol, position: place }
        const [vehicleId = 0] = await db.system((tx) => fleet.vehicles.register(tx, [row]))
        return { protocol, imei, vehicleId, number }
      }),
    )
  const talking = (
    await Promise.all(deviceProtocols.map((protocol, at) => add(protocol, talkersOfProtocol, at * 100)))
  ).flat()
  const [commanded, ridden] = [await add('mqtt', commandedCount, 1_000), await add('mqtt', riddenCount, 2_000)]
  await withOwner(url, (owner) => owner.query(`update device set registration_open_until = now() + interval '1 day'`))
  const phonesFrom = (stem: string, count: number): string[] =>
    Array.from({ length: count }, (_, n) => `${stem}${String(n).padStart(7, '0')}`)
  const phones = phonesFrom('1380', riderCount)
  const ids = await db.system((tx) =>
    createRiders(kit).ensure(
      tx,
      phones.map((phone) => ({ agentId, phone, name: '骑行者' })),
    ),
  )
  const ticketPhones = phonesFrom('1390', ticketCount)
  await db.system((tx) =>
    createRiders(kit).ensure(
      tx,
      ticketPhones.map((phone) => ({ agentId, phone, name: '骑行者' })),
    ),
  )
  const key = await db.system((tx) => addApp(kit, tx, { agentId, name: 'faults' }))
  return {
    db,
    fleet,
    talking,
    commanded,
    ridden,
    ticketPhones,
    riders: phones.map((phone, n) => ({ phone, id: ids[n] ?? 0 })),
    key,
    secrets: createDeviceSecrets(secrets),
    logIn: (address: string) => logIn({ address, serverKey, folder }),
  }
}

async function addCompany(url: string): Promise<void> {
  await withOwner(url, async (owner) => {
    await owner.query(
      `insert into agent (id, parent_id, company) values (2, null, '总部'), (${agentId}, 2, '城北出行')`,
    )
    await owner.query(
      `insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
       values (${areaId}, ${agentId}, '城北', 31.3, 120.6, '[[120,31],[121,31],[121,32],[120,31]]')`,
    )
    await owner.query(
      `insert into price_version (agent_id, area_id, name, rules, valid_from, created_at, author_name)
       values (${agentId}, ${areaId}, '首版', $1, 'epoch', 'epoch', '平台')`,
      [JSON.stringify(rules)],
    )
  })
}

/** Somebody with every permission of the company; returns the public key that a login needs. */
async function addStaff(kit: Kit): Promise<string> {
  const identity = await createIdentity(kit, { audit: createAudit(kit) })
  const codes = permissionCodes.filter((code) => code !== 'all')
  await kit.db.system(async (tx) => {
    const roleId = await createOrganisation(kit).addRole(tx, { agentId, name: '主管', codes })
    await identity.createOperator(tx, {
      agentId,
      phone: staffPhone,
      name: '周可',
      level: operatorLevels.operator,
      roleId,
    })
    // Without it the codes of the finance pages are dropped.
    await createFinance(kit).saveAccount(tx, {
      agentId,
      status: 2,
      accountLevel: 2,
      authStatus: 1,
      accountType: 'company',
      customerName: '城北出行',
      name: '城北出行',
    })
  })
  return identity.serverKey
}

async function logIn(options: { address: string; serverKey: string; folder: string }): Promise<TestClient> {
  const { address, serverKey, folder } = options
  const client = createClient({ url: address })
  const readCode = async (phone: string): Promise<string> => {
    for (;;) {
      const lines = await readOutbox(outboxFile(folder)).catch(() => [])
      const found = lines.findLast((line) => line.phone === phone)
      if (found !== undefined) return found.code
      await sleep(50)
    }
  }
  await client.login({ phone: staffPhone, serverKey, readCode })
  return client
}

/** As the owner of the database, over a connection that nothing cuts. */
export async function withOwner<T>(url: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: url })
  owner.on('error', () => {})
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end().catch(() => {})
  }
}
