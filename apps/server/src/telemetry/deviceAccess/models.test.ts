import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { builtInProfiles, type ModelProfile } from '@saddle/contract/fleet/deviceProfiles.ts'
import { vehicleModelEndpoints, type VehicleModelFilter } from '@saddle/contract/fleet/models.ts'
import { createAudit } from '#audit/public.ts'
import { createOrganisation } from '#organisation/public.ts'
import { eventually, field, openLine, seedField, signIn, startField, type Field } from '#telemetry/field.fixture.ts'
import { sessionCall, TEST_START_MS } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { modern, openTerminal, signInTerminal, type Terminal } from '../gateway/jt808/jt808.fixture.ts'
import { createModelHandlers } from './models.ts'

const { db, owner } = await testDatabase()
let site: Field
let models: ReturnType<typeof createModelHandlers>

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db)
  const audit = createAudit(site.kit)
  models = createModelHandlers({ kit: site.kit, fleet: site.fleet, audit, organisation: createOrganisation(site.kit) })
})
afterAll(() => site.gateway.close())

const who = { operatorId: 7, agentId: 3, name: '周可', permissions: ['0308', '030803', '030101'] }
const north = sessionCall({ ...who, grant: { agentIds: [3], areaIds: [31, 32] } })
const south = sessionCall({ ...who, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })
const platform = sessionCall({ ...who, agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [31, 32, 41] } })

let serial = 0
let model = ''
beforeEach(() => {
  serial += 1
  model = `M${serial}`
})
async function addVehicle(
  protocol: 'jt808' | 'omni' = 'jt808',
  place: { agentId: number; areaId: number } = field.north,
) {
  const vehicle = await site.addVehicle(place, { protocol })
  await owner.updateTable('vehicle').set({ model }).where('id', '=', vehicle.id).execute()
  return vehicle
}
const list = async (call = platform, filter: VehicleModelFilter = {}) =>
  (await models.listVehicleModels({ filter: { keyword: model, ...filter }, sort: 'vehicles', pageSize: 50 }, call)).data
const setTo = async (profile: ModelProfile | null, version = 0, call = platform) =>
  (await models.setVehicleModel({ model, protocol: 'jt808', profile, version, reason: '新终端' }, call)).data
const lines = () => owner.selectFrom('audit_record').selectAll().where('subject_id', '=', model).orderBy('id').execute()

describe('the list of models', () => {
  it('counts the vehicles of the scope by model and protocol, with what their devices follow', async () => {
    await addVehicle()
    const other = await addVehicle()
    await owner.updateTable('device').set({ profile: 'doors' }).where('vehicle_id', '=', other.id).execute()
    await addVehicle('omni')
    await addVehicle('jt808', field.south)
    const none = { profile: null, version: 0, changedAt: null, changedBy: null, maySet: true }
    expect(await list()).toEqual({
      list: [
        { model, protocol: 'jt808', vehicles: 3, deviceProfiles: ['doors', 'standard'], ...none },
        { model, protocol: 'omni', vehicles: 1, deviceProfiles: ['standard'], ...none },
      ],
      nextCursor: null,
      count: 2,
      isCountCut: false,
    })
    expect(await list(south)).toMatchObject({ list: [{ protocol: 'jt808', vehicles: 1, maySet: false }] })
    expect((await list(platform, { protocols: ['omni'] })).list).toHaveLength(1)
  })

  it('says who set a profile to the platform alone', async () => {
    await addVehicle()
    await setTo(builtInProfiles.doors)
    const set = { profile: builtInProfiles.doors, version: 1, changedAt: TEST_START_MS }
    expect((await list()).list).toMatchObject([{ ...set, changedBy: '周可' }])
    expect((await list(north)).list).toMatchObject([{ ...set, changedBy: null }])
  })
})

