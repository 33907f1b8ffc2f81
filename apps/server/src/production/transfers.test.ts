import { sql } from 'kysely'
import { afterAll, afterEach, expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { crc16 } from '@saddle/device-protocols/crc16.ts'
import { openSigned } from '@saddle/device-protocols/image.ts'
import type { OmniCommandBody } from '@saddle/device-protocols/omni/codec.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall } from '#test/kit.ts'
import { signArtefact, testArtefactKey, testArtefactKeys, testImage, testUpload } from '#test/upgrades.ts'
import {
  eventually,
  heartbeat,
  northScope,
  openLine,
  seedField,
  signIn,
  startField,
  type Line,
} from '#telemetry/field.fixture.ts'

const { db, owner } = await testDatabase()
await seedField(owner)
const site = await startField(db, testArtefactKeys)
const { handlers, work } = site.production
const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['0601'] })
const lines: Line[] = []

afterEach(async () => {
  for (const line of lines.splice(0)) line.end()
  await sql`update upgrade_campaign set state = 'stopped', paused_by = null, finished_at = now() where state in ('ready', 'running', 'paused')`.execute(
    owner,
  )
  await sql`update upgrade_action set state = 'cancelled', deadline_at = null, finished_at = now()
    where state in ('scheduled', 'downloading', 'downloaded', 'installing')`.execute(owner)
})
afterAll(() => site.gateway.close())

