import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'

/** Takes bytes in their order; when it has resolved it needs them no more, and the next ones come. */
export type Sink = (bytes: Buffer) => Promise<void>

export interface ZipEntry {
  /** Hands bytes over; resolves when the ones before them are compressed and no longer needed. */
  write(bytes: Buffer): Promise<void>
  end(): Promise<void>
}

export interface ZipWriter {
  /** Begins an entry; the one before has ended. */
  entry(name: string): Promise<ZipEntry>
  end(): Promise<void>
}

interface Written {
  readonly name: Buffer
  readonly offset: number
  readonly crc: number
  readonly packed: number
  readonly size: number
}

/** Above it sizes and offsets need other records, which no file of ours reaches. */
const sizeMax = 0xff_ff_ff_ff
/** Speed is worth more than the last tenth of the size: a person waits for the file. */
const level = 1
const version = 20
/** The sizes follow the data, and names are UTF-8. */
const flags = 0x08_08
const deflated = 8
/** 1980-01-01: the same rows give the same file. */
const noTime = 0
const noDate = 0x21
const outputChunk = 65_536

/** Writes a ZIP archive to a sink while its entries are being made; nothing of it is kept in memory. */
export function createZip(sink: Sink): ZipWriter {
  const entries: Written[] = []
  let offset = 0
  const put = async (bytes: Buffer): Promise<void> => {
    offset += bytes.length
    if (offset > sizeMax) throw new RangeError('an archive of more than 4 GiB')
    await sink(bytes)
  }
  return {
    entry: async (name) => {
      const named = { name: Buffer.from(name), offset }
      await put(Buffer.concat([localHeader(named.name), named.name]))
      return createEntry(put, async (sums) => {
        await put(descriptor(sums))
        entries.push({ ...named, ...sums })
      })
    },
    end: async () => {
      const begin = offset
      for (const entry of entries) await put(Buffer.concat([centralHeader(entry), entry.name]))
      await put(endRecord(entries.length, begin, offset - begin))
    },
  }
}

type Sums = Pick<Written, 'crc' | 'packed' | 'size'>

function createEntry(put: Sink, onEnd: (sums: Sums) => Promise<void>): ZipEntry {
  const deflate = createDeflateRaw({ level, chunkSize: outputChunk })
  let packedChunks: Buffer[] = []
  deflate.on('data', (chunk: Buffer) => packedChunks.push(chunk))
  let crc = 0
  let size = 0
  let packed = 0
  let before: Promise<void> = Promise.resolve()
  const handOver = async (): Promise<void> => {
    const ready = packedChunks
    packedChunks = []
    for (const chunk of ready) {
      packed += chunk.length
      await put(chunk)
    }
  }
  const compress = (bytes: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      deflate.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  return {
    write: async (bytes) => {
      crc = crc32(bytes, crc)
      size += bytes.length
      if (size > sizeMax) throw new RangeError('an entry of more than 4 GiB')
      await before
      await handOver()
      // Compressed by another thread while the caller makes the next ones.
      before = compress(bytes)
      // Who writes next, or ends, hears of a failure.
      before.catch(() => {})
    },
    end: async () => {
      await before
      const ended = once(deflate, 'end')
      deflate.end()
      await ended
      await handOver()
      await onEnd({ crc, packed, size })
    },
  }
}

function localHeader(name: Buffer): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04_03_4b_50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(deflated, 8)
  head.writeUInt16LE(noTime, 10)
  head.writeUInt16LE(noDate, 12)
  head.writeUInt16LE(name.length, 26)
  return head
}

function descriptor({ crc, packed, size }: Sums): Buffer {
  const record = Buffer.alloc(16)
  record.writeUInt32LE(0x08_07_4b_50, 0)
  record.writeUInt32LE(crc, 4)
  record.writeUInt32LE(packed, 8)
  record.writeUInt32LE(size, 12)
  return record
}

function centralHeader({ name, offset, crc, packed, size }: Written): Buffer {
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02_01_4b_50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(version, 6)
  head.writeUInt16LE(flags, 8)
  head.writeUInt16LE(deflated, 10)
  head.writeUInt16LE(noTime, 12)
  head.writeUInt16LE(noDate, 14)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(packed, 20)
  head.writeUInt32LE(size, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt32LE(offset, 42)
  return head
}

function endRecord(entries: number, begin: number, size: number): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06_05_4b_50, 0)
  record.writeUInt16LE(entries, 8)
  record.writeUInt16LE(entries, 10)
  record.writeUInt32LE(size, 12)
  record.writeUInt32LE(begin, 16)
  return record
}