describe('the profile of a model', () => {
  it('is set, changed and taken away again, with a line for each', async () => {
    await addVehicle()
    expect(await setTo(builtInProfiles.vehicle_control)).toMatchObject({ version: 1, changedBy: '周可', vehicles: 1 })
    expect(await setTo(builtInProfiles.standard, 1)).toMatchObject({ version: 2, profile: builtInProfiles.standard })
    expect(await setTo(null, 2)).toMatchObject({ version: 0, profile: null, changedBy: null })
    expect(await lines()).toMatchObject([
      {
        action: 'onboard.set_model',
        subject_kind: 'vehicle_model',
        agent_id: 2,
        before: null,
        after: {
          lockProfile: 'vehicle_control',
          unlockBy: '8500 00 / 0001=01',
          lockProof: 'control_answer',
          reason: '新终端',
        },
      },
      { before: { lockProfile: 'vehicle_control' }, after: { lockProfile: 'standard', unlockBy: '8105 F0' } },
      { before: { lockProfile: 'standard' }, after: { protocol: 'jt808', reason: '新终端' } },
    ])
  })

  it('is set by the platform’s people alone, whatever a company’s person may do', async () => {
    await addVehicle()
    await expect(setTo(builtInProfiles.doors, 0, north)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(setTo(builtInProfiles.doors, 0, south)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await list()).list).toMatchObject([{ version: 0 }])
    expect(await lines()).toEqual([])
    expect(vehicleModelEndpoints.setVehicleModel.permission).toEqual(['030803'])
  })

  it('is refused for a model that nobody has, another protocol, and where somebody was faster', async () => {
    await expect(setTo(builtInProfiles.doors)).rejects.toMatchObject({ code: 'not_found' })
    await addVehicle()
    await expect(setTo({ protocol: 'omni', dialect: 'early' })).rejects.toMatchObject({
      code: 'model_profile_protocol',
    })
    const both = await Promise.allSettled([setTo(builtInProfiles.doors), setTo(builtInProfiles.vehicle_control)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(setTo(builtInProfiles.standard, 0)).rejects.toMatchObject({ code: 'conflict' })
    expect(await lines()).toHaveLength(1)
  })

  it('of one protocol leaves that of another protocol of the same model alone', async () => {
    await addVehicle()
    await addVehicle('omni')
    await setTo(builtInProfiles.doors)
    const early = { protocol: 'omni', dialect: 'early' } as const
    await models.setVehicleModel({ model, protocol: 'omni', profile: early, version: 0, reason: 'r' }, platform)
    expect((await list()).list).toMatchObject([{ profile: builtInProfiles.doors }, { profile: early }])
  })

  it.each([
    [
      'a command word beyond a byte',
      { orders: { ...builtInProfiles.standard.orders, unlock: { by: 'terminal_control', command: 256 } } },
    ],
    ['no order for the lock', { orders: { ...builtInProfiles.standard.orders, lock: null } }],
    [
      'odd digits',
      { orders: { ...builtInProfiles.standard.orders, unlock: { by: 'passthrough', type: 1, hex: 'abc' } } },
    ],
    ['a proof that nobody knows', { proof: 'hope' }],
    ['a bit beyond the status word', { lockBit: { bit: 32, lockedWhenSet: true } }],
    ['a field that is no field', { orders: builtInProfiles.standard.orders, secret: 1 }],
  ])('is not taken with %s', (_, change) => {
    const input = { model, protocol: 'jt808', version: 0, reason: 'r' }
    const { input: schema } = vehicleModelEndpoints.setVehicleModel
    expect(schema.safeParse({ ...input, profile: builtInProfiles.standard }).success).toBe(true)
    expect(schema.safeParse({ ...input, profile: { ...builtInProfiles.standard, ...change } }).success).toBe(false)
    expect(schema.safeParse({ ...input, profile: builtInProfiles.standard, reason: '  ' }).success).toBe(false)
  })
})

describe('a device that is on its line', () => {
  async function nextOrder(line: Terminal) {
    for (;;) {
      const message = await line.next()
      if (message.message !== 'generalAnswer') return message
    }
  }
  const unlock = (vehicleId: number) =>
    site.fleet.handlers.lockVehicle({ vehicleId, kind: 'unlock', reason: '' }, north)

  it('is told the next command by the new profile, and by its own when the model has none again', async () => {
    const vehicle = await addVehicle()
    const own = builtInProfiles.standard.orders
    const byText = { by: 'text', flags: 1, text: 'OPEN#' } as const
    const line = await openTerminal({ port: site.gateway.ports.jt808, head: modern(vehicle.imei) })
    await signInTerminal(line, vehicle.number)
    await setTo({ ...builtInProfiles.standard, orders: { ...own, unlock: byText }, proof: 'answer' })
    await site.kit.bus.flush()
    await unlock(vehicle.id)
    const asked = await nextOrder(line)
    expect(asked).toMatchObject({ message: 'text', text: 'OPEN#' })
    line.say({ message: 'generalAnswer', answeredSerial: asked.serial, answeredId: 0x8300, result: 0 })
    await eventually(async () => {
      const [command] = await owner
        .selectFrom('vehicle_command')
        .selectAll()
        .where('vehicle_id', '=', vehicle.id)
        .execute()
      expect(command?.state).toBe('confirmed')
    })
    await setTo(null, 1)
    await site.kit.bus.flush()
    await unlock(vehicle.id)
    expect(await nextOrder(line)).toMatchObject({ message: 'control', command: 0xf0 })
  })

  it('keeps the proof that a command was sent with until that command has ended', async () => {
    const vehicle = await addVehicle()
    const line = await openTerminal({ port: site.gateway.ports.jt808, head: modern(vehicle.imei) })
    await signInTerminal(line, vehicle.number)
    await unlock(vehicle.id)
    const asked = await nextOrder(line)
    expect(asked).toMatchObject({ message: 'control', command: 0xf0 })
    await setTo({ ...builtInProfiles.standard, proof: 'answer' })
    await site.kit.bus.flush()
    line.say({ message: 'generalAnswer', answeredSerial: asked.serial, answeredId: 0x8105, result: 0 })
    await eventually(async () => {
      const [command] = await owner
        .selectFrom('vehicle_command')
        .selectAll()
        .where('vehicle_id', '=', vehicle.id)
        .execute()
      expect(command?.state).toBe('acknowledged')
    })
    await site.gateway.tick()
    const [after] = await owner
      .selectFrom('vehicle_command')
      .select('state')
      .where('vehicle_id', '=', vehicle.id)
      .execute()
    expect(after?.state).toBe('acknowledged')
  })

  it('of Omni is read by its new dialect at once', async () => {
    const vehicle = await addVehicle('omni')
    const line = await openLine({ port: site.gateway.ports.omni, imei: vehicle.imei })
    line.say(signIn)
    await eventually(async () => {
      const status = await owner
        .selectFrom('vehicle_status')
        .select('heard_at')
        .where('vehicle_id', '=', vehicle.id)
        .executeTakeFirstOrThrow()
      expect(status.heard_at).not.toBeNull()
    })
    const early = { protocol: 'omni', dialect: 'early' } as const
    await models.setVehicleModel({ model, protocol: 'omni', profile: early, version: 0, reason: 'r' }, platform)
    await site.kit.bus.flush()
    line.say({ instruction: 'W0', alarm: 3 })
    await eventually(async () => {
      const kinds = await owner
        .selectFrom('vehicle_alarm')
        .select('kind')
        .where('vehicle_id', '=', vehicle.id)
        .execute()
      expect(kinds).toMatchObject([{ kind: 'low_battery' }])
    })
    line.end()
  })
})
