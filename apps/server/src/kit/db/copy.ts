import type { Connection, PoolClient, Submittable } from 'pg'

/** The part of node-postgres' connection that a COPY uses; the published types leave it out. */
type CopyWire = {
  query(text: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/**
 * Runs `copy … from stdin (format binary)` with data that is ready in memory; resolves to the number of rows. The
 * chunks are sent one after the other and are bounded by whoever made them.
 */
export function copyIn(options: { client: PoolClient; sql: string; chunks: Iterable<Uint8Array> }): Promise<number> {
  const { client, sql, chunks } = options
  return new Promise((resolve, reject) => {
    client.query(new CopyIn({ sql, chunks, resolve, reject }) satisfies Submittable)
  })
}

type Parts = {
  sql: string
  chunks: Iterable<Uint8Array>
  resolve: (rows: number) => void
  reject: (error: Error) => void
}

/** What node-postgres' client calls while the answers arrive; see its lib/client.js. */
class CopyIn {
  readonly #parts: Parts
  #rows = 0
  #failure: Error | null = null
  // Read and set by the client when a query timeout is configured.
  callback = (): void => {}

  constructor(parts: Parts) {
    this.#parts = parts
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as CopyWire
    wire.query(this.#parts.sql)
  }

  handleCopyInResponse(connection: Connection): void {
    const wire = connection as unknown as CopyWire
    try {
      for (const chunk of this.#parts.chunks) wire.sendCopyFromChunk(chunk)
      wire.endCopyFrom()
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
      wire.sendCopyFail('the rows could not be written down')
    }
  }

  handleCommandComplete(message: { text: string }): void {
    this.#rows = Number(message.text.split(' ').at(-1))
  }

  handleError(error: Error): void {
    this.#parts.reject(this.#failure ?? error)
  }

  handleReadyForQuery(): void {
    this.#parts.resolve(this.#rows)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
}
