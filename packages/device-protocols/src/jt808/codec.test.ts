import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../error.ts'
import { anyJt808Command, anyJt808Message } from './arbitrary.fixture.ts'
import {
  createJt808Reassembler,
  createJt808Splitter,
  decodeJt808,
  decodeJt808Command,
  encodeJt808ToDevice,
  encodeJt808ToPlatform,
  jt808Profiles,
  openJt808Frame,
  readJt808Packet,
  toReports,
  type Jt808Packet,
} from './codec.ts'
import { closeJt808Frame } from './frames.ts'
import { jt808Vectors, type Jt808VectorPosition } from './vectors.fixture.ts'

const packetOf = (frame: string) => readJt808Packet(openJt808Frame(Buffer.from(frame, 'hex')))
const messageOf = (frame: string) => decodeJt808(packetOf(frame))

/** The whole way of a message: frames on the wire, cut anywhere, back to one packet. */
function overTheWire(frames: readonly Uint8Array[], chunkLength = 700): Jt808Packet {
  const stream = Buffer.concat(frames)
  const splitter = createJt808Splitter()
  const reassembler = createJt808Reassembler({ maxParts: 65_535 })
  const whole: Jt808Packet[] = []
  for (let at = 0; at < stream.length; at += chunkLength) {
    for (const content of splitter.push(stream.subarray(at, at + chunkLength))) {
      const packet = reassembler.add(readJt808Packet(content), 0)
      if (packet) whole.push(packet)
    }
  }
  expect(splitter.discardedBytes).toBe(0)
  expect(reassembler.pendingBytes).toBe(0)
  expect(whole).toHaveLength(1)
  return whole[0]!
}

const expectedReport = (deviceId: string, position: Jt808VectorPosition) => {
  const { lat, lng, altitudeM, speedKmh, headingDeg, located: fix } = position
  const occurredAt = Date.parse(`${position.timeGmt8}+08:00`)
  return { deviceId, occurredAt, position: { lat, lng, altitudeM, speedKmh, headingDeg, fix } }
}

