import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { registerArtefacts } from '#app/artefactFiles.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { crc16 } from '@saddle/device-protocols/crc16.ts'
import { isSignedBy, openSigned } from '@saddle/device-protocols/image.ts'
import {
  jt808UpgradeResult,
  jt808UpgradeType,
  readJt808Upgrade,
  type Jt808Packet,
} from '@saddle/device-protocols/jt808/codec.ts'
import { toldOf } from '#test/toldOf.ts'
import { signArtefact, testArtefactKey, testImage, testUpload } from '#test/upgrades.ts'
import { eventually, field } from '#telemetry/field.fixture.ts'
import {
  answerPart,
  modern,
  openTerminal,
  partsFor,
  position,
  signInTerminal,
} from '#telemetry/gateway/jt808/jt808.fixture.ts'
import { selectDue } from './upgrades/store.ts'
import { bytesOf, fetchRange, manifestFor, mqttOnline, sayMqtt } from './mqttUpgrade.fixture.ts'
import { heard, openTerms, pull, transfersFixture } from './transfers.fixture.ts'

const {
  owner,
  db,
  site,
  handlers,
  work,
  operator,
  ends,
  action,
  stateOf,
  becomesLocked,
  campaignOf,
  campaignFor,
  online,
} = await transfersFixture()

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
  expect(await toldOf(owner, `upgrade ${campaignId}`)).toEqual(['upgrade_finished'])
  const steps = await handlers.upgradeLog({ id: (await action(vehicle.id)).id }, operator)
  expect(steps.data.list.map(({ step }) => step)).toEqual(['begun', 'resumed', 'downloaded', 'installing', 'finished'])
})

it('a terminal goes on at the part that it did not answer, and of the parts before it is sent those alone that it lacks', async () => {
  const vehicle = await site.addVehicle(field.north, { protocol: 'jt808' })
  const open = async () => {
    const line = await openTerminal({ port: site.gateway.ports.jt808, head: modern(vehicle.imei) })
    ends.push(() => line.socket.destroy())
    return line
  }
  const line = await open()
  const code = await signInTerminal(line, vehicle.number)
  line.say({ message: 'position', ...position(site.kit.clock.now()) })
  await becomesLocked(vehicle.id)
  const { version } = await campaignOf(vehicle, { protocol: 'jt808', bytes: 5_000 })
  await work()
  const early = partsFor(line)
  const first = await early()
  expect(first.part).toEqual({ total: 6, index: 1 })
  answerPart(line, first)
  expect((await early()).part.index).toBe(2)
  line.socket.destroy()
  await line.closed

  const again = await open()
  again.say({ message: 'authenticate', code, imei: '', firmware: 'V1.2' })
  const next = partsFor(again)
  const bodies = new Map([[1, first.body]])
  const order: number[] = []
  const takes = async (): Promise<Jt808Packet> => {
    const packet = await next()
    order.push(packet.part.index)
    bodies.set(packet.part.index, packet.body)
    return packet
  }
  const lacks = (...parts: number[]) => again.say({ message: 'packetRequest', firstSerial: 0, parts })
  answerPart(again, await takes())
  answerPart(again, await takes())
  const fourth = await takes()
  lacks(3, 2, 3, 99)
  answerPart(again, fourth)
  answerPart(again, await takes())
  answerPart(again, await takes())
  answerPart(again, await takes())
  lacks(1)
  answerPart(again, await takes())
  answerPart(again, await takes())
  expect(order).toEqual([2, 3, 4, 2, 3, 5, 6, 1])
  expect(await action(vehicle.id)).toMatchObject({ state: 'downloading', resumes: 1, repeats: 4 })
  const whole = Buffer.concat([1, 2, 3, 4, 5, 6].map((index) => bodies.get(index) ?? Buffer.alloc(0)))
  const image = readJt808Upgrade(2019, whole)
  expect(image).toMatchObject({ type: jt808UpgradeType.terminal, version })
  expect(openSigned(testArtefactKey, image.data)?.equals(testImage({ version, protocol: 'jt808', bytes: 5_000 }))).toBe(
    true,
  )
  again.say({ message: 'upgradeResult', type: jt808UpgradeType.terminal, result: jt808UpgradeResult.done })
  await eventually(async () => expect((await action(vehicle.id)).state).toBe('installing'))
  again.socket.destroy()
  await again.closed
  const restarted = await open()
  restarted.say({ message: 'authenticate', code, imei: '', firmware: version })
  await eventually(async () => expect((await action(vehicle.id)).state).toBe('finished'))
})

