import type { KeyObject } from 'node:crypto'
import {
  createJt808Splitter,
  decodeJt808Command,
  encodeJt808ToPlatform,
  jt808BikeControl,
  jt808Control,
  jt808DownIds,
  jt808ParameterIds,
  jt808Result,
  jt808Status,
  jt808UpgradeResult,
  readJt808Packet,
  readJt808Upgrade,
  type Jt808BikeItem,
  type Jt808Body,
  type Jt808Command,
  type Jt808CommandOf,
  type Jt808Packet,
  type Jt808Position,
  type Jt808Splitter,
} from '@saddle/device-protocols/jt808/codec.ts'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import type { DeviceAlarm } from '@saddle/device-protocols/report.ts'
import type { Random } from '#sim/random.ts'
import { demoTiming, restartMs, switchedOffMs, type Device, type DeviceTiming } from './device.ts'
import { createFlasher, type Flasher } from './flasher.ts'
import { createReporter, type Reporter, type QueuedReport } from './reporter.ts'
import { noTroubles, type Troubles } from './troubles.ts'
import { obeyLock, type VehicleBody } from './vehicle-body.ts'

/** Alarms that the standard has a bit for. */
const alarmBit: { readonly [alarm in DeviceAlarm]?: number } = {
  low_battery: 7,
  power_cut: 8,
  illegal_movement: 28,
  fall: 30,
  tamper: 31,
}
const batchMax = 20
const messagesPerTake = 6

/** Alarms whose bit stays set until their reason has gone, as the standard has it. */
const lasting: readonly DeviceAlarm[] = ['fall', 'power_cut']

function positionOf(
  report: QueuedReport,
  { held, hasExtension }: Pick<Terminal, 'held' | 'hasExtension'>,
): Jt808Position {
  const status = (report.fix ? jt808Status.located : 0) | (report.locked ? jt808Status.doorsLocked : jt808Status.acc)
  const bits = [...held.union(new Set(report.alarms))].reduce((sum, alarm) => {
    const bit = alarmBit[alarm]
    return bit === undefined ? sum : sum + 2 ** bit
  }, 0)
  return {
    alarmBits: bits,
    statusBits: status,
    lat: report.lat,
    lng: report.lng,
    altitudeM: 4,
    speedKmh: report.speedKmh,
    headingDeg: report.headingDeg,
    timeUtc: report.atMs,
    odometerM: report.odometerM,
    signal: report.signal,
    satellites: report.satellites,
    ...(hasExtension ? { bike: bikeOf(report) } : {}),
  }
}

const bikeOf = ({ batteryPercent, voltageV, locked }: QueuedReport): Jt808BikeItem => ({
  batteryPercent,
  voltageV,
  locked,
  charging: false,
  compartmentOpen: false,
})

type Terminal = {
  readonly imei: string
  readonly plate: string
  readonly body: VehicleBody
  readonly troubles: Troubles
  readonly flasher: Flasher
  readonly reporter: Reporter
  readonly held: Set<DeviceAlarm>
  /** Uses the platform's extension; without it only the standard, in which the doors stand for the lock. */
  readonly hasExtension: boolean
  readonly head: { readonly headerVersion: 2019; readonly protocolVersion: number; readonly deviceId: string }
  splitter: Jt808Splitter
  serial: number
  /** From the platform, with the registration. */
  code: string | null
  stage: 'off' | 'knocking' | 'in'
  out: Uint8Array[]
  leave: number | null
  authSerial: number
  /** The beginning of the image whose parts arrive. */
  upgradeMark: string
}

function send(t: Terminal, message: Jt808Body): number {
  const own = t.serial
  const frames = encodeJt808ToPlatform({ ...t.head, serial: own, ...message })
  t.serial = (t.serial + frames.length) % 65_536
  t.out.push(...frames)
  return own
}

const maker = { manufacturer: 'SADDLE', model: 'SD-T808' } as const

function knock(t: Terminal): void {
  if (t.code !== null) {
    t.authSerial = send(t, { message: 'authenticate', code: t.code, imei: t.imei, firmware: t.flasher.version })
    return
  }
  const words = { ...maker, terminalId: t.imei.slice(-7), plate: t.plate }
  send(t, { message: 'register', layout: 2019, provinceId: 32, cityId: 500, plateColour: 0, ...words })
}

/** What a terminal says of itself; its card has no number. */
const attributes = {
  ...maker,
  manufacturer: maker.manufacturer.slice(0, 5),
  terminalType: 0,
  iccid: '0'.repeat(20),
  hardware: '1.0',
  satelliteSystems: 3,
  networks: 0,
} as const