describe('decodeJt808', () => {
  for (const vector of jt808Vectors) {
    const { frame, messageId, headerVersion, deviceId, serial, bodyLength, position, batch } = vector
    it(`reads ${messageId} of ${deviceId}, number ${serial}`, () => {
      const packet = packetOf(frame)
      expect(packet).toMatchObject({ messageId: Number(messageId), headerVersion, deviceId, serial })
      expect(packet.body).toHaveLength(bodyLength)
      const message = decodeJt808(packet)
      const reports = toReports(message)
      if (position) {
        expect(reports).toHaveLength(1)
        expect(reports[0]).toMatchObject(expectedReport(deviceId, position))
        expect(message).toMatchObject({ alarmBits: position.alarmBits, statusBits: position.statusBits })
      } else if (batch) {
        expect(reports).toHaveLength(batch.count)
        expect(reports[0]).toMatchObject(expectedReport(deviceId, batch.first))
        expect(reports.at(-1)).toMatchObject(expectedReport(deviceId, batch.last))
      } else expect(reports).toEqual([])
      // What was understood is said again in other bytes at most in the order of its items.
      expect(decodeJt808(overTheWire(encodeJt808ToPlatform(message)))).toEqual(message)
    })
  }

  it('reads registrations of every generation', () => {
    const registrations = jt808Vectors
      .filter(({ messageId }) => messageId === '0x0100')
      .map(({ frame }) => messageOf(frame))
    expect(registrations).toMatchObject([
      { layout: 2019, model: 'MD300', terminalId: '866496077582164', manufacturer: '', plate: '' },
      { layout: 2011, model: 'BSJ-M7B', terminalId: '0000000', manufacturer: '70111', plate: '粤B88888' },
      { layout: 2013, model: 'BSJ-A6-BD', terminalId: '0567872', manufacturer: '70111', plate: '粤B88888' },
      { layout: 2013, model: 'HB-R03GBD', terminalId: '1906751', plateColour: 2, plate: 'ABC00000' },
    ])
  })

  it('names the items of the standard and keeps the others as they came', () => {
    const { frame } = jt808Vectors.find(({ serial, messageId }) => serial === 312 && messageId === '0x0200')!
    const message = messageOf(frame)
    expect(message).toMatchObject({ signal: 29, satellites: 12 })
    expect(message).toHaveProperty('items', [
      { id: 0xd4, hex: '64' },
      { id: 0xd5, hex: '01a2' },
      { id: 0xf4, hex: '04' },
      { id: 0xf9, hex: '0007' },
      { id: 0xfe, hex: '00000090' },
      { id: 0xfd, hex: '02e8000400044a150fe6' },
      { id: 0xef, hex: '4a' },
      { id: 0x0b, hex: '2200623a4965' },
    ])
  })

  it('keeps bytes behind the body', () => {
    const head = { headerVersion: 2013, deviceId: '013912345678', serial: 9 } as const
    const message = { ...head, message: 'heartbeat', extraHex: '7e01' } as const
    expect(decodeJt808(overTheWire(encodeJt808ToPlatform(message)))).toEqual(message)
  })

  it('reads a text of the platform in GBK', () => {
    const text = Buffer.concat([Buffer.from([0x04]), Buffer.from('c7ebbbb9b3b5', 'hex')])
    const content = Buffer.concat([Buffer.from('83000007013912345678000a', 'hex'), text])
    expect(decodeJt808Command(packetOf(closeJt808Frame(content).toString('hex')))).toMatchObject({
      message: 'text',
      flags: 4,
      text: '请还车',
    })
  })

  it.each([
    ['flags of 2013', 2013, { message: 'vehicleControl', flags: 1 }, '01'],
    ['doors of 2019', 2019, { message: 'vehicleControl', controls: [{ type: 1, value: 0 }] }, '0001000100'],
    ["a maker's control", 2019, { message: 'vehicleControl', controls: [{ type: 0xf001, value: 7 }] }, '0001f00107'],
    ['bytes to hand through', 2013, { message: 'passthrough', type: 0xf0, hex: '0a0b' }, 'f00a0b'],
    ['the time in UTC', 2019, { message: 'serverTime', timeUtc: Date.UTC(2026, 10, 22, 4, 5, 6) }, '261122040506'],
  ] as const)('writes %s as the standard has it', (_, headerVersion, body, hex) => {
    const deviceId = headerVersion === 2013 ? '013912345678' : '13912345678'.padStart(20, '0')
    const [frame] = encodeJt808ToDevice({ headerVersion, deviceId, serial: 1, ...body })
    const packet = readJt808Packet(openJt808Frame(frame!))
    expect(packet.body.toString('hex')).toBe(hex)
    expect(decodeJt808Command(packet)).toMatchObject(body)
  })

  const sealed = (content: string) => closeJt808Frame(Buffer.from(content, 'hex')).toString('hex')
  const header = (id: string, attributes: string) => `${id}${attributes}0139123456780001`
  const malformed: [string, string, RegExp][] = [
    ['nothing', '', /start with 7e/],
    ['no end', '7e0002', /end with 7e/],
    ['a flag inside', `${sealed(header('0002', '0000'))}7e`, /inside/],
    ['a short frame', '7e00020000000000000000000202', /end with 7e/],
    ['a runt', '7e000200027e', /too short/],
    ['a wrong escape', '7e00020000043048325465007d03ca7e', /escape/],
    ['a wrong checksum', '7e0002000004304832546500b7cb7e', /checksum/],
    ['a wrong length', sealed(header('0002', '0001')), /length of the body/],
    ['an encrypted body', sealed(header('0002', '0400')), /encrypted/],
    ['a cut header of 2019', sealed(header('0002', '4000')), /header is cut off/],
    ['part 3 of 2', sealed(`${header('0002', '2000')}00020003`), /part/],
    ['a cut body', sealed(`${header('0001', '0004')}00010002`), /cut off/],
    [
      'a latitude of 91',
      sealed(`${header('0200', '001c')}0000000000000002056c8cc006c926700000000000002212090427ff`),
      /lat/,
    ],
    [
      'a longitude of 181',
      sealed(
        `${header('0200', '001c')}000000000000000200000000${(181e6).toString(16).padStart(8, '0')}000000000000221209042742`,
      ),
      /lng/,
    ],
    [
      'a time in letters',
      sealed(`${header('0200', '001c')}00000000000000020158bf0006c92670000000000000221209042a42`),
      /decimal/,
    ],
    [
      'a 31st of February',
      sealed(`${header('0200', '001c')}00000000000000020158bf0006c92670000000000000220231042742`),
      /exist/,
    ],
    ['a batch that promises more', sealed(`${header('0704', '0003')}ffff00`), /cut off/],
  ]
  for (const [what, frame, reason] of malformed) {
    it(`refuses ${what}`, () => {
      expect(() => messageOf(frame)).toThrow(ProtocolError)
      expect(() => messageOf(frame)).toThrow(reason)
    })
  }
})

