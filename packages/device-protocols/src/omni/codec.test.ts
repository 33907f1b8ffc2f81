import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../error.ts'
import { anyOmniCommand, anyOmniMessage } from './arbitrary.fixture.ts'
import {
  decodeOmni,
  decodeOmniCommand,
  encodeOmniToDevice,
  encodeOmniToPlatform,
  formatOmni,
  formatOmniCommand,
  omniProfiles,
  toReport,
} from './codec.ts'
import { omniVectors } from './vectors.fixture.ts'

const frameOf = (fields: string) => `*SCOR,OM,123456789123456,${fields}#`
const reportOf = (fields: string) => toReport(decodeOmni(frameOf(fields)))

describe('decodeOmni', () => {
  for (const { frame, expect: meaning } of omniVectors) {
    it(`reads ${frame}`, () => {
      const { locked, ...rest } = meaning as { locked?: boolean }
      const message = decodeOmni(frame)
      expect(message).toMatchObject(rest)
      if (locked !== undefined) expect(toReport(message)).toMatchObject({ locked })
    })
  }

  it('takes prefix and line end or none, and every header', () => {
    const plain = decodeOmni('*HBCR,OM,123456789123456,W0,2#')
    expect(decodeOmni('\u00ff\u00ff*HBCR,OM,123456789123456,W0,2#\r\n')).toEqual(plain)
    expect(decodeOmni('*CMDR,OM,123456789123456,200318123020,W0,1#')).toMatchObject({
      instruction: 'W0',
      sentAt: Date.UTC(2020, 2, 18, 12, 30, 20),
    })
    expect(decodeOmni('*CMDR,OM,123456789123456,000000000000,W0,1#').sentAt).toBeUndefined()
  })

  it('keeps an unknown instruction and unnamed trailing values raw', () => {
    expect(decodeOmni(frameOf('C0,1,2,AB,0'))).toMatchObject({
      instruction: 'unknown',
      code: 'C0',
      extra: ['1', '2', 'AB', '0'],
    })
    expect(decodeOmni(frameOf('S6,80,3,221,0,372,372,0,28,460-00,0x27A6,220486467'))).toMatchObject({
      odometerM: 0x27a6 * 10,
      extra: ['220486467'],
    })
  })

  it('reads a hexadecimal odometer by its letters or by the profile', () => {
    const frame = (odometer: string) => frameOf(`S6,80,3,0,0,372,372,1,28,0,${odometer}`)
    expect(decodeOmni(frame('1F4'))).toMatchObject({ odometerM: 5000 })
    expect(decodeOmni(frame('500'))).toMatchObject({ odometerM: 5000 })
    expect(decodeOmni(frame('500'), omniProfiles.early)).toMatchObject({ odometerM: 0x500 * 10 })
  })

  const malformed: [string, RegExp][] = [
    ['', /start/],
    ['*SCOR,OM,123456789123456,Q0,412,80,28', /end with #/],
    ['*XXXX,OM,123456789123456,Q0#', /header/],
    ['*SCOR,om,123456789123456,Q0#', /vendor/],
    ['*SCOR,OM,12345678912345,Q0#', /IMEI/],
    ['*SCOR,OM,123456789123456#', /instruction/],
    ['*SCOR,OM,123456789123456,Q00#', /instruction/],
    [frameOf('Q0,4x2,80,28'), /voltage/],
    [frameOf('H0,2,412,28,80,0'), /lock state/],
    [frameOf('H0'), /lock state is missing/],
    [frameOf('L0'), /result is missing/],
    [frameOf('W0,'), /alarm is missing/],
    [frameOf('R0,2,55,1234,1497689816'), /operation/],
    [frameOf('D0,0,124458.00,X,,,,,,,151216,,,N'), /fix/],
    [frameOf('D0,0,124458.00,A,,,,,,,151216,,,N'), /without coordinates/],
    [frameOf('D0,0,124458.00,A,2260.0000,N,11408.6214,E,6,0.21,151216'), /lat is out of range/],
    [frameOf('D0,0,124458.00,A,2237.7514,N,18100.0000,E,6,0.21,151216'), /lng is out of range/],
    [frameOf('D0,0,124458.00,A,2237.7514,X,11408.6214,E,6,0.21,151216'), /hemisphere/],
    [frameOf('D0,0,124458.00,A,2237.7514,,11408.6214,E,6,0.21,151216'), /hemisphere/],
    [frameOf('D0,0,124458.00,A,2237.7514,N,11408.6214,E,6,0.21,310216'), /does not exist/],
    [frameOf('D0,0,250000.00,A,2237.7514,N,11408.6214,E,6,0.21,151216'), /does not exist/],
    [`*SCOR,OM,123456789123456,V0,${'1'.repeat(3000)}#`, /too long/],
    ['*SCOR,OM,123456789123456,G0,a*b#', /character/],
  ]
  for (const [frame, reason] of malformed) {
    it(`refuses ${frame.slice(0, 80)} because of ${reason.source}`, () => {
      expect(() => decodeOmni(frame)).toThrow(ProtocolError)
      expect(() => decodeOmni(frame)).toThrow(reason)
    })
  }
})

describe('toReport', () => {
  it('has the time of the device, in UTC, only when a satellite has set it', () => {
    expect(reportOf('D0,0,072417.089,V,,,,,0,,070180,,M,N')).toEqual({
      deviceId: '123456789123456',
      occurredAt: null,
      position: null,
    })
    expect(reportOf('D0,0,124458.50,A,2237.7514,N,11408.6214,E,6,0.21,151216,10,M,A')).toEqual({
      deviceId: '123456789123456',
      occurredAt: Date.UTC(2016, 11, 15, 12, 44, 58, 500),
      position: { lat: 22.62919, lng: 114.14369, altitudeM: 10, fix: true },
    })
  })

  it('says that a place without a fix is no fix', () => {
    expect(reportOf('D0,0,124458.00,V,2237.7514,S,11408.6214,W,0,,151216,,,N')?.position).toEqual({
      lat: -22.62919,
      lng: -114.14369,
      fix: false,
    })
  })

  it('tells the lock state only from a result that succeeded', () => {
    expect(reportOf('L0,0,1,2')).toMatchObject({ locked: false })
    expect(reportOf('L1,0,1,2,3')).toMatchObject({ locked: true })
    expect(reportOf('L0,2,1,2')).toBeNull()
    expect(reportOf('L1,3,1,2,3')).toBeNull()
  })

  it('names alarms by the profile of the model and keeps unknown codes apart', () => {
    expect(reportOf('W0,1')?.alarms).toEqual(['illegal_movement'])
    expect(reportOf('W0,3')?.alarms).toEqual(['tamper'])
    expect(toReport(decodeOmni(frameOf('W0,3')), omniProfiles.early)?.alarms).toEqual(['low_battery'])
    expect(reportOf('W0,9')?.alarms).toEqual(['omni_9'])
  })

  it('is null for what says nothing of the vehicle', () => {
    expect(reportOf('R0,0,55,1234,1497689816')).toBeNull()
    expect(reportOf('G0,110')).toBeNull()
    expect(reportOf('C0,1')).toBeNull()
  })
})

describe('encode and decode', () => {
  it('are inverse for every message of a device', () => {
    fc.assert(
      fc.property(anyOmniMessage, (message) => {
        expect(decodeOmni(formatOmni(message))).toEqual(message)
      }),
      { numRuns: 3000 },
    )
  })

  it('are inverse for every command of the platform', () => {
    fc.assert(
      fc.property(anyOmniCommand, (command) => {
        expect(decodeOmniCommand(formatOmniCommand(command))).toEqual(command)
      }),
      { numRuns: 1000 },
    )
  })

  it('gives the published frames back to the letter', () => {
    for (const frame of [
      frameOf('H0,1,380,20,55,1'),
      frameOf('L1,0,1234,1497689816,3'),
      frameOf('S6,80,3,221,0,372,372,0,28,100,5000'),
      frameOf('G0,110,Jul 4 2018,1101,1101,1101,,,,'),
    ]) {
      expect(formatOmni(decodeOmni(frame))).toBe(frame)
    }
  })

  it('puts FF FF before a command and a line end behind both', () => {
    const head = { header: 'SCOS', vendor: 'OM', deviceId: '123456789123456' } as const
    const bytes = encodeOmniToDevice({
      ...head,
      instruction: 'R0',
      operation: 0,
      keySeconds: 20,
      userId: 7,
      timestamp: 9,
    })
    expect(Buffer.from(bytes).toString('latin1')).toBe('\u00ff\u00ff*SCOS,OM,123456789123456,R0,0,20,7,9#\n')
    const up = encodeOmniToPlatform({ ...head, header: 'SCOR', instruction: 'W0', alarm: 1 })
    expect(Buffer.from(up).toString('latin1')).toBe('*SCOR,OM,123456789123456,W0,1#\n')
  })
})
