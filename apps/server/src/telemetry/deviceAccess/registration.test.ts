import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { registrationSchema, type RegistrationForm } from '@saddle/contract/fleet/registration.ts'
import { unknownDeviceStates, type unknownDeviceEndpoints } from '@saddle/contract/fleet/unknownDevices.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { eventually, openLine, seedField, signIn, startField, type Field } from '#telemetry/field.fixture.ts'
import { sessionCall, TEST_START_MS } from '#test/kit.ts'
import { testDatabase } from '#test/database.ts'
import { connectPacket, openMqtt } from '../gateway/mqtt/mqtt.fixture.ts'
import { createRegistrationHandlers } from './registration.ts'
import { createUnknownDeviceHandlers } from './unknownDevices.ts'

const { db, owner } = await testDatabase()
let site: Field
let handlers: ReturnType<typeof createRegistrationHandlers>
let unknown: ReturnType<typeof createUnknownDeviceHandlers>
const ends: (() => void)[] = []

beforeAll(async () => {
  await seedField(owner)
  site = await startField(db, { DEVICE_HOST: 'devices.example.com', MQTT_PORT: '0' })
  const parts = { kit: site.kit, fleet: site.fleet, audit: createAudit(site.kit) }
  handlers = createRegistrationHandlers(parts)
  unknown = createUnknownDeviceHandlers(parts)
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
afterAll(() => site.gateway.close())

const who = { operatorId: 7, agentId: 3, name: '周可', permissions: ['0308', '030801', '030802'] }
const north = sessionCall({ ...who, grant: { agentIds: [3], areaIds: [31, 32] } })
const south = sessionCall({ ...who, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })
const platform = sessionCall({ ...who, agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [31, 32, 41] } })

let serial = 0
/** Fourteen digits and the one that checks them. */
function imeiOf(stem: string): string {
  const sum = stem.split('').reduce((total, digit, index) => {
    const weighed = index % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return `${stem}${(10 - (sum % 10)) % 10}`
}
let imei = ''
beforeEach(() => {
  serial += 1
  imei = imeiOf(`3520990017${String(serial).padStart(4, '0')}`)
})
const form = (changes: Partial<RegistrationForm> = {}): RegistrationForm =>
  registrationSchema.parse({
    number: `DV${String(serial).padStart(4, '0')}`,
    imei,
    protocol: 'mqtt',
    model: 'SD-E2',
    areaId: 31,
    ...changes,
  })
const register = async (changes: Partial<RegistrationForm> = {}) =>
  (await handlers.registerVehicle(form(changes), north)).data
const recordsOf = (subjectId: string) =>
  owner.selectFrom('audit_record').selectAll().where('subject_id', '=', subjectId).orderBy('id').execute()

async function knock(password = ''): Promise<number> {
  const line = await openMqtt({ port: site.gateway.ports.mqtt })
  ends.push(line.end)
  line.send(connectPacket({ imei, password }))
  const answer = await line.next()
  return answer.cmd === 'connack' ? (answer.returnCode ?? 0) : -1
}

describe('a registration', () => {
  it('adds the vehicle, says what its device must be told, and lets it in', async () => {
    const access = await register({ plate: ' 苏e 12345 ' })
    expect(access).toMatchObject({
      imei,
      plate: '苏E12345',
      protocol: 'mqtt',
      company: '城北出行',
      areaName: '城北',
      host: 'devices.example.com',
      userName: imei,
      clientId: imei,
      hasSecret: true,
      secretChanges: 0,
      registrationOpenUntil: null,
      heardAt: null,
    })
    expect(access.topics).toContain(`saddle/v1/${imei}/down/command`)
    expect(JSON.stringify(access)).not.toContain('secret"')
    const { data } = await handlers.showDeviceSecret({ vehicleId: access.vehicleId }, north)
    expect(await knock(data.secret)).toBe(0)
    expect((await recordsOf(String(access.vehicleId))).map(({ action, operator_id: by }) => [action, by])).toEqual([
      ['onboard.register', 7],
      ['onboard.show_secret', 7],
    ])
    expect(JSON.stringify(await recordsOf(String(access.vehicleId)))).not.toContain(data.secret)
  })

  it('says clearly what another vehicle has already, whoever has it', async () => {
    const first = await register({ protocol: 'jt808', terminalNumber: '013800000001', plate: '苏E00001' })
    const second = form({ number: 'DVOTHER', imei: imeiOf('35209900180001') })
    const tries = [
      [{ number: first.number }, 'vehicle_number_taken'],
      [{ imei }, 'imei_taken'],
      [{ protocol: 'jt808', terminalNumber: '013800000001' }, 'terminal_number_taken'],
      [{ plate: '苏E00001' }, 'plate_taken'],
    ] as const
    for (const [changes, code] of tries) {
      await expect(handlers.registerVehicle({ ...second, areaId: 41, ...changes }, south)).rejects.toMatchObject({
        code,
      })
    }
    expect(await owner.selectFrom('vehicle').select('id').where('number', '=', 'DVOTHER').execute()).toEqual([])
  })

  it('refuses what cannot be: a slip in the IMEI, a terminal number without a terminal, a foreign area', async () => {
    const slip = `${imei.slice(0, 14)}${(Number(imei[14]) + 1) % 10}`
    await expect(register({ imei: slip })).rejects.toMatchObject({ code: 'imei_check_digit' })
    await expect(register({ terminalNumber: '013800000009' })).rejects.toMatchObject({ code: 'terminal_number_unfit' })
    await expect(register({ areaId: 41 })).rejects.toMatchObject({ code: 'not_found' })
    expect(() => form({ number: 'a b' })).toThrow('车辆编号')
    expect(() => form({ imei: '12' })).toThrow('IMEI')
    expect((await register({ imei: slip, isImeiUnchecked: true })).imei).toBe(slip)
  })

  it('is taken back as long as the device has never spoken, and by nobody else', async () => {
    const { vehicleId, number } = await register()
    const reason = '登记错误'
    await expect(handlers.unregisterVehicle({ vehicleId, reason }, south)).rejects.toMatchObject({
      code: 'vehicle_not_found',
    })
    expect((await handlers.unregisterVehicle({ vehicleId, reason }, north)).data).toEqual({ number })
    expect(await owner.selectFrom('vehicle_event').select('id').where('vehicle_id', '=', vehicleId).execute()).toEqual(
      [],
    )
    expect((await recordsOf(String(vehicleId))).at(-1)).toMatchObject({
      action: 'onboard.unregister',
      after: { reason },
    })
    expect((await register()).number).toBe(number)
  })

  it('stays when the device has spoken, with its events', async () => {
    const { vehicleId } = await register({ protocol: 'omni' })
    const line = await openLine({ port: site.gateway.ports.omni, imei })
    ends.push(line.end)
    line.say(signIn)
    await eventually(async () => {
      const { data } = await handlers.deviceAccess({ vehicleId }, north)
      expect(data.heardAt).not.toBeNull()
    })
    await expect(handlers.unregisterVehicle({ vehicleId, reason: '错' }, north)).rejects.toMatchObject({
      code: 'vehicle_in_service',
    })
    expect(
      await owner.selectFrom('vehicle_event').select('id').where('vehicle_id', '=', vehicleId).execute(),
    ).toHaveLength(1)
    await expect(handlers.showDeviceSecret({ vehicleId }, north)).rejects.toMatchObject({
      code: 'device_without_secret',
    })
  })
})

describe('the secret of one device', () => {
  it('is changed alone: the old one is worth nothing at once and the line is closed', async () => {
    const { vehicleId } = await register()
    const secret = async () => (await handlers.showDeviceSecret({ vehicleId }, north)).data.secret
    const old = await secret()
    const line = await openMqtt({ port: site.gateway.ports.mqtt, version: 5 })
    line.send(connectPacket({ imei, password: old, version: 5 }))
    expect(await line.next()).toMatchObject({ cmd: 'connack', reasonCode: 0 })
    const { data } = await handlers.changeDeviceSecret({ vehicleId, reason: '密码外泄' }, north)
    expect(data).toMatchObject({ secretChanges: 1, registrationOpenUntil: null })
    expect(await line.next()).toMatchObject({ cmd: 'disconnect', reasonCode: 0x87 })
    await line.closed
    expect(await secret()).not.toBe(old)
    expect(await knock(old)).toBe(4)
    expect(await knock(await secret())).toBe(0)
    const change = (await recordsOf(String(vehicleId))).find(({ action }) => action === 'onboard.change_secret')
    expect(change).toMatchObject({ before: { secretChanges: 0 }, after: { secretChanges: 1, reason: '密码外泄' } })
  })

  it('of a terminal goes with its registration, and it may register for half an hour', async () => {
    const { vehicleId } = await register({ protocol: 'jt808' })
    await owner
      .updateTable('device')
      .set({ terminal_mark: 'x'.repeat(32) })
      .where('vehicle_id', '=', vehicleId)
      .execute()
    expect((await handlers.deviceAccess({ vehicleId }, north)).data.isClaimed).toBe(true)
    const { data } = await handlers.changeDeviceSecret({ vehicleId, reason: '更换终端' }, north)
    expect(data).toMatchObject({
      isClaimed: false,
      secretChanges: 1,
      registrationOpenUntil: TEST_START_MS + 30 * minuteMs,
    })
    const open = async (minutes: number) =>
      (await handlers.openRegistration({ vehicleId, minutes }, north)).data.registrationOpenUntil
    expect(await open(5)).toBe(TEST_START_MS + 5 * minuteMs)
    expect(await open(0)).toBeNull()
    expect((await recordsOf(String(vehicleId))).map(({ action }) => action)).toEqual([
      'onboard.register',
      'onboard.release',
      'onboard.open_registration',
      'onboard.close_registration',
    ])
  })

  it('is nobody else’s to see or to change', async () => {
    const { vehicleId } = await register()
    const refused = { code: 'vehicle_not_found' }
    await expect(handlers.deviceAccess({ vehicleId }, south)).rejects.toMatchObject(refused)
    await expect(handlers.showDeviceSecret({ vehicleId }, south)).rejects.toMatchObject(refused)
    await expect(handlers.changeDeviceSecret({ vehicleId, reason: '试' }, south)).rejects.toMatchObject(refused)
    await expect(handlers.openRegistration({ vehicleId, minutes: 1 }, south)).rejects.toMatchObject(refused)
    await expect(handlers.openRegistration({ vehicleId, minutes: 1 }, north)).rejects.toMatchObject({
      code: 'device_not_terminal',
    })
  })
})

describe('a device that nobody registered', () => {
  type Filter = InputOf<typeof unknownDeviceEndpoints.listUnknownDevices>['filter']
  const usual = { sort: 'lastSeen', pageSize: 50 } as const
  const list = async (call = platform, filter: Filter = {}) =>
    (await unknown.listUnknownDevices({ ...usual, filter: { keyword: imei, ...filter } }, call)).data
  const counts = async () => {
    const entries = unknownDeviceStates.map(async (state) => [
      state,
      (await list(platform, { states: [state] })).count ?? 0,
    ])
    return Object.fromEntries(await Promise.all(entries)) as Record<(typeof unknownDeviceStates)[number], number>
  }
  const called = async () => {
    expect(await knock()).toBe(5)
    await eventually(async () => expect((await list()).list).toHaveLength(1))
  }

  it('is shown to the platform alone, with what it did', async () => {
    await called()
    const { list: rows } = await list()
    expect(rows).toMatchObject([
      { name: imei, protocol: 'mqtt', reason: 'unknown', tries: 1, address: '127.0.0.1', state: 'open', vehicle: null },
    ])
    expect(await counts()).toEqual({ open: 1, refused: 0, accepted: 0 })
    expect((await list(platform, { protocols: ['omni'] })).list).toEqual([])
    expect((await list(platform, { states: ['refused'] })).list).toEqual([])
    expect((await list(north)).list).toEqual([])
    await expect(unknown.refuseUnknownDevice({ name: imei, reason: '试' }, north)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('is accepted into a company, may come in, and can be undone until then', async () => {
    await called()
    const registration = form()
    const other = form({ imei: imeiOf('35209900190001') })
    await expect(unknown.acceptUnknownDevice({ name: imei, registration: other }, platform)).rejects.toMatchObject({
      code: 'unknown_device_other',
    })
    const { data } = await unknown.acceptUnknownDevice({ name: imei, registration }, platform)
    expect(data).toMatchObject({ imei, company: '城北出行' })
    expect((await list(north)).list).toMatchObject([{ state: 'accepted', vehicle: { number: registration.number } }])
    await expect(unknown.acceptUnknownDevice({ name: imei, registration }, platform)).rejects.toMatchObject({
      code: 'unknown_device_decided',
    })
    const { data: again } = await unknown.reopenUnknownDevice({ name: imei }, platform)
    expect(again).toMatchObject({ state: 'open', vehicle: null, decidedBy: null })
    expect(await knock()).toBe(5)
  })

  it('is refused with a reason, cannot be registered by anybody, and can be let go again', async () => {
    await called()
    const { data } = await unknown.refuseUnknownDevice({ name: imei, reason: '不是我们的车' }, platform)
    expect(data).toMatchObject({ state: 'refused', decidedBy: '周可', note: '不是我们的车' })
    await expect(register()).rejects.toMatchObject({
      message: '该设备已被拒绝：不是我们的车。请先在“未知设备”中撤销拒绝',
    })
    expect(await recordsOf(imei)).toMatchObject([
      { action: 'onboard.refuse', subject_kind: 'unknown_device', after: { reason: '不是我们的车', tries: 1 } },
    ])
    await unknown.reopenUnknownDevice({ name: imei }, platform)
    expect((await recordsOf(imei)).at(-1)).toMatchObject({ action: 'onboard.reopen' })
    await register()
    // Registered meanwhile: nobody has to decide any more.
    expect(await counts()).toEqual({ open: 0, refused: 0, accepted: 1 })
  })

  it('is its owner’s to look at when it is registered and shows a wrong password', async () => {
    const { vehicleId, number } = await register()
    expect(await knock('wrong')).toBe(4)
    await eventually(async () => expect((await list(north)).list).toHaveLength(1))
    expect((await list(north)).list).toMatchObject([{ reason: 'secret', vehicle: { id: vehicleId, number } }])
    const refusals = async () =>
      (await recordsOf(String(vehicleId))).filter(({ action }) => action === 'onboard.sign_in_refused')
    const after = { heldFor: 'secret', protocol: 'mqtt', tries: 1 }
    expect(await refusals()).toMatchObject([{ operator_id: null, address: '127.0.0.1', after }])
    site.kit.clock.advance(minuteMs)
    expect(await knock('wrong')).toBe(4)
    await eventually(async () => expect((await list(north)).list).toMatchObject([{ tries: 2 }]))
    expect(await refusals(), 'once an hour').toHaveLength(1)
    site.kit.clock.advance(hourMs)
    expect(await knock('wrong')).toBe(4)
    await eventually(async () => expect(await refusals()).toHaveLength(2))
    expect((await list(south)).list).toEqual([])
    await expect(unknown.acceptUnknownDevice({ name: imei, registration: form() }, north)).rejects.toMatchObject({
      code: 'unknown_device_registered',
    })
  })

  it('goes on from page to page', async () => {
    for (const last of ['1', '2', '3']) {
      imei = `99000000000000${last}`
      expect(await knock()).toBe(5)
      site.kit.clock.advance(1_000)
    }
    const filter = { keyword: '99000000000000' }
    const page = async (cursor?: string) =>
      (
        await unknown.listUnknownDevices(
          { ...usual, filter, pageSize: 2, ...(cursor !== undefined && { cursor }) },
          platform,
        )
      ).data
    await eventually(async () => expect((await page()).count).toBe(3))
    const first = await page()
    const second = await page(first.nextCursor ?? '')
    expect([...first.list, ...second.list].map(({ name }) => name.slice(-1))).toEqual(['3', '2', '1'])
    expect(second.nextCursor).toBeNull()
    await expect(page('bm90IG91cnM')).rejects.toMatchObject({ code: 'bad_request' })
  })
})
