import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../error.ts'
import { anyMqttCommand, anyMqttMessage } from './arbitrary.fixture.ts'
import {
  decodeMqtt,
  decodeMqttCommand,
  encodeMqttToDevice,
  encodeMqttToPlatform,
  mqttLastWill,
  mqttLimits,
  coversMqttTopic,
  isMqttFilter,
  isOwnMqttFilter,
  mqttSubscriptions,
  parseMqttTopic,
  toReports,
} from './codec.ts'

const deviceId = '861234567890123'
const base = `saddle/v1/${deviceId}`
const read = (kind: string, payload: string | Uint8Array) =>
  decodeMqtt({ topic: `${base}/up/${kind}`, payload: Buffer.from(payload) })
const reportOf = (payload: object) => toReports(read('report', JSON.stringify(payload)))[0]

describe('the examples of the scheme', () => {
  const page = readFileSync(new URL('./scheme.md', import.meta.url), 'utf8')
  const examples = [...page.matchAll(/^```json (\S+)\n([\s\S]*?)^```$/gm)]

  it('are there for every topic', () => {
    expect(new Set(examples.map(([, topic = '']) => parseMqttTopic(topic).kind))).toEqual(
      new Set(['report', 'event', 'ack', 'hello', 'offline', 'command', 'config']),
    )
  })

  for (const [, topic = '', json = ''] of examples) {
    it(`are what the codec reads and writes: ${json.slice(0, 60).trim()}`, () => {
      const publication = { topic, payload: Buffer.from(json) }
      const up = topic.includes('/up/')
      const written = up
        ? encodeMqttToPlatform(decodeMqtt(publication))
        : encodeMqttToDevice(decodeMqttCommand(publication))
      expect(written).toMatchObject({ topic, qos: 1, retain: topic.endsWith('/config') })
      expect(JSON.parse(written.payload.toString())).toEqual(JSON.parse(json))
      expect(up ? decodeMqtt(publication) : decodeMqttCommand(publication)).not.toHaveProperty('fields.at')
    })
  }
})

describe('decodeMqtt', () => {
  it('reads a report into the words of every protocol', () => {
    expect(
      reportOf({
        at: 1_785_542_400_000,
        seq: 3,
        lat: 30.5,
        lng: -0,
        speedKmh: 12.5,
        headingDeg: 90,
        altitudeM: 8,
        batteryPercent: 300,
        voltageV: 48.2,
        locked: true,
        charging: false,
        signal: 22,
        odometerM: 12_345,
        alarms: ['fall'],
      }),
    ).toEqual({
      deviceId,
      occurredAt: 1_785_542_400_000,
      position: { lat: 30.5, lng: 0, fix: true, speedKmh: 12.5, headingDeg: 90, altitudeM: 8 },
      // To refuse what cannot be is the receiver's rule.
      batteryPercent: 300,
      voltageV: 48.2,
      locked: true,
      charging: false,
      signal: 22,
      odometerM: 12_345,
      alarms: ['fall'],
    })
    expect(reportOf({})).toEqual({ deviceId, occurredAt: null, position: null })
  })

  it('keeps fields that the scheme does not name', () => {
    const message = read('report', '{"at":1,"seq":2,"satellites":9,"tyre":{"front":[2.1,null]},"constructor":"x"}')
    expect(message).toMatchObject({ reports: [{ seq: 2, satellites: 9 }] })
    expect(message).toHaveProperty('reports.0.fields', { tyre: { front: [2.1, null] }, constructor: 'x' })
  })

  it('knows from the name of an event what it says', () => {
    expect(toReports(read('event', '{"event":"locked","at":5}'))).toEqual([
      { deviceId, occurredAt: 5, position: null, locked: true },
    ])
    expect(toReports(read('event', '{"event":"unlocked","locked":true}'))[0]?.locked).toBe(true)
    expect(toReports(read('event', '{"event":"constructor"}'))).toEqual([
      { deviceId, occurredAt: null, position: null },
    ])
    expect(toReports(read('ack', '{"id":"a","state":"done"}'))).toEqual([])
  })

  const nested = (depth: number) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const malformed: [string, string | Uint8Array, RegExp][] = [
    ['report', '', /not JSON/],
    ['report', '{"at":1', /not JSON/],
    ['report', Uint8Array.of(0x22, 0xff, 0x22), /UTF-8/],
    ['report', `{"x":"${'a'.repeat(mqttLimits.payload)}"}`, /too long/],
    ['report', '7', /not an object/],
    ['report', 'null', /not an object/],
    ['report', '[]', /1 to 64/],
    ['report', JSON.stringify(Array.from({ length: 65 }, () => ({}))), /1 to 64/],
    ['report', '[[]]', /not an object/],
    ['report', '{"at":"now"}', /at is not a time/],
    ['report', '{"at":1.5}', /at is not a time/],
    ['report', '{"at":-1}', /at is not a time/],
    ['report', '{"at":null}', /at is not a time/],
    ['report', '{"at":9e15}', /at is not a time/],
    ['report', '{"lat":91,"lng":0}', /lat is out of range/],
    ['report', '{"lat":0,"lng":-180.1}', /lng is out of range/],
    ['report', '{"lat":0}', /lng is not a number/],
    ['report', '{"speedKmh":3}', /speedKmh without/],
    ['report', '{"voltageV":1e999}', /voltageV is not a number/],
    ['report', '{"batteryPercent":"80"}', /batteryPercent/],
    ['report', '{"locked":1}', /locked is neither/],
    ['report', '{"alarms":"fall"}', /alarms/],
    ['report', `{"alarms":[${'"fall",'.repeat(16)}"fall"]}`, /alarms/],
    ['report', '{"alarms":["<b>"]}', /alarm is not a lower-case word/],
    ['report', '{"__proto__":{"locked":true}}', /name of a field/],
    ['report', '{"x":{"__proto__":1}}', /name of a field/],
    ['report', '{"x":1e999}', /number is too large/],
    ['report', nested(4), /too deep/],
    ['report', nested(8000), /too deep/],
    ['report', `{"x":[${'1,'.repeat(300)}1]}`, /too many values/],
    ['report', `{"x":"${'a'.repeat(300)}"}`, /text is too long/],
    ['event', '{"at":1}', /event is not/],
    ['ack', '{"id":"a b","state":"done"}', /id is malformed/],
    ['ack', '{"id":"a","state":"maybe"}', /state is none of/],
    ['hello', '{"model":"","firmware":"1"}', /model is not a text/],
    ['hello', '[]', /not an object/],
    ['offline', '{}', /reason is none of/],
  ]
  for (const [kind, payload, reason] of malformed) {
    const shown = Buffer.from(payload).toString().slice(0, 50)
    it(`refuses ${kind} ${shown} because of ${reason.source}`, () => {
      expect(() => read(kind, payload)).toThrow(ProtocolError)
      expect(() => read(kind, payload)).toThrow(reason)
    })
  }

  it('takes unnamed values up to the depth', () => {
    expect(read('report', nested(3))).toHaveProperty('reports.0.fields', { x: [[[]]] })
  })

  it('refuses topics of nobody, of another direction and of other versions', () => {
    const payload = Buffer.from('{}')
    for (const [topic, reason] of [
      ['', /start with/],
      ['saddle/v2/861234567890123/up/report', /start with/],
      ['saddle/v1/86123456789012x/up/report', /IMEI/],
      ['saddle/v1/8612345678901234/up/report', /IMEI/],
      ['saddle/v1/861234567890123', /IMEI/],
      ['saddle/v1/861234567890123/up/reports', /unknown/],
      ['saddle/v1/861234567890123/up/report/', /unknown/],
      ['saddle/v1/861234567890123/down/command', /platform/],
    ] as const) {
      expect(() => decodeMqtt({ topic, payload })).toThrow(reason)
    }
    expect(() => decodeMqttCommand({ topic: `${base}/up/report`, payload })).toThrow(/device/)
    expect(isOwnMqttFilter(deviceId, `${base}/#`)).toBe(true)
    expect(mqttSubscriptions(deviceId)).toEqual([`${base}/down/command`, `${base}/config`])
  })
})