function answer(t: Terminal, command: Jt808Command, result: number): void {
  const answeredId = command.message === 'unknown' ? command.messageId : jt808DownIds[command.message]
  send(t, { message: 'generalAnswer', answeredSerial: command.serial, answeredId, result })
}

function turn({ body, troubles }: Terminal, lock: boolean, nowMs: number): number {
  const outcome = obeyLock({ body, lock, troubles, nowMs })
  return outcome === 'done' ? jt808Result.success : jt808Result.failed
}

const doors = 1

/** Vehicle control as the standard has it: a general answer first, then how the vehicle is after it. */
function controlVehicle(t: Terminal, command: Jt808CommandOf<'vehicleControl'>, nowMs: number): void {
  const door = 'flags' in command ? undefined : command.controls.find(({ type }) => type === doors)
  if (door === undefined) return answer(t, command, jt808Result.unsupported)
  answer(t, command, turn(t, door.value === 0, nowMs))
  t.reporter.say(nowMs)
  const [group] = t.reporter.take(1, 1)
  const report = group?.[0]
  if (report === undefined) return undefined
  send(t, { message: 'vehicleControlAnswer', answeredSerial: command.serial, position: positionOf(report, t) })
  return undefined
}

function control(t: Terminal, command: Jt808CommandOf<'control'>, nowMs: number): number {
  if (command.command >= jt808BikeControl.unlock && !t.hasExtension) return jt808Result.unsupported
  switch (command.command) {
    case jt808BikeControl.unlock:
    case jt808BikeControl.lock:
      return turn(t, command.command === jt808BikeControl.lock, nowMs)
    case jt808Control.powerOff:
      t.leave = switchedOffMs
      return jt808Result.success
    case jt808Control.restart:
      t.leave = restartMs
      return jt808Result.success
    case jt808BikeControl.ring:
    case jt808BikeControl.openCompartment:
      return jt808Result.success
  }
  return jt808Result.unsupported
}
/** The platform has accepted or rejected it, or has stored its reports. */
function onAnswered(t: Terminal, { answeredSerial, result }: Jt808CommandOf<'generalAnswer'>, nowMs: number): void {
  t.reporter.acknowledged(answeredSerial)
  if (answeredSerial !== t.authSerial || t.stage !== 'knocking') return
  if (result === jt808Result.success) {
    t.stage = 'in'
    t.reporter.say(nowMs)
  } else {
    t.code = null
    t.leave = restartMs
  }
}

function obey(t: Terminal, command: Jt808Command, nowMs: number): void {
  switch (command.message) {
    case 'registerAnswer':
      t.code = command.result === 0 ? (command.code ?? null) : null
      if (t.code === null) t.leave = restartMs
      else knock(t)
      return
    case 'generalAnswer':
      return onAnswered(t, command, nowMs)
    case 'vehicleControl':
      return controlVehicle(t, command, nowMs)
    case 'control':
      return answer(t, command, control(t, command, nowMs))
    case 'queryPosition': {
      t.reporter.say(nowMs)
      const [group] = t.reporter.take(1, 1)
      const report = group?.[0]
      if (report)
        send(t, { message: 'positionAnswer', answeredSerial: command.serial, position: positionOf(report, t) })
      return
    }
    case 'setParameters': {
      for (const parameter of command.parameters) {
        if (!('number' in parameter)) continue
        if (parameter.id === jt808ParameterIds.reportS) t.reporter.setTiming({ trackingMs: parameter.number * 1000 })
        if (parameter.id === jt808ParameterIds.heartbeatS)
          t.reporter.setTiming({ heartbeatMs: parameter.number * 1000 })
      }
      return answer(t, command, jt808Result.success)
    }
    case 'text':
      return answer(t, command, jt808Result.success)
    case 'queryAttributes':
      send(t, { message: 'attributes', ...attributes, terminalId: t.imei.slice(-7), firmware: t.flasher.version })
      return
    case 'queryParameters':
    case 'passthrough':
    case 'unknown':
      return answer(t, command, jt808Result.unsupported)
    // The platform has not requested it.
    case 'serverTime':
      return undefined
  }
}

/** What a terminal runs that was never upgraded. */
const terminalFirmware = 'SD-808-2.4'
/** Missing parts that one request names. */
const requestedMax = 32

