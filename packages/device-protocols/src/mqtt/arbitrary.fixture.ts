import * as fc from 'fast-check'
import {
  mqttAckStates,
  mqttCommands,
  mqttEvents,
  mqttOfflineReasons,
  type MqttCommand,
  type MqttFields,
  type MqttMessage,
  type MqttReported,
} from './messages.ts'

const deviceId = fc.stringMatching(/^\d{15}$/)
const time = fc.integer({ min: 0, max: 8.64e15 })
const at = fc.option(time, { nil: null })
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const reading = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => value + 0)
const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => value + 0)
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
const word = fc.stringMatching(/^[a-z][a-z0-9_]{2,20}$/)

const scalar = fc.oneof(text, reading, fc.boolean(), fc.constant(null))
const unnamed = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(fc.constantFrom('a', 'b_2'), scalar))
/** `x…` is the beginning of no name of the scheme. */
const fields = fc.dictionary(fc.stringMatching(/^x[A-Za-z0-9_]{0,20}$/), unnamed, {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
}) as fc.Arbitrary<MqttFields>

const position = fc.record(
  {
    lat: degrees(90),
    lng: degrees(180),
    fix: fc.boolean(),
    speedKmh: reading,
    headingDeg: reading,
    altitudeM: reading,
  },
  { requiredKeys: ['lat', 'lng', 'fix'] },
)

const reported = (device: string) =>
  fc.record(
    {
      report: fc.record(
        {
          deviceId: fc.constant(device),
          occurredAt: at,
          position: fc.option(position, { nil: null }),
          batteryPercent: reading,
          voltageV: reading,
          locked: fc.boolean(),
          charging: fc.boolean(),
          signal: reading,
          odometerM: reading,
          alarms: fc.array(word, { maxLength: 4 }),
        },
        { requiredKeys: ['deviceId', 'occurredAt', 'position'] },
      ),
      seq: count,
      satellites: count,
      compartmentOpen: fc.boolean(),
      fields,
    },
    { requiredKeys: ['report'] },
  ) as fc.Arbitrary<MqttReported>

function bodies(device: string): fc.Arbitrary<object> {
  const is = (message: string) => ({ deviceId: fc.constant(device), message: fc.constant(message) })
  const head = ['deviceId', 'message', 'at'] as const
  return fc.oneof(
    fc.record({ ...is('report'), reports: fc.array(reported(device), { minLength: 1, maxLength: 8 }) }),
    fc
      .tuple(fc.constantFrom(...mqttEvents, 'tilted'), reported(device))
      .map(([event, facts]) => Object.assign({ deviceId: device, message: 'event', event }, facts)),
    fc.record(
      { ...is('ack'), at, id, state: fc.constantFrom(...mqttAckStates), reason: text, fields },
      { requiredKeys: [...head, 'id', 'state'] },
    ),
    fc.record(
      { ...is('hello'), at, model: text, firmware: text, iccid: id, configVersion: count, fields },
      { requiredKeys: [...head, 'model', 'firmware'] },
    ),
    fc.record(
      { ...is('offline'), at, reason: fc.constantFrom(...mqttOfflineReasons), fields },
      { requiredKeys: [...head, 'reason'] },
    ),
  )
}

export const anyMqttMessage = deviceId.chain(bodies) as fc.Arbitrary<MqttMessage>

const config = fc.record(
  {
    version: count,
    reportRidingS: reading,
    reportIdleS: reading,
    lowBatteryPercent: reading,
    maxSpeedKmh: reading,
    movementAlarm: fc.boolean(),
    fields,
  },
  { requiredKeys: ['version'] },
)

export const anyMqttCommand = fc.oneof(
  fc.record(
    {
      deviceId,
      message: fc.constant('command'),
      id,
      at: time,
      expiresAt: time,
      command: fc.constantFrom(...mqttCommands, 'dance'),
      fields,
    },
    { requiredKeys: ['deviceId', 'message', 'id', 'at', 'expiresAt', 'command'] },
  ),
  fc.record({ deviceId, message: fc.constant('config'), config: fc.option(config, { nil: null }) }),
) as fc.Arbitrary<MqttCommand>