describe('encode and decode', () => {
  it('are inverse for every message of a device', () => {
    fc.assert(
      fc.property(anyMqttMessage, (message) => {
        expect(decodeMqtt(encodeMqttToPlatform(message))).toEqual(message)
      }),
      { numRuns: 1000 },
    )
  })

  it('are inverse for every message of the platform', () => {
    fc.assert(
      fc.property(anyMqttCommand, (command) => {
        expect(decodeMqttCommand(encodeMqttToDevice(command))).toEqual(command)
      }),
      { numRuns: 1000 },
    )
  })

  it('leave a last will that says when the vehicle connected', () => {
    const will = mqttLastWill({ deviceId, at: 7 })
    expect(will).toMatchObject({ topic: `${base}/up/offline`, qos: 1, retain: false })
    expect(decodeMqtt(will)).toEqual({ deviceId, message: 'offline', at: 7, reason: 'lost' })
    expect(decodeMqtt(mqttLastWill({ deviceId, at: null }))).toMatchObject({ at: null })
  })

  it('take a retained configuration back with an empty payload', () => {
    const cleared = encodeMqttToDevice({ deviceId, message: 'config', config: null })
    expect([cleared.payload.length, cleared.retain]).toEqual([0, true])
  })

  it('refuse to write what nobody would read', () => {
    const fields = { x: 'a'.repeat(mqttLimits.payload) }
    expect(() => encodeMqttToPlatform({ deviceId, message: 'offline', at: 1, reason: 'lost', fields })).toThrow(
      /too long/,
    )
    expect(() => encodeMqttToPlatform({ deviceId: '+', message: 'report', reports: [] })).toThrow(/IMEI/)
  })
})

describe('filters of topics', () => {
  it.each([
    ['a/b', 'a/b', true],
    ['a/+', 'a/b', true],
    ['a/+', 'a/b/c', false],
    ['a/+', 'a', false],
    ['a/#', 'a/b/c', true],
    ['a/#', 'a', true],
    ['+/b', 'a/b', true],
    ['b/#', 'a/b', false],
  ])('%s asks for %s: %s', (filter, topic, covered) => {
    expect(coversMqttTopic(filter, topic)).toBe(covered)
  })

  it.each(['a/#/b', 'a+', '#a', 'a/b#'])('%s is none', (filter) => {
    expect(isMqttFilter(filter)).toBe(false)
  })

  it.each(['saddle/v1/+/down/command', 'saddle/#', 'saddle/v1/861234567890124/#'])(
    '%s is not of one vehicle',
    (filter) => {
      expect(isOwnMqttFilter('861234567890123', filter)).toBe(false)
    },
  )
})