const action = (vehicleId: number) =>
  owner
    .selectFrom('upgrade_action')
    .selectAll()
    .where('vehicle_id', '=', vehicleId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
const stateOf = async (vehicleId: number): Promise<string> =>
  (await owner.selectFrom('vehicle').select('state').where('id', '=', vehicleId).executeTakeFirstOrThrow()).state

let lastVersion = 200
/** A vehicle on its line, known to be locked, and a running campaign for it. */
async function campaignFor({ minBattery = 40, bytes = 2_000 }: { minBattery?: number; bytes?: number } = {}) {
  const vehicle = await site.addVehicle()
  const device = await online(vehicle)
  const version = String((lastVersion += 1))
  const { data: artefact } = await handlers.uploadArtefact(
    testUpload({ agentId: 3, version, protocol: 'omni', bytes }),
    operator,
  )
  const terms = { ...defaults, minBattery }
  const { data: campaign } = await handlers.createUpgradeCampaign(
    { agentId: 3, artefactId: artefact.id, name: version, areaIds: [], terms },
    operator,
  )
  await sql`update upgrade_action set group_no = 0 where campaign_id = ${campaign.id}`.execute(owner)
  await sql`delete from upgrade_action where campaign_id = ${campaign.id} and vehicle_id <> ${vehicle.id}`.execute(
    owner,
  )
  await handlers.startUpgradeCampaign({ id: campaign.id }, operator)
  return { vehicle, device, version, campaignId: campaign.id, artefactId: artefact.id }
}
const defaults = {
  successPercent: 95,
  errorPercent: 5,
  silentMax: 1,
  watchHours: 0,
  unlockFailurePoints: 100,
  offlinePoints: 100,
  batteryPoints: 100,
  minBattery: 40,
  minSignal: 10,
  nightOnly: false,
}

async function online({ id, imei }: { id: number; imei: string }): Promise<Line> {
  const device = await openLine({ port: site.gateway.ports.omni, imei })
  lines.push(device)
  device.say(signIn, heartbeat(true))
  await eventually(async () => {
    const { locked } = await owner
      .selectFrom('vehicle_status')
      .select('locked')
      .where('vehicle_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(locked).toBe(true)
  })
  return device
}

type Of<I extends OmniCommandBody['instruction']> = Extract<OmniCommandBody, { instruction: I }>
async function heard<I extends 'U0' | 'U1' | 'G0'>(device: Line, instruction: I): Promise<Of<I>> {
  for (;;) {
    const frame = await device.next()
    if (frame.instruction === instruction) return frame as Of<I>
  }
}

/** Pulls packages from `from` on, up to `until`. */
async function pull(device: Line, from: number, until: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let packet = from; packet < until; packet += 1) {
    device.say({ instruction: 'U1', packet, deviceType: '8A' })
    const sent = await heard(device, 'U1')
    const bytes = Buffer.from(sent.hex, 'hex')
    expect({ packet: sent.packet, crc16: sent.crc16 }).toEqual({ packet, crc16: crc16(bytes) })
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

it('a device pulls an image, a broken line goes on at its package, and the new version ends it', async () => {
  const { vehicle, device, version, campaignId } = await campaignFor()
  await work()
  const announced = await heard(device, 'U0')
  expect(await stateOf(vehicle.id)).toBe('non_operational')
  const begin = await pull(device, 0, 5)
  device.end()
  await device.closed
  const again = await online(vehicle)
  expect(await heard(again, 'U0')).toMatchObject({ crc16: announced.crc16, packages: announced.packages })
  expect(await action(vehicle.id)).toMatchObject({ state: 'downloading', package: 4, resumes: 1 })
  const rest = await pull(again, 5, announced.packages)
  const whole = Buffer.concat([begin, rest])
  expect(crc16(whole)).toBe(announced.crc16)
  expect(openSigned(testArtefactKey, whole)?.equals(testImage({ version, protocol: 'omni' }))).toBe(true)
  again.say({ instruction: 'U2', deviceType: '8A', result: 0 })
  await eventually(async () => expect((await action(vehicle.id)).state).toBe('installing'))
  again.end()
  await again.closed
  const restarted = await online(vehicle)
  await heard(restarted, 'G0')
  restarted.say({ instruction: 'G0', firmware: version })
  await eventually(async () =>
    expect(await action(vehicle.id)).toMatchObject({
      state: 'finished',
      resumes: 1,
      repeats: 0,
      package: announced.packages,
    }),
  )
  expect(await stateOf(vehicle.id)).toBe('available')
  for (let turn = 0; turn < 4; turn += 1) await work()
  const { data } = await handlers.listUpgradeCampaigns(
    { filter: { id: campaignId }, sort: 'created', pageSize: 20 },
    operator,
  )
  expect(data.list[0]).toMatchObject({ state: 'finished', finished: 1, total: 1 })
  const steps = await handlers.upgradeLog({ id: (await action(vehicle.id)).id }, operator)
  expect(steps.data.list.map(({ step }) => step)).toEqual(['begun', 'resumed', 'downloaded', 'installing', 'finished'])
})

it('silence after the restart is a failure that pauses the campaign, and the vehicle stays off hire', async () => {
  const { vehicle, device, campaignId } = await campaignFor({ bytes: 300 })
  await work()
  const { packages } = await heard(device, 'U0')
  await pull(device, 0, packages)
  device.say({ instruction: 'U2', deviceType: '8A', result: 0 })
  await eventually(async () => expect((await action(vehicle.id)).state).toBe('installing'))
  device.end()
  site.kit.clock.advance(11 * minuteMs)
  await work()
  expect(await action(vehicle.id)).toMatchObject({ state: 'error', failure: 'silent' })
  const { data } = await handlers.listUpgradeCampaigns(
    { filter: { id: campaignId }, sort: 'created', pageSize: 20 },
    operator,
  )
  expect(data.list[0]).toMatchObject({ state: 'paused', gate: 'silent' })
  expect(['non_operational', 'non_contactable']).toContain(await stateOf(vehicle.id))
})

it('bytes that were changed behind the upload never leave the server', async () => {
  const { vehicle, device, artefactId } = await campaignFor()
  const other = testImage({ version: '999', protocol: 'omni' })
  await sql`update device_artefact_content set content = ${other} where artefact_id = ${artefactId}`.execute(owner)
  await work()
  await eventually(async () => expect(await action(vehicle.id)).toMatchObject({ state: 'error', failure: 'unsigned' }))
  expect(device.received.some(({ instruction }) => instruction === 'U0' || instruction === 'U1')).toBe(false)
  expect(await stateOf(vehicle.id)).toBe('available')
})

it('an upload needs a known signature, the format of its kind and a header that says the same', async () => {
  const good = testUpload({ agentId: 3, version: '1.0', protocol: 'mqtt' })
  const foreign = { ...good, signature: Buffer.alloc(64, 7).toString('base64') }
  await expect(handlers.uploadArtefact(foreign, operator)).rejects.toMatchObject({ code: 'artefact_unsigned' })
  await expect(handlers.uploadArtefact({ ...good, version: '1.1' }, operator)).rejects.toMatchObject({
    code: 'artefact_header',
  })
  await expect(handlers.uploadArtefact({ ...good, kind: 'voice' }, operator)).rejects.toMatchObject({
    code: 'artefact_format',
  })
  const text = Buffer.from('<html></html>')
  const page = { ...good, base64: text.toString('base64'), signature: signArtefact(text).toString('base64') }
  await expect(handlers.uploadArtefact(page, operator)).rejects.toMatchObject({ code: 'artefact_format' })
  await expect(handlers.uploadArtefact({ ...good, agentId: 4 }, operator)).rejects.toMatchObject({
    code: 'foreign_scope',
  })
})

it('waits while the vehicle is taken, moves or has a low battery, and says why', async () => {
  const { vehicle } = await campaignFor({ minBattery: 90 })
  await work()
  await eventually(async () =>
    expect(await action(vehicle.id)).toMatchObject({ state: 'scheduled', waits_for: 'low_battery' }),
  )
  await sql`update upgrade_campaign set terms = jsonb_set(terms, '{minBattery}', '40') where state = 'running'`.execute(
    owner,
  )
  await sql`update vehicle_status set locked = false where vehicle_id = ${vehicle.id}`.execute(owner)
  await work()
  await eventually(async () =>
    expect(await action(vehicle.id)).toMatchObject({ state: 'scheduled', waits_for: 'not_locked' }),
  )
  await sql`update vehicle set state = 'on_trip' where id = ${vehicle.id}`.execute(owner)
  await work()
  await eventually(async () =>
    expect(await action(vehicle.id)).toMatchObject({ state: 'scheduled', waits_for: 'not_available' }),
  )
})

const ride = (vehicle: { id: number; number: string }) => sql`
  insert into ride_order (agent_id, area_id, vehicle_id, vehicle_number, rider_id, app_id, state, placed_at, changed_at)
  values (3, 31, ${vehicle.id}, ${vehicle.number}, ${vehicle.id}, 1, 'unlocking', date_trunc('milliseconds', now()), now())`

it('of a ride and an upgrade that begin at the same moment one has the vehicle', async () => {
  await sql`insert into rider_app (id, agent_id, name, key_hash, created_at) overriding system value values (1, 3, 'app', 'hash', now())
    on conflict do nothing`.execute(owner)
  for (let turn = 0; turn < 12; turn += 1) {
    const { vehicle } = await campaignFor({ bytes: 100 })
    await sql`insert into rider (id, agent_id, phone_sealed, phone_hash, created_at, last_active_at) overriding system value
      values (${vehicle.id}, 3, 'sealed', ${`hash ${vehicle.id}`}, now(), now())`.execute(owner)
    const riding = db
      .system((tx) => ride(vehicle).execute(tx))
      .then(
        () => true,
        (error: { code?: string }) => {
          expect(error.code).toBe('23505')
          return false
        },
      )
    const [isRidden, taken] = await Promise.all([riding, site.production.transfers.take(vehicle.id, () => 1)])
    expect(isRidden).toBe(taken === null)
    expect((await action(vehicle.id)).state).toBe(isRidden ? 'scheduled' : 'downloading')
    for (const line of lines.splice(0)) line.end()
    await sql`update upgrade_campaign set state = 'stopped', finished_at = now() where state = 'running'`.execute(owner)
    await sql`update upgrade_action set state = 'cancelled', deadline_at = null, finished_at = now() where finished_at is null`.execute(
      owner,
    )
  }
})

it('a stop gives vehicles back whose download is under way, and nothing more is sent', async () => {
  const { vehicle, device, campaignId } = await campaignFor()
  await work()
  await heard(device, 'U0')
  await pull(device, 0, 2)
  const { data } = await handlers.stopUpgradeCampaign({ id: campaignId, reason: 'test' }, operator)
  expect(data.cancelled).toBe(1)
  expect(await stateOf(vehicle.id)).toBe('available')
  const before = device.received.length
  device.say({ instruction: 'U1', packet: 2, deviceType: '8A' })
  device.say({ instruction: 'D0', trigger: 0, timeUtc: null, located: false })
  await site.gateway.tick()
  expect(device.received.slice(before).some(({ instruction }) => instruction === 'U1')).toBe(false)
})

it('the address of an artefact is for one upgrade, for an hour, and cannot be made up', async () => {
  const { vehicle, artefactId } = await campaignFor()
  const { transfers, files } = site.production
  transfers.addresses.servedAt('http://platform.test')
  const own = await action(vehicle.id)
  const address = transfers.addresses.make(own.id, artefactId)
  const token = address?.url.split('/').at(-1) ?? ''
  expect(await files.read(token, { from: 0, to: 99 }), 'not begun').toBeNull()
  await work()
  await eventually(async () => expect((await action(vehicle.id)).state).toBe('downloading'))
  expect((await files.read(token, { from: 0, to: 99 }))?.bytes).toHaveLength(100)
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`
  expect(await files.read(forged, { from: 0, to: 99 })).toBeNull()
  site.kit.clock.advance(61 * minuteMs)
  expect(await files.read(token, { from: 0, to: 99 })).toBeNull()
})
