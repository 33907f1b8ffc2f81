import { ByteReader, ByteWriter } from './bytes.ts'
import type { Jt808HeaderVersion } from './packets.ts'

/** The body of an upgrade package (0x8108), before it is cut into parts. */
export type Jt808Upgrade = {
  /** See `jt808UpgradeType`. */
  type: number
  manufacturer: string
  version: string
  data: Buffer
}

/** The maker's id has 5 bytes until 2013 and 11 since 2019. */
const makerWidth = (headerVersion: Jt808HeaderVersion) => (headerVersion === 2019 ? 11 : 5)

export function writeJt808Upgrade(headerVersion: Jt808HeaderVersion, upgrade: Jt808Upgrade): Buffer {
  return new ByteWriter()
    .u8(upgrade.type)
    .text(upgrade.manufacturer, makerWidth(headerVersion))
    .countedText(upgrade.version)
    .u32(upgrade.data.length)
    .bytes(upgrade.data)
    .toBuffer()
}

/**
 * Reads the joined parts of an upgrade package.
 *
 * @throws ProtocolError when the body is cut off.
 */
export function readJt808Upgrade(headerVersion: Jt808HeaderVersion, body: Buffer): Jt808Upgrade {
  const read = new ByteReader(body)
  const type = read.u8()
  const manufacturer = read.text(makerWidth(headerVersion))
  const version = read.countedText()
  return { type, manufacturer, version, data: read.bytes(read.u32()) }
}
