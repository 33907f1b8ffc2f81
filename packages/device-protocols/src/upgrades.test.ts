import { expect, it } from 'vitest'
import * as fc from 'fast-check'
import { crc16 } from './crc16.ts'
import {
  createJt808Splitter,
  decodeJt808,
  encodeJt808ToPlatform,
  jt808DownIds,
  jt808UpgradeType,
  readJt808Packet,
  readJt808Upgrade,
  writeJt808Part,
  writeJt808Upgrade,
  type Jt808Message,
} from './jt808/codec.ts'
import { decodeOmni, decodeOmniCommand, encodeOmniToDevice, omniMaxPackageBytes } from './omni/codec.ts'
import { createOmniSplitter } from './omni/frames.ts'

it('computes the check value that the catalogue of CRCs gives for Modbus', () => {
  expect(crc16(Buffer.from('123456789'))).toBe(0x4b37)
})

it('reads the published request of a package, and sends the longest package in one frame', () => {
  expect(decodeOmni('*SCOR,OM,123456789123456,U1,100,8A#')).toMatchObject({ packet: 100, deviceType: '8A' })
  const hex = Buffer.alloc(omniMaxPackageBytes, 0x2a).toString('hex')
  const head = { header: 'SCOS', vendor: 'OM', deviceId: '123456789123456' } as const
  const [frame = ''] = createOmniSplitter().push(
    encodeOmniToDevice({ ...head, instruction: 'U1', packet: 65_535, crc16: 65_535, hex }),
  )
  expect(decodeOmniCommand(frame)).toMatchObject({ instruction: 'U1', packet: 65_535, hex })
})

it('an upgrade package that is sent part by part is whole again, whatever its bytes', () => {
  const version = fc.stringMatching(/^[A-Za-z0-9.]{1,20}$/)
  fc.assert(
    fc.property(
      fc.constantFrom(2013 as const, 2019 as const),
      version,
      fc.uint8Array({ maxLength: 3_000 }),
      fc.integer({ min: 1, max: 1_023 }),
      (headerVersion, named, bytes, partBytes) => {
        const data = Buffer.from(bytes)
        const type = jt808UpgradeType.terminal
        const body = writeJt808Upgrade(headerVersion, { type, manufacturer: 'MAKER', version: named, data })
        const total = Math.max(1, Math.ceil(body.length / partBytes))
        const splitter = createJt808Splitter()
        const parts: Buffer[] = []
        for (let index = 1; index <= total; index += 1) {
          const head = { headerVersion, deviceId: '0'.repeat(headerVersion === 2019 ? 20 : 12), serial: index }
          const part = body.subarray((index - 1) * partBytes, index * partBytes)
          const frame = writeJt808Part({ head, messageId: jt808DownIds.upgrade, part: { total, index }, body: part })
          for (const content of splitter.push(frame)) {
            const packet = readJt808Packet(content)
            expect(packet.part ?? { total: 1, index: 1 }).toEqual({ total, index })
            parts.push(Buffer.from(packet.body))
          }
        }
        expect(readJt808Upgrade(headerVersion, Buffer.concat(parts))).toEqual({
          type,
          manufacturer: 'MAKER',
          version: named,
          data,
        })
      },
    ),
    { numRuns: 60 },
  )
})

it('the request of missing parts has a count of two bytes since 2019, and of one before', () => {
  for (const headerVersion of [2013, 2019] as const) {
    const deviceId = '0'.repeat(headerVersion === 2019 ? 20 : 12)
    const message: Jt808Message = {
      headerVersion,
      deviceId,
      serial: 3,
      message: 'packetRequest',
      firstSerial: 9,
      parts: [2, 5],
    }
    const [frame] = encodeJt808ToPlatform(message)
    const [content] = createJt808Splitter().push(frame!)
    expect(readJt808Packet(content!).body).toHaveLength(headerVersion === 2019 ? 8 : 7)
    expect(decodeJt808(readJt808Packet(content!))).toMatchObject(message)
  }
})