it('a device of our own scheme fetches ranges by its manifest, goes on behind the last one, and finds digest and signature right', async () => {
  const http = Fastify()
  registerArtefacts(http, site.production)
  site.production.transfers.addresses.servedAt(await http.listen({ port: 0, host: '127.0.0.1' }))
  ends.push(() => http.close())
  const vehicle = await site.addVehicle(field.north, { protocol: 'mqtt' })
  const open = async (firmware: string) => {
    const { kit, gateway } = site
    const { imei } = vehicle
    const becomes = () => becomesLocked(vehicle.id)
    const device = await mqttOnline({ kit, port: gateway.ports.mqtt, imei, firmware, becomesLocked: becomes })
    ends.push(device.end)
    return device
  }
  const line = await open('3.2.1')
  const { version } = await campaignOf(vehicle, { protocol: 'mqtt', bytes: 40_000 })
  await work()
  const { url, size } = await manifestFor(line)
  const begin = await fetchRange(url, '0-16383')
  expect(begin.headers.get('content-range')).toBe(`bytes 0-16383/${size}`)
  const parts = [await bytesOf(begin)]
  line.end()
  await line.closed

  const again = await open('3.2.1')
  const manifest = await manifestFor(again)
  parts.push(await bytesOf(await fetchRange(manifest.url, '16384-32767')))
  parts.push(await bytesOf(await fetchRange(manifest.url, '32768-49151')))
  const whole = Buffer.concat(parts)
  expect(createHash('sha256').update(whole).digest('hex')).toBe(manifest.sha256)
  expect(whole.equals(testImage({ version, protocol: 'mqtt', bytes: 40_000 }))).toBe(true)
  expect(isSignedBy(testArtefactKey, whole, Buffer.from(manifest.signature, 'base64'))).toBe(true)
  expect(await action(vehicle.id)).toMatchObject({
    state: 'downloading',
    package: 2,
    packages: 3,
    resumes: 1,
    repeats: 0,
  })
  expect((await fetchRange(manifest.url, `${size}-`)).status).toBe(416)
  expect((await fetchRange(manifest.url, '9-3')).status).toBe(416)
  const at = site.kit.clock.now()
  sayMqtt(again, 9, { deviceId: vehicle.imei, message: 'ack', id: manifest.id, at, state: 'done' })
  await eventually(async () => expect((await action(vehicle.id)).state).toBe('installing'))
  expect((await fetchRange(manifest.url, '0-99')).status).not.toBe(206)
  again.end()
  await again.closed
  await open(version)
  await eventually(async () => expect((await action(vehicle.id)).state).toBe('finished'))
})

it('the devices of a campaign are listed from its canary on', async () => {
  for (let vehicles = 0; vehicles < 10; vehicles += 1) await site.addVehicle(field.north)
  const { data: artefact } = await handlers.uploadArtefact(
    testUpload({ agentId: 3, version: '190', protocol: 'omni', bytes: 300 }),
    operator,
  )
  const campaign = { agentId: 3, artefactId: artefact.id, name: '190', areaIds: [], terms: openTerms }
  const { data } = await handlers.createUpgradeCampaign(campaign, operator)
  const page = { filter: { campaignId: data.id }, sort: 'queued', pageSize: 100 } as const
  const groups = (await handlers.listUpgradeActions(page, operator)).data.list.map(({ groupNo }) => groupNo)
  expect(new Set(groups)).toEqual(new Set([0, 1, 2, 3]))
  expect(groups).toEqual(groups.toSorted((left, right) => left - right))
})

it('devices that cannot begin keep no others from being asked', async () => {
  for (let vehicles = 0; vehicles < 12; vehicles += 1) await site.addVehicle(field.north)
  const { data: artefact } = await handlers.uploadArtefact(
    testUpload({ agentId: 3, version: '191', protocol: 'omni', bytes: 300 }),
    operator,
  )
  const { data } = await handlers.createUpgradeCampaign(
    { agentId: 3, artefactId: artefact.id, name: '191', areaIds: [], terms: openTerms },
    operator,
  )
  const nowMs = site.kit.clock.now()
  await sql`update vehicle_status set heard_at = ${new Date(nowMs)}, locked = true`.execute(owner)
  const due = (turn: number, limit: number) =>
    db.system((tx) => selectDue(tx, { campaignId: data.id, groupNo: 3, limit, nowMs: nowMs + turn }))
  const all = new Set(await due(0, 100))
  expect(all.size).toBeGreaterThanOrEqual(12)
  const seen = new Set<number>()
  for (let turn = 0; turn < 400 && seen.size < all.size; turn += 1) for (const id of await due(turn, 3)) seen.add(id)
  expect(seen).toEqual(all)
  const [free = 0] = all
  await sql`update upgrade_action set waits_for = 'low_battery' where campaign_id = ${data.id} and vehicle_id <> ${free}`.execute(
    owner,
  )
  for (let turn = 0; turn < 5; turn += 1) expect((await due(turn, 3))[0]).toBe(free)
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
  expect(await toldOf(owner, `upgrade ${campaignId}`)).toEqual(['upgrade_stopped'])
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
    for (const end of ends.splice(0)) await end()
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
