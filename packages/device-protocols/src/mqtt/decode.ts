import { ProtocolError } from '../error.ts'
import type { DevicePosition, DeviceReport } from '../report.ts'
import {
  mqttAckStates,
  mqttLimits,
  mqttOfflineReasons,
  type MqttMessage,
  type MqttMessageOf,
  type MqttReported,
} from './messages.ts'
import { parseMqttTopic } from './topics.ts'
import { readUsualMessage } from './usual.ts'
import {
  addField,
  asObject,
  countOf,
  flagOf,
  idOf,
  newBudget,
  oneOf,
  parsePayload,
  readingOf,
  restOf,
  textOf,
  timeOf,
  wordOf,
  type JsonObject,
  type ValueBudget,
} from './values.ts'

function alarmsOf(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > mqttLimits.alarms) {
    throw new ProtocolError(`alarms is not a list of at most ${mqttLimits.alarms}`)
  }
  return value.map((name) => wordOf('an alarm', name))
}

const placeNames = ['speedKmh', 'headingDeg', 'altitudeM', 'fix'] as const

function positionOf(object: JsonObject): DevicePosition | null {
  const { lat, lng, speedKmh, headingDeg, altitudeM, fix } = object
  if (lat === undefined && lng === undefined) {
    for (const name of placeNames) {
      if (object[name] !== undefined) throw new ProtocolError(`${name} without lat and lng`)
    }
    return null
  }
  const position: DevicePosition = {
    lat: readingOf('lat', lat),
    lng: readingOf('lng', lng),
    fix: fix === undefined ? true : flagOf('fix', fix),
  }
  if (Math.abs(position.lat) > 90) throw new ProtocolError('lat is out of range')
  if (Math.abs(position.lng) > 180) throw new ProtocolError('lng is out of range')
  if (speedKmh !== undefined) position.speedKmh = readingOf('speedKmh', speedKmh)
  if (headingDeg !== undefined) position.headingDeg = readingOf('headingDeg', headingDeg)
  if (altitudeM !== undefined) position.altitudeM = readingOf('altitudeM', altitudeM)
  return position
}

/** Reads one report in one walk over its names: this is the message that the fleet sends all day. */
function reportedOf(options: {
  deviceId: string
  object: JsonObject
  isEvent: boolean
  budget: ValueBudget
}): MqttReported {
  const { object, budget } = options
  const report: DeviceReport = { deviceId: options.deviceId, occurredAt: null, position: positionOf(object) }
  const reported: MqttReported = { report }
  for (const name of Object.keys(object)) {
    const value = object[name]
    switch (name) {
      case 'lat':
      case 'lng':
      case 'speedKmh':
      case 'headingDeg':
      case 'altitudeM':
      case 'fix':
        break
      case 'at':
        report.occurredAt = timeOf('at', value)
        break
      case 'seq':
        reported.seq = countOf('seq', value)
        break
      case 'batteryPercent':
      case 'voltageV':
      case 'signal':
      case 'odometerM':
        report[name] = readingOf(name, value)
        break
      case 'locked':
      case 'charging':
        report[name] = flagOf(name, value)
        break
      case 'alarms':
        report.alarms = alarmsOf(value)
        break
      case 'satellites':
        reported.satellites = countOf(name, value)
        break
      case 'compartmentOpen':
        reported.compartmentOpen = flagOf(name, value)
        break
      default:
        if (options.isEvent && name === 'event') break
        reported.fields = addField({ fields: reported.fields, name, value, budget })
    }
  }
  return reported
}

function reportsOf(deviceId: string, json: unknown): MqttReported[] {
  const budget = newBudget()
  if (!Array.isArray(json)) return [reportedOf({ deviceId, object: asObject(json), isEvent: false, budget })]
  if (json.length === 0 || json.length > mqttLimits.reports) {
    throw new ProtocolError(`a batch has 1 to ${mqttLimits.reports} reports`)
  }
  return json.map((one) => reportedOf({ deviceId, object: asObject(one), isEvent: false, budget }))
}

const atOf = ({ at }: JsonObject) => (at === undefined ? null : timeOf('at', at))

const ackNames = new Set(['id', 'at', 'state', 'reason'])
const helloNames = new Set(['at', 'model', 'firmware', 'iccid', 'configVersion'])
const offlineNames = new Set(['at', 'reason'])

function ackOf(deviceId: string, object: JsonObject): MqttMessageOf<'ack'> {
  const { id, state, reason } = object
  const ack: MqttMessageOf<'ack'> = {
    deviceId,
    message: 'ack',
    id: idOf('id', id),
    at: atOf(object),
    state: oneOf('state', mqttAckStates, state),
  }
  if (reason !== undefined) ack.reason = textOf('reason', reason)
  const fields = restOf(object, ackNames)
  if (fields) ack.fields = fields
  return ack
}

function helloOf(deviceId: string, object: JsonObject): MqttMessageOf<'hello'> {
  const { model, firmware, iccid, configVersion } = object
  const hello: MqttMessageOf<'hello'> = {
    deviceId,
    message: 'hello',
    at: atOf(object),
    model: textOf('model', model),
    firmware: textOf('firmware', firmware),
  }
  if (iccid !== undefined) hello.iccid = idOf('iccid', iccid)
  if (configVersion !== undefined) hello.configVersion = countOf('configVersion', configVersion)
  const fields = restOf(object, helloNames)
  if (fields) hello.fields = fields
  return hello
}

function offlineOf(deviceId: string, object: JsonObject): MqttMessageOf<'offline'> {
  const reason = oneOf('reason', mqttOfflineReasons, object['reason'])
  const fields = restOf(object, offlineNames)
  return { deviceId, message: 'offline', at: atOf(object), reason, ...(fields ? { fields } : {}) }
}

/**
 * Reads what a device published. Fields that the scheme does not name are kept under `fields`.
 *
 * @throws ProtocolError with a reason when topic or payload are malformed.
 */
export function decodeMqtt({ topic, payload }: { topic: string; payload: Uint8Array }): MqttMessage {
  const { deviceId, kind } = parseMqttTopic(topic)
  if (kind === 'command' || kind === 'config') throw new ProtocolError('the topic belongs to the platform')
  const usual = kind === 'report' ? readUsualMessage(deviceId, payload) : null
  if (usual !== null) return { deviceId, message: 'report', reports: [usual] }
  const json = parsePayload(payload)
  if (kind === 'report') return { deviceId, message: 'report', reports: reportsOf(deviceId, json) }
  const object = asObject(json)
  if (kind === 'ack') return ackOf(deviceId, object)
  if (kind === 'hello') return helloOf(deviceId, object)
  if (kind === 'offline') return offlineOf(deviceId, object)
  const event = wordOf('event', object['event'])
  const reported = reportedOf({ deviceId, object, isEvent: true, budget: newBudget() })
  return { deviceId, message: 'event', event, ...reported }
}
