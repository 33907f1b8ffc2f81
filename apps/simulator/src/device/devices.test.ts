import {
  createJt808Splitter,
  decodeJt808,
  encodeJt808ToDevice,
  jt808BikeControl,
  jt808DownIds,
  jt808Profiles,
  readJt808Packet,
  toReports as jt808Reports,
  type Jt808CommandBody,
  type Jt808Message,
} from '@saddle/device-protocols/jt808/codec.ts'
import { decodeMqtt, encodeMqttToDevice, toReports as mqttReports } from '@saddle/device-protocols/mqtt/codec.ts'
import { generate, parser, type Packet } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { createRandom } from '#sim/random.ts'
import type { Device } from './device.ts'
import { createJt808Device } from './jt808-device.ts'
import { createMqttDevice } from './mqtt-device.ts'
import { keptReportsMax } from './reporter.ts'
import type { VehicleBody } from './vehicle-body.ts'

const startMs = Date.UTC(2026, 10, 21)
const imei = '867584031000018'
const bodyOf = (): VehicleBody => ({
  lat: 31.26,
  lng: 120.72,
  speedKmh: 0,
  locked: true,
  batteryPercent: 80,
  odometerM: 12_300,
  signal: 24,
  openSinceMs: null,
})

describe('a JT/T 808 terminal', () => {
  /** The platform's end of the line. */
  function platform(own: { code?: string; hasExtension?: boolean } = {}) {
    const body = bodyOf()
    const device = createJt808Device({ imei, plate: 'SD100001', body, random: createRandom(1), startMs, ...own })
    const splitter = createJt808Splitter()
    const heard = (): Jt808Message[] =>
      device
        .take(100)
        .flatMap((frame) =>
          splitter.push(frame as Uint8Array).map((content) => decodeJt808(readJt808Packet(Buffer.from(content)))),
        )
    let serial = 0
    const tell = (command: Jt808CommandBody, nowMs = startMs) => {
      const head = { headerVersion: 2019, protocolVersion: 1, deviceId: `00000${imei}`, serial: serial++ } as const
      for (const frame of encodeJt808ToDevice({ ...head, ...command })) device.receive(frame, nowMs)
      return head.serial
    }
    const ok = (message: Jt808Message, id: number) =>
      tell({ message: 'generalAnswer', answeredSerial: message.serial, answeredId: id, result: 0 })
    return { device, body, heard, tell, ok }
  }
  function signedIn() {
    const made = platform()
    made.device.connected(startMs)
    const [register] = made.heard()
    expect(register).toMatchObject({ message: 'register', plate: 'SD100001', deviceId: `00000${imei}` })
    made.tell({ message: 'registerAnswer', answeredSerial: register!.serial, result: 0, code: 'abc' })
    const [authenticate] = made.heard()
    expect(authenticate).toMatchObject({ message: 'authenticate', code: 'abc', imei })
    made.ok(authenticate!, 0x0102)
    return made
  }

  it('registers once, shows its code, says where it is, and shows the code alone the next time', () => {
    const { device, heard, ok } = signedIn()
    const [position] = heard()
    expect(position).toMatchObject({
      message: 'position',
      lat: 31.26,
      lng: 120.72,
      bike: { batteryPercent: 80, locked: true },
    })
    expect(jt808Reports(position!)[0]).toMatchObject({ batteryPercent: 80, locked: true, occurredAt: startMs })
    ok(position!, 0x0200)
    device.disconnected()
    device.connected(startMs)
    expect(heard()).toMatchObject([{ message: 'authenticate', code: 'abc' }])
  })

  it('shows a code from before, and registers only when that is refused', () => {
    const { device, heard, tell } = platform({ code: 'kept' })
    device.connected(startMs)
    const [authenticate] = heard()
    expect(authenticate).toMatchObject({ message: 'authenticate', code: 'kept' })
    tell({ message: 'generalAnswer', answeredSerial: authenticate!.serial, answeredId: 0x0102, result: 1 })
    device.disconnected()
    device.connected(startMs)
    expect(heard()).toMatchObject([{ message: 'register' }])
  })

  it('without the extension it obeys vehicle control alone, and says how its doors are', () => {
    const { device, body, heard, tell, ok } = platform({ code: 'kept', hasExtension: false })
    device.connected(startMs)
    ok(heard()[0]!, 0x0102)
    expect(heard()[0]).not.toHaveProperty('bike')
    tell({ message: 'control', command: jt808BikeControl.unlock })
    expect(heard()).toMatchObject([{ message: 'generalAnswer', result: 3 }])
    const serial = tell({ message: 'vehicleControl', controls: [{ type: 1, value: 1 }] })
    const [, told] = heard()
    expect(told).toMatchObject({ message: 'vehicleControlAnswer', answeredSerial: serial })
    expect(jt808Reports(told!, jt808Profiles.doorsAsLock)[0]).toMatchObject({ locked: false })
    expect(body.locked).toBe(false)
  })

  it('is unlocked and locked, but not while it is ridden, and answers what it cannot do', () => {
    const { body, tell, heard } = signedIn()
    heard()
    tell({ message: 'control', command: jt808BikeControl.unlock })
    expect(heard()).toMatchObject([{ message: 'generalAnswer', result: 0, answeredId: jt808DownIds.control }])
    expect(body.locked).toBe(false)
    body.speedKmh = 15
    tell({ message: 'control', command: jt808BikeControl.lock })
    expect(heard()).toMatchObject([{ result: 1 }])
    body.speedKmh = 0
    tell({ message: 'control', command: jt808BikeControl.lock })
    expect(body.locked).toBe(true)
    heard()
    tell({ message: 'control', command: 99 })
    expect(heard()).toMatchObject([{ result: 3 }])
  })

  it('says where it is when it is asked, and that its lock has turned without being asked', () => {
    const { device, tell, heard, ok } = signedIn()
    for (const message of heard()) ok(message, 0x0200)
    const serial = tell({ message: 'queryPosition' })
    expect(heard()).toMatchObject([{ message: 'positionAnswer', answeredSerial: serial, position: { lat: 31.26 } }])
    tell({ message: 'control', command: jt808BikeControl.unlock })
    heard()
    device.tick(startMs + 200)
    const told = heard().filter(({ message }) => message !== 'heartbeat')
    expect(told).toMatchObject([{ message: 'position', bike: { locked: false } }])
  })

  it('keeps what was not acknowledged, and sends it again in batches', () => {
    const { device, heard } = signedIn()
    expect(heard()).toHaveLength(1)
    device.disconnected()
    for (let at = 1; at <= keptReportsMax + 30; at++) device.report(startMs + at * 1000)
    device.connected(startMs)
    const [authenticate] = heard()
    device.receive(
      encodeJt808ToDevice({
        headerVersion: 2019,
        protocolVersion: 1,
        deviceId: `00000${imei}`,
        serial: 9,
        message: 'generalAnswer',
        answeredSerial: authenticate!.serial,
        answeredId: 0x0102,
        result: 0,
      })[0]!,
      startMs,
    )
    const stored = heard().flatMap((message) => jt808Reports(message))
    expect(stored.length).toBeGreaterThan(90)
    expect(stored[0]!.occurredAt).toBeGreaterThan(startMs + 25_000)
    expect(stored.map(({ occurredAt }) => occurredAt)).toEqual(stored.map(({ occurredAt }) => occurredAt).toSorted())
  })
})

