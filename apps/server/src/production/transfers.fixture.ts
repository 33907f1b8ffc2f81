import { sql } from 'kysely'
import { afterAll, afterEach, expect } from 'vitest'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { crc16 } from '@saddle/device-protocols/crc16.ts'
import type { OmniCommandBody } from '@saddle/device-protocols/omni/codec.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall } from '#test/kit.ts'
import { testArtefactKeys, testUpload } from '#test/upgrades.ts'
import {
  eventually,
  field,
  heartbeat,
  northScope,
  openLine,
  seedField,
  signIn,
  startField,
  type Line,
} from '#telemetry/field.fixture.ts'

/** Terms that hold nothing back but a low battery and a weak signal. */
export const openTerms = {
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

export type Vehicle = { readonly id: number; readonly imei: string; readonly number: string }

type Of<I extends OmniCommandBody['instruction']> = Extract<OmniCommandBody, { instruction: I }>
/** The next frame of an instruction. */
export async function heard<I extends 'U0' | 'U1' | 'G0'>(device: Line, instruction: I): Promise<Of<I>> {
  for (;;) {
    const frame = await device.next()
    if (frame.instruction === instruction) return frame as Of<I>
  }
}

/** Pulls packages from `from` on, up to `until`. */
export async function pull(device: Line, from: number, until: number): Promise<Buffer> {
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

/** A gateway with campaigns; its lines, campaigns and upgrades end with each test. */
export async function transfersFixture() {
  const { db, owner } = await testDatabase()
  await seedField(owner)
  const site = await startField(db, testArtefactKeys)
  const { handlers, work } = site.production
  const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['0601'] })
  const ends: (() => unknown)[] = []

  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
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

  const becomesLocked = (vehicleId: number) =>
    eventually(async () => {
      const { locked } = await owner
        .selectFrom('vehicle_status')
        .select('locked')
        .where('vehicle_id', '=', vehicleId)
        .executeTakeFirstOrThrow()
      expect(locked).toBe(true)
    })

  let lastVersion = 200
  /** A running campaign for a vehicle alone, to a version of its own. */
  async function campaignOf(
    vehicle: Vehicle,
    {
      protocol = 'omni',
      minBattery = 40,
      bytes = 2_000,
    }: { protocol?: DeviceProtocol; minBattery?: number; bytes?: number } = {},
  ) {
    const version = String((lastVersion += 1))
    const { data: artefact } = await handlers.uploadArtefact(
      testUpload({ agentId: 3, version, protocol, bytes }),
      operator,
    )
    const terms = { ...openTerms, minBattery }
    const { data: campaign } = await handlers.createUpgradeCampaign(
      { agentId: 3, artefactId: artefact.id, name: version, areaIds: [], terms },
      operator,
    )
    await sql`update upgrade_action set group_no = 0 where campaign_id = ${campaign.id}`.execute(owner)
    await sql`delete from upgrade_action where campaign_id = ${campaign.id} and vehicle_id <> ${vehicle.id}`.execute(
      owner,
    )
    await handlers.startUpgradeCampaign({ id: campaign.id }, operator)
    return { version, campaignId: campaign.id, artefactId: artefact.id }
  }

  async function online({ id, imei }: Pick<Vehicle, 'id' | 'imei'>): Promise<Line> {
    const device = await openLine({ port: site.gateway.ports.omni, imei })
    ends.push(device.end)
    device.say(signIn, heartbeat(true))
    await becomesLocked(id)
    return device
  }

  /** A vehicle on its line, known to be locked, and a running campaign for it. */
  async function campaignFor(options: { minBattery?: number; bytes?: number } = {}) {
    const vehicle = await site.addVehicle(field.north)
    const device = await online(vehicle)
    return { vehicle, device, ...(await campaignOf(vehicle, options)) }
  }

  return {
    db,
    owner,
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
  }
}
