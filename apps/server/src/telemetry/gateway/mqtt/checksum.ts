/** CRC-32 as zlib, PNG and Ethernet compute it, in tables for eight bytes at a time. */
const reversedPolynomial = 0xedb88320
const stepBytes = 8
const tables = Array.from({ length: stepBytes }, () => new Int32Array(256))
const [last = new Int32Array(256)] = tables
for (let byte = 0; byte < 256; byte += 1) {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ reversedPolynomial : crc >>> 1
  last[byte] = crc
}
for (const [index, table] of tables.entries()) {
  const before = tables[index - 1]
  if (before === undefined) continue
  for (const [byte, crc] of before.entries()) table[byte] = (crc >>> 8) ^ (last[crc & 255] ?? 0)
}
const [t0 = last, t1 = last, t2 = last, t3 = last, t4 = last, t5 = last, t6 = last, t7 = last] = tables

/**
 * The CRC-32 of a part of what has arrived, as a signed number. For the few hundred bytes of a report it takes less time than
 * cutting them out and calling zlib.
 */
export function crc32Of({ view, start, end }: { view: DataView; start: number; end: number }): number {
  let crc = -1
  let at = start
  for (; at + stepBytes <= end; at += stepBytes) {
    const low = crc ^ view.getInt32(at, true)
    const high = view.getInt32(at + 4, true)
    crc =
      (t7[low & 255] ?? 0) ^
      (t6[(low >>> 8) & 255] ?? 0) ^
      (t5[(low >>> 16) & 255] ?? 0) ^
      (t4[low >>> 24] ?? 0) ^
      (t3[high & 255] ?? 0) ^
      (t2[(high >>> 8) & 255] ?? 0) ^
      (t1[(high >>> 16) & 255] ?? 0) ^
      (t0[high >>> 24] ?? 0)
  }
  for (; at < end; at += 1) crc = (crc >>> 8) ^ (last[(crc ^ view.getUint8(at)) & 255] ?? 0)
  return ~crc
}
