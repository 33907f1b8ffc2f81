/** Microseconds from 1970 to 2000, where PostgreSQL's clock starts. */
const postgresEpochMs = Date.UTC(2000, 0, 1)
const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const firstSize = 64 * 1024

/** Writes rows in PostgreSQL's binary COPY format into one growing buffer. */
export type CopyRows = {
  readonly rows: number
  /** Begins a row of so many fields; they follow in order. */
  row(fields: number): void
  int4(value: number): void
  float4(value: number): void
  bool(value: boolean): void
  /** Milliseconds since 1970. */
  time(ms: number): void
  text(value: string): void
  bytes(value: Uint8Array): void
  nothing(): void
  /** The whole stream, closed. */
  finish(): Buffer
}

export function createCopyRows(): CopyRows {
  let buffer = Buffer.allocUnsafe(firstSize)
  let at = signature.copy(buffer)
  let rows = 0
  const texts = new Map<string, Buffer>()
  const room = (bytes: number) => {
    if (at + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes))
    buffer.copy(larger, 0, 0, at)
    buffer = larger
  }
  const raw = (value: Uint8Array) => {
    room(4 + value.length)
    at = buffer.writeInt32BE(value.length, at)
    buffer.set(value, at)
    at += value.length
  }
  return {
    get rows() {
      return rows
    },
    row(fields) {
      room(2)
      at = buffer.writeInt16BE(fields, at)
      rows++
    },
    int4(value) {
      room(8)
      at = buffer.writeInt32BE(4, at)
      at = buffer.writeInt32BE(value, at)
    },
    float4(value) {
      room(8)
      at = buffer.writeInt32BE(4, at)
      at = buffer.writeFloatBE(value, at)
    },
    bool(value) {
      room(5)
      at = buffer.writeInt32BE(1, at)
      at = buffer.writeInt8(value ? 1 : 0, at)
    },
    time(ms) {
      room(12)
      at = buffer.writeInt32BE(8, at)
      // 64 bits in two halves: a BigInt for every time would cost more than all the rest.
      const micros = Math.round((ms - postgresEpochMs) * 1000)
      const high = Math.floor(micros / 2 ** 32)
      at = buffer.writeInt32BE(high, at)
      at = buffer.writeUInt32BE(micros - high * 2 ** 32, at)
    },
    text(value) {
      let known = texts.get(value)
      if (!known) texts.set(value, (known = Buffer.from(value)))
      raw(known)
    },
    bytes: raw,
    nothing() {
      room(4)
      at = buffer.writeInt32BE(-1, at)
    },
    finish() {
      room(2)
      at = buffer.writeInt16BE(-1, at)
      return buffer.subarray(0, at)
    },
  }
}