describe('an MQTT device', () => {
  function platform(version: 4 | 5 = 4) {
    const body = bodyOf()
    const device: Device = createMqttDevice({
      imei,
      password: 'secret',
      model: 'SD-E2',
      version,
      body,
      random: createRandom(1),
      startMs,
    })
    const reader = parser({ protocolVersion: version })
    const packets: Packet[] = []
    reader.on('packet', (packet) => packets.push(packet))
    const heard = () => {
      for (const chunk of device.take(100)) reader.parse(chunk as Buffer)
      return packets.splice(0)
    }
    const tell = (packet: Packet, nowMs = startMs) =>
      device.receive(generate(packet, { protocolVersion: version }), nowMs)
    const messages = (list: Packet[]) =>
      list.flatMap((packet) =>
        packet.cmd === 'publish' ? [decodeMqtt({ topic: packet.topic, payload: packet.payload as Buffer })] : [],
      )
    return { device, body, heard, tell, messages }
  }
  const enter = (version: 4 | 5) => {
    const made = platform(version)
    made.device.connected(startMs)
    const [connect] = made.heard()
    made.tell(
      version === 5
        ? { cmd: 'connack', reasonCode: 0, sessionPresent: false }
        : { cmd: 'connack', returnCode: 0, sessionPresent: false },
    )
    return { ...made, connect }
  }
  const command = (id: string, word: string, expiresAt = startMs + 30_000) => {
    const { topic, payload } = encodeMqttToDevice({
      deviceId: imei,
      message: 'command',
      id,
      at: startMs,
      expiresAt,
      command: word,
    })
    return { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false, messageId: 7 } as const
  }

  it.each([4, 5] as const)('signs in by version %i with its password and will, subscribes, and reports', (version) => {
    const { connect, heard, messages } = enter(version)
    expect(connect).toMatchObject({
      cmd: 'connect',
      clientId: imei,
      username: imei,
      clean: false,
      protocolVersion: version,
    })
    if (connect?.cmd !== 'connect') throw new Error('no connect')
    expect(connect.password!.toString()).toBe('secret')
    expect(connect.will).toMatchObject({ topic: `saddle/v1/${imei}/up/offline`, qos: 1 })
    const said = heard()
    expect(said[0]).toMatchObject({ cmd: 'subscribe' })
    const [hello, report] = messages(said)
    expect(hello).toMatchObject({ message: 'hello', model: 'SD-E2' })
    expect(mqttReports(report!)[0]).toMatchObject({ batteryPercent: 80, locked: true, position: { lat: 31.26 } })
  })

  it('carries a command out once, and not after its time', () => {
    const { body, heard, tell, messages } = enter(4)
    heard()
    tell(command('a', 'unlock'))
    const answered = heard()
    expect(answered).toContainEqual(expect.objectContaining({ cmd: 'puback', messageId: 7 }))
    expect(messages(answered)).toMatchObject([{ message: 'ack', id: 'a', state: 'done' }])
    expect(body.locked).toBe(false)
    body.locked = true
    tell(command('a', 'unlock'))
    expect(messages(heard())).toMatchObject([{ id: 'a', state: 'done' }])
    expect(body.locked).toBe(true)
    tell(command('b', 'unlock', startMs - 1))
    expect(messages(heard())).toMatchObject([{ id: 'b', state: 'failed', reason: 'expired' }])
    tell(command('c', 'dance'))
    expect(messages(heard())).toMatchObject([{ id: 'c', state: 'failed', reason: 'unsupported' }])
  })

  it('sends again what was not acknowledged, and nothing twice that was', () => {
    const { device, heard, tell, messages } = enter(4)
    const first = heard().filter((packet) => packet.cmd === 'publish')
    const report = first.at(-1)
    device.alarm('fall', startMs + 1000)
    const alarm = messages(heard())
    expect(mqttReports(alarm[0]!)[0]).toMatchObject({ alarms: ['fall'] })
    if (report?.cmd !== 'publish') throw new Error('no report')
    tell({ cmd: 'puback', messageId: report.messageId! })
    device.disconnected()
    device.connected(startMs + 5000)
    heard()
    tell({ cmd: 'connack', returnCode: 0, sessionPresent: true }, startMs + 5000)
    const again = messages(heard()).flatMap((message) => (message.message === 'report' ? mqttReports(message) : []))
    expect(again.map(({ occurredAt }) => occurredAt)).toEqual([startMs + 1000, startMs + 5000])
  })

  it('follows its configuration, and stays away when it is told to switch off', () => {
    const { device, heard, tell, messages } = enter(4)
    heard()
    const config = encodeMqttToDevice({ deviceId: imei, message: 'config', config: { version: 3, reportIdleS: 30 } })
    tell({ cmd: 'publish', ...config, dup: false, messageId: 8 })
    heard()
    device.tick(startMs + 1000)
    expect(messages(heard())).toHaveLength(1)
    device.tick(startMs + 20_000)
    expect(messages(heard())).toHaveLength(0)
    device.tick(startMs + 31_500)
    expect(messages(heard())).toHaveLength(1)
    expect(device.takeLeave()).toBeNull()
    tell(command('d', 'power_off'))
    expect(device.takeLeave()).toBeGreaterThan(0)
    expect(device.takeLeave()).toBeNull()
  })
})
