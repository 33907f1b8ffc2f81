import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { readAlipayBill } from './alipayBill.ts'
import { BillError, type BillFormat, type BillLine } from './bill.ts'
import { textLines } from './textLines.ts'
import { readWechatBill } from './wechatBill.ts'

/** A bill that lies in a file of its own for as long as it is read. */
export type BillFile = { readonly path: string; readonly sha1: string; readonly sha256: Buffer }

const fileBytesMax = 2_000_000_000
/** What is unpacked of a file at most. */
export const unpackedBytesMax = 4_000_000_000

/**
 * Keeps what a channel or a person sends in a file while `work` runs, so that its hash is known before anything of it is read
 * and a zip archive can be read from its end.
 */
export async function withBillFile<T>(
  chunks: AsyncIterable<Uint8Array>,
  work: (file: BillFile) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'saddle-bill-'))
  const path = join(folder, 'bill')
  try {
    const file = await open(path, 'wx', 0o600)
    const [sha1, sha256] = [createHash('sha1'), createHash('sha256')]
    let bytes = 0
    try {
      for await (const chunk of chunks) {
        bytes += chunk.byteLength
        if (bytes > fileBytesMax) throw new BillError('the file is too long')
        sha1.update(chunk)
        sha256.update(chunk)
        await file.writeFile(chunk)
      }
    } finally {
      await file.close()
    }
    return await work({ path, sha1: sha1.digest('hex'), sha256: sha256.digest() })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The lines of a bill, plain or packed by gzip or zip. Throws BillError. */
export async function* readBill(
  { path }: Pick<BillFile, 'path'>,
  { format, bytesMax = unpackedBytesMax }: { readonly format: BillFormat; readonly bytesMax?: number },
): AsyncGenerator<readonly BillLine[]> {
  const chunks = bounded(await unpacked(path), bytesMax)
  try {
    if (format === 'wechat') yield* readWechatBill(textLines(chunks, 'utf-8'))
    else yield* readAlipayBill(textLines(chunks, 'gbk'))
  } catch (cause) {
    // zlib's errors have a code and no class of their own.
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')) {
      throw new BillError('the file does not unpack', { cause })
    }
    throw cause
  }
}

async function* bounded(chunks: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new BillError('the file is too long')
    yield chunk
  }
}

async function unpacked(path: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path, 'r')
  try {
    const head = await read(file, 0, 4)
    if (head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b) {
      return piped(createReadStream(path), createGunzip())
    }
    if (head.length < 4 || head.readUInt32LE(0) !== localHeader) return createReadStream(path)
    const { start, end, isStored } = await zippedCsv(file)
    const part = createReadStream(path, { start, end })
    return isStored ? part : piped(part, createInflateRaw())
  } finally {
    await file.close()
  }
}

function piped(from: Readable, through: NodeJS.ReadWriteStream & AsyncIterable<Uint8Array | string>) {
  from.on('error', (error) => through.emit('error', error))
  return from.pipe(through) as unknown as AsyncIterable<Uint8Array>
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const localHeader = 0x04034b50
const directoryEntry = 0x02014b50
const directoryEnd = 0x06054b50
const entriesMax = 20
const directoryBytesMax = 65_536

type Zipped = { readonly start: number; readonly end: number; readonly isStored: boolean }

/** Where the detailed CSV of Alipay's archive lies: of two files, the one that is not the summary. */
async function zippedCsv(file: FileHandle): Promise<Zipped> {
  const { size } = await file.stat()
  const tail = await read(file, Math.max(0, size - directoryBytesMax), directoryBytesMax)
  const at = tail.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  if (at < 0 || tail.length < at + 22 || tail.readUInt32LE(at) !== directoryEnd) throw new BillError('no zip archive')
  const [length, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
  if (length > directoryBytesMax) throw new BillError('the archive has too many files')
  const directory = await read(file, start, length)
  for (let place = 0, count = 0; count < entriesMax && place + 46 <= directory.length; count += 1) {
    if (directory.readUInt32LE(place) !== directoryEntry) throw new BillError('no zip archive')
    const nameLength = directory.readUInt16LE(place + 28)
    const isUtf8 = (directory.readUInt16LE(place + 8) & 0x800) !== 0
    const name = new TextDecoder(isUtf8 ? 'utf-8' : 'gbk').decode(
      directory.subarray(place + 46, place + 46 + nameLength),
    )
    if (name.endsWith('.csv') && !name.includes('汇总')) return dataOf(file, directory.subarray(place, place + 46))
    place += 46 + nameLength + directory.readUInt16LE(place + 30) + directory.readUInt16LE(place + 32)
  }
  throw new BillError('the archive has no CSV file')
}

async function dataOf(file: FileHandle, entry: Buffer): Promise<Zipped> {
  const [method, length, offset] = [entry.readUInt16LE(10), entry.readUInt32LE(20), entry.readUInt32LE(42)]
  if (method !== 0 && method !== 8) throw new BillError('the archive is packed in an unknown way')
  const head = await read(file, offset, 30)
  if (head.length < 30 || head.readUInt32LE(0) !== localHeader || length === 0) throw new BillError('no zip archive')
  const start = offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  return { start, end: start + length - 1, isStored: method === 0 }
}
