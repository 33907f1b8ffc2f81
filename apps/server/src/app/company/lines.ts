import { createReadStream, createWriteStream } from 'node:fs'
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Client } from 'pg'
import { lineFormat } from './format.ts'

export type Json = Record<string, unknown>
/** Changes a row on its way; null: it stays as it is. */
export type Change = ((row: Json) => Promise<Json> | Json) | null

const jsonOf = (line: string): Json => JSON.parse(line) as Json

async function* changed(lines: AsyncIterable<string>, change: NonNullable<Change>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(await change(jsonOf(line)))}\n`
}

/** A stream that measures what goes through it. */
function measured() {
  const hash = createHash('sha256')
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, digest: () => hash.digest('hex') }
}

/** Writes the rows of a query as JSON lines; resolves to their number and the hash of the file. */
export async function writeLines(options: {
  readonly client: Client
  /** A query of one row of JSON after the other. */
  readonly query: string
  readonly file: string
  readonly change: Change
}): Promise<{ rows: number; sha256: string }> {
  const { client, query, file, change } = options
  const rows = client.query(copyTo(`copy (${query}) to stdout ${lineFormat}`))
  const { stream, digest } = measured()
  const into = createWriteStream(file, { mode: 0o600, flush: true })
  const packed = createGzip({ level: 3 })
  if (change === null) await pipeline(rows, packed, stream, into)
  else {
    const lines = createInterface({ input: rows, crlfDelay: Infinity })
    await pipeline(Readable.from(changed(lines, change)), packed, stream, into)
  }
  return { rows: rows.rowCount, sha256: digest() }
}

/** Reads JSON lines into the table `incoming`; resolves to their number. */
export async function readLines(options: {
  readonly client: Client
  readonly file: string
  readonly change: Change
}): Promise<number> {
  const { client, file, change } = options
  const into = client.query(copyFrom(`copy incoming from stdin ${lineFormat}`))
  const source = createReadStream(file).pipe(createGunzip())
  if (change === null) await pipeline(source, into)
  else {
    const lines = createInterface({ input: source, crlfDelay: Infinity })
    await pipeline(Readable.from(changed(lines, change)), into)
  }
  return into.rowCount
}

export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