describe('toReports', () => {
  const head = { headerVersion: 2013, deviceId: '013912345678', serial: 9 } as const
  const place = { lat: 22.5, lng: 113.9, altitudeM: 5, speedKmh: 12.3, headingDeg: 90 }
  const timeUtc = Date.UTC(2026, 5, 1, 0, 0, 0)
  const position = { ...head, message: 'position', alarmBits: 0, statusBits: 2, ...place, timeUtc } as const

  it('says what a plain position says and nothing more', () => {
    expect(toReports(position)).toEqual([
      { deviceId: head.deviceId, occurredAt: timeUtc, position: { ...place, fix: true } },
    ])
  })

  it('has no time when the terminal has none, or one before there was the protocol', () => {
    expect(toReports({ ...position, timeUtc: null })[0]?.occurredAt).toBeNull()
    expect(toReports({ ...position, timeUtc: Date.UTC(1980, 0, 6) })[0]?.occurredAt).toBeNull()
  })

  it('names alarms by the profile and keeps unknown bits apart', () => {
    const bits = (2 ** 31 + 2 ** 30 + 2 ** 28 + 2 ** 26 + 2 ** 8 + 2 ** 7 + 1) >>> 0
    expect(toReports({ ...position, alarmBits: bits })[0]?.alarms).toEqual([
      'jt808_0',
      'low_battery',
      'power_cut',
      'illegal_movement',
      'fall',
      'tamper',
    ])
  })

  it('knows the lock by the profile only, and all of an e-bike by its own item', () => {
    expect(toReports({ ...position, statusBits: 2 | (1 << 12) })[0]).not.toHaveProperty('locked')
    expect(toReports({ ...position, statusBits: 2 | (1 << 12) }, jt808Profiles.doorsAsLock)[0]?.locked).toBe(true)
    expect(toReports(position, jt808Profiles.doorsAsLock)[0]?.locked).toBe(false)
    const openBit = { ...jt808Profiles.standard, lockBit: { bit: 1, lockedWhenSet: false } }
    expect(toReports(position, openBit)[0]?.locked).toBe(false)
    const answer = { ...head, message: 'vehicleControlAnswer', answeredSerial: 4, position } as const
    expect(toReports(answer, jt808Profiles.doorsAsLock)[0]).toMatchObject({ occurredAt: timeUtc, locked: false })
    const bike = { batteryPercent: 71, voltageV: 48.12, locked: true, charging: false, compartmentOpen: true }
    const sent = decodeJt808(overTheWire(encodeJt808ToPlatform({ ...position, bike })))
    expect(toReports(sent)[0]).toMatchObject({ batteryPercent: 71, voltageV: 48.12, locked: true, charging: false })
  })
})

describe('encode and decode', () => {
  const options = fc.record({ maxPartLength: fc.constantFrom(1023, 1023, 200, 37) })
  const chunk = fc.integer({ min: 1, max: 2000 })

  it('are inverse for every message of a terminal, whole or in parts', () => {
    fc.assert(
      fc.property(anyJt808Message, options, chunk, (message, option, chunkLength) => {
        expect(decodeJt808(overTheWire(encodeJt808ToPlatform(message, option), chunkLength))).toEqual(message)
      }),
      { numRuns: 700 },
    )
  })

  it('are inverse for every command of the platform, whole or in parts', () => {
    fc.assert(
      fc.property(anyJt808Command, options, chunk, (command, option, chunkLength) => {
        expect(decodeJt808Command(overTheWire(encodeJt808ToDevice(command, option), chunkLength))).toEqual(command)
      }),
      { numRuns: 700 },
    )
  })

  it('give captured frames back to the byte', () => {
    for (const { frame, messageId, headerVersion } of jt808Vectors) {
      // The one of 2019 fills up its plate with zeros that say nothing.
      if (headerVersion === 2013 && ['0x0002', '0x0100', '0x0102', '0x0900'].includes(messageId)) {
        expect(Buffer.concat(encodeJt808ToPlatform(messageOf(frame))).toString('hex')).toBe(frame)
      }
    }
  })

  it('count one serial number for each part', () => {
    const head = { headerVersion: 2019, deviceId: '1'.padStart(20, '0'), serial: 0xffff } as const
    const frames = encodeJt808ToDevice({ ...head, message: 'text', flags: 1, text: '车'.repeat(900) })
    expect(frames.map((frame) => readJt808Packet(openJt808Frame(frame)).serial)).toEqual([0xffff, 0])
  })

  it('refuse what does not fit into its field instead of cutting it', () => {
    const head = { headerVersion: 2013, deviceId: '013912345678', serial: 1 } as const
    const answer = { ...head, message: 'generalAnswer', answeredSerial: 0x10000, answeredId: 2, result: 0 } as const
    expect(() => encodeJt808ToDevice(answer)).toThrow(/2 bytes/)
    expect(() => encodeJt808ToDevice({ ...answer, answeredSerial: 1, deviceId: '1'.repeat(13) })).toThrow(/12 digits/)
    const parameters = [{ id: 0xf001, number: 1 }]
    expect(() => encodeJt808ToDevice({ ...head, message: 'setParameters', parameters })).toThrow(/no number/)
  })
})