/** Stores a part of an upgrade and answers it; asks for parts that were left out, and installs when all are there. */
function takePart(t: Terminal, packet: Jt808Packet): void {
  const { total, index } = packet.part ?? { total: 1, index: 1 }
  const { flasher } = t
  // The first part says which image it is; the others follow it, over as many lines as it takes.
  const begins = index === 1 ? packet.body.subarray(0, 40).toString('hex') : t.upgradeMark
  t.upgradeMark = begins
  flasher.begin({ mark: begins, total })
  const isRead = flasher.put(index - 1, packet.body)
  const result = isRead ? jt808Result.success : jt808Result.failed
  send(t, { message: 'generalAnswer', answeredSerial: packet.serial, answeredId: packet.messageId, result })
  if (!isRead) return
  const gaps = flasher.gapsBefore(index - 1)
  if (gaps.length > 0) {
    const firstSerial = (packet.serial - index + 1) & 0xffff
    send(t, { message: 'packetRequest', firstSerial, parts: gaps.slice(0, requestedMax).map((gap) => gap + 1) })
    return
  }
  const whole = flasher.whole()
  if (whole === null) return
  const { type, data } = readJt808Upgrade(t.head.headerVersion, whole)
  const outcome = flasher.installSigned(data)
  send(t, {
    message: 'upgradeResult',
    type,
    result: outcome === 'done' ? jt808UpgradeResult.done : jt808UpgradeResult.failed,
  })
}

function sendGroup(t: Terminal, group: QueuedReport[]): void {
  const [only, ...more] = group
  if (!only) return
  const positions = group.map((report) => positionOf(report, t))
  const key =
    more.length === 0
      ? send(t, { message: 'position', ...positionOf(only, t) })
      : send(t, { message: 'positionBatch', blindArea: true, positions })
  t.reporter.sent(key, group)
}

type Jt808DeviceOptions = {
  imei: string
  /** The vehicle's printed number. */
  plate: string
  /** From an earlier registration. */
  code?: string | null
  hasExtension?: boolean
  body: VehicleBody
  random: Random
  timing?: DeviceTiming
  startMs: number
  firmware?: string | undefined
  artefactKey?: KeyObject | null | undefined
}

/** A JT/T 808 terminal of 2019 without its socket. It registers unless it has a code, authenticates with the code, and keeps
 * reports until they are acknowledged. */
export function createJt808Device({
  imei,
  plate,
  code = null,
  hasExtension = true,
  body,
  random,
  timing = demoTiming,
  startMs,
  firmware = terminalFirmware,
  artefactKey = null,
}: Jt808DeviceOptions): Device {
  const troubles = noTroubles()
  const flasher = createFlasher({ version: firmware, key: artefactKey, body, troubles, random })
  const t: Terminal = {
    imei,
    plate,
    body,
    troubles,
    flasher,
    reporter: createReporter({ body, troubles, random, timing, startMs }),
    held: new Set(),
    head: { headerVersion: 2019, protocolVersion: 1, deviceId: imei.padStart(20, '0') },
    splitter: createJt808Splitter(),
    serial: 0,
    code,
    hasExtension,
    stage: 'off',
    out: [],
    leave: null,
    authSerial: -1,
    upgradeMark: '',
  }
  return {
    imei,
    body,
    troubles,
    flasher,
    alarm(name, nowMs) {
      if (lasting.includes(name)) t.held.add(name)
      for (const alarm of lasting) if (name === `${alarm}_cleared`) t.held.delete(alarm)
      t.reporter.say(nowMs, [name])
    },
    report: (nowMs) => t.reporter.say(nowMs),
    connected() {
      flasher.started()
      t.splitter = createJt808Splitter()
      t.out = []
      t.stage = 'knocking'
      knock(t)
    },
    disconnected() {
      t.stage = 'off'
      t.out = []
      t.reporter.again()
    },
    receive(chunk, nowMs) {
      for (const content of t.splitter.push(chunk)) {
        try {
          const packet = readJt808Packet(content)
          if (packet.messageId === jt808DownIds.upgrade) takePart(t, packet)
          else obey(t, decodeJt808Command(packet), nowMs)
        } catch (error) {
          // A real device does not answer what it does not understand.
          if (!(error instanceof ProtocolError)) throw error
        }
      }
    },
    tick(nowMs) {
      if (t.reporter.tick(nowMs) && t.stage === 'in') send(t, { message: 'heartbeat' })
    },
    take(limit) {
      if (t.stage === 'in') for (const group of t.reporter.take(messagesPerTake, batchMax)) sendGroup(t, group)
      return t.out.splice(0, limit)
    },
    takeLeave() {
      const asked = t.leave
      t.leave = null
      return t.flasher.takeLeave() ?? asked
    },
  }
}
