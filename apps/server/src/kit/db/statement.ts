import type { Client, ClientBase, Connection, PoolClient, Submittable } from 'pg'
import utils from 'pg/lib/utils.js'
import { columnTypes } from './values.ts'

export type StatementResult = { rows: Record<string, unknown>[]; command: string; rowCount: number }

/** The three settings that row level security reads, as PostgreSQL writes them: `{3,4}`, `{}`, `17` or ''. */
export type ScopeSettings = { agentIds: string; areaIds: string; operatorId: string }

type Column = { name: string; parse: (text: string) => unknown }
type Prepared = { name: string; columns: Column[] }
type Cache = { prepared: Map<string, Prepared>; scopePrepared: boolean; lastNumber: number; toClose: string[] }

/** The part of node-postgres' connection that a Submittable uses; the published types differ from the code. */
type Wire = {
  stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly unknown[] }): void
  execute(message: object): void
  describe(message: { type: 'S'; name: string }): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
  sendCopyFail(reason: string): void
}

const MAX_PREPARED = 200
// Statements of many rows differ by their number of rows: each would push a useful one out of the cache.
const MAX_PREPARED_LENGTH = 6_000
const MAX_PREPARED_VALUES = 60

const SCOPE_STATEMENT = 'scope'
const SET_SCOPE =
  "select set_config('app.agent_ids', $1, true), set_config('app.area_ids', $2, true), set_config('app.operator_id', $3, true)"

const caches = new WeakMap<object, Cache>()
const nameless = new WeakSet<object>()

/**
 * No statement of this connection is kept by name: a pooler in transaction mode puts another session of the database behind it
 * at each transaction. Until the Sync of a statement it stays the same one.
 */
export function keepNoStatements(client: ClientBase): void {
  nameless.add((client as Client).connection)
}

function cacheOf(connection: object): Cache {
  const known = caches.get(connection)
  if (known !== undefined) return known
  const created: Cache = { prepared: new Map(), scopePrepared: false, lastNumber: 0, toClose: [] }
  caches.set(connection, created)
  return created
}

/**
 * Runs one statement in one round trip. With `scope`, the settings of row level security travel in the same packet:
 * Bind and Execute of set_config, Bind and Execute of the statement, one Sync. Until the Sync all of it is one implicit
 * transaction, so the local settings hold for the statement and are gone after it. Statements are prepared once per
 * connection and kept in a bounded cache.
 */
export function runStatement(options: {
  client: PoolClient
  sql: string
  values: readonly unknown[]
  scope?: ScopeSettings
  /** False: it is planned for these values and forgotten. */
  isKept?: boolean
}): Promise<StatementResult> {
  // Mapped before anything is written: a value that cannot be mapped must not leave half a batch on the wire.
  const values = options.values.map((value) => utils.prepareValue(value))
  return new Promise((resolve, reject) => {
    options.client.query(
      new Statement({ ...options, values, scope: options.scope ?? null, resolve, reject }) satisfies Submittable,
    )
  })
}

/** A statement that did not run because one before it in its batch failed; nothing happened, so it may be run again. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError'
}

/** One read of a batch, and its callbacks. */
export type BatchItem = { sql: string; values: readonly unknown[]; scope: ScopeSettings } & Settlement

/**
 * Runs several reads in one round trip and one implicit transaction, each under its own scope. One that fails takes
 * those behind it down with it: they are rejected with SkippedError. Resolves when all of them are settled.
 */
export function runBatch(options: { client: PoolClient; items: readonly BatchItem[] }): Promise<void> {
  const statements = options.items.map(
    (item) => new Statement({ ...item, values: item.values.map((value) => utils.prepareValue(value)) }),
  )
  return new Promise((resolve) => {
    options.client.query(new Batch(statements, resolve) satisfies Submittable)
  })
}

export type Settlement = { resolve: (result: StatementResult) => void; reject: (error: Error) => void }

/** What node-postgres' client calls while the answers arrive; see its lib/client.js. */
class Statement {
  readonly #sql: string
  readonly #values: readonly unknown[]
  readonly #scope: ScopeSettings | null
  #isKept: boolean
  readonly #settlement: Settlement
  readonly #result: StatementResult = { rows: [], command: '', rowCount: 0 }
  #scopeAnswered: boolean
  #isAnswered = false
  #scopeIsNew = false
  #prepared: Prepared = { name: '', columns: [] }
  #cache: Cache | null = null
  #parseError: Error | null = null
  // Read and set by the client when a query timeout is configured.
  callback = (): void => {}

  constructor(
    options: { sql: string; values: readonly unknown[]; scope: ScopeSettings | null; isKept?: boolean } & Settlement,
  ) {
    this.#sql = options.sql
    this.#isKept = options.isKept !== false
    this.#values = options.values
    this.#scope = options.scope
    this.#scopeAnswered = options.scope === null
    this.#settlement = options
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.stream.cork()
    try {
      this.write(connection)
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  /** Everything but the Sync that ends the implicit transaction. */
  write(connection: Connection): void {
    const wire = connection as unknown as Wire
    const cache = cacheOf(connection)
    this.#cache = cache
    const isNameless = nameless.has(connection)
    if (isNameless) this.#isKept = false
    for (const name of cache.toClose.splice(0)) wire.close({ type: 'S', name })
    if (this.#scope !== null) {
      const statement = isNameless ? '' : SCOPE_STATEMENT
      if (isNameless || !cache.scopePrepared) wire.parse({ name: statement, text: SET_SCOPE })
      if (!isNameless && !cache.scopePrepared) {
        cache.scopePrepared = true
        this.#scopeIsNew = true
      }
      const { agentIds, areaIds, operatorId } = this.#scope
      wire.bind({ statement, values: [agentIds, areaIds, operatorId] })
      wire.execute({})
    }
    const known = this.#isKept ? cache.prepared.get(this.#sql) : undefined
    if (known === undefined) {
      this.#prepared = { name: this.#isWorthKeeping() ? `s${(cache.lastNumber += 1)}` : '', columns: [] }
      wire.parse({ name: this.#prepared.name, text: this.#sql })
      wire.describe({ type: 'S', name: this.#prepared.name })
    } else {
      this.#prepared = known
    }
    if (this.#prepared.name !== '') remember({ cache, sql: this.#sql, prepared: this.#prepared })
    wire.bind({ statement: this.#prepared.name, values: this.#values })
    wire.execute({})
  }

  /** Whether the answer to the statement itself, and not only that to its scope, has come. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  #isWorthKeeping(): boolean {
    return this.#isKept && this.#sql.length <= MAX_PREPARED_LENGTH && this.#values.length <= MAX_PREPARED_VALUES
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#prepared.columns = message.fields.map((field) => ({
      name: field.name,
      parse: columnTypes.getTypeParser(field.dataTypeID),
    }))
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    if (!this.#scopeAnswered || this.#parseError !== null) return
    try {
      const row: Record<string, unknown> = {}
      const { columns } = this.#prepared
      for (let index = 0; index < columns.length; index += 1) {
        const column = columns[index]
        if (column === undefined) continue
        const text = message.fields[index]
        row[column.name] = text === null || text === undefined ? null : column.parse(text)
      }
      this.#result.rows.push(row)
    } catch (error) {
      this.#parseError = error instanceof Error ? error : new Error(String(error))
    }
  }

  handleCommandComplete(message: { text: string }): void {
    if (!this.#scopeAnswered) {
      this.#scopeAnswered = true
      return
    }
    this.#isAnswered = true
    // "SELECT 3", "INSERT 0 3", "BEGIN": the first word and the last number.
    const words = message.text.split(' ')
    this.#result.command = words[0] ?? ''
    this.#result.rowCount = words.length > 1 ? Number(words.at(-1)) : 0
  }

  handleEmptyQuery(): void {
    this.#isAnswered = true
    this.#result.command = ''
  }

  /** Also reached without a submit, when the connection broke while the statement waited. */
  handleError(error: Error): void {
    const cache = this.#cache
    if (cache !== null) {
      // Whether the server got as far as keeping the new ones is unknown; closing what is absent is allowed.
      if (this.#prepared.name !== '') {
        cache.prepared.delete(this.#sql)
        cache.toClose.push(this.#prepared.name)
      }
      if (this.#scopeIsNew) {
        cache.scopePrepared = false
        cache.toClose.push(SCOPE_STATEMENT)
      }
    }
    this.#settlement.reject(error)
  }

  handleReadyForQuery(): void {
    // Only now: an implicit transaction commits at the Sync and may still fail there.
    if (this.#parseError === null) this.#settlement.resolve(this.#result)
    else this.#settlement.reject(this.#parseError)
  }

  handlePortalSuspended(): void {
    this.#settlement.reject(new Error('a portal was suspended although all rows were asked for'))
  }

  handleCopyInResponse(connection: Connection): void {
    ;(connection as unknown as Wire).sendCopyFail('COPY is not supported here')
  }

  handleCopyData(): void {
    this.#parseError = new Error('COPY is not supported here')
  }
}

/** Several statements before one Sync; hands each answer to the statement whose turn it is. */
class Batch {
  readonly #statements: readonly Statement[]
  readonly #onSettled: () => void
  #turn = 0
  callback = (): void => {}

  constructor(statements: readonly Statement[], onSettled: () => void) {
    this.#statements = statements
    this.#onSettled = onSettled
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.stream.cork()
    try {
      for (const statement of this.#statements) statement.write(connection)
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  handleRowDescription(message: Parameters<Statement['handleRowDescription']>[0]): void {
    this.#statements[this.#turn]?.handleRowDescription(message)
  }

  handleDataRow(message: Parameters<Statement['handleDataRow']>[0]): void {
    this.#statements[this.#turn]?.handleDataRow(message)
  }

  handleCommandComplete(message: { text: string }): void {
    const statement = this.#statements[this.#turn]
    statement?.handleCommandComplete(message)
    if (statement?.isAnswered) this.#turn += 1
  }

  handleEmptyQuery(): void {
    this.#statements[this.#turn]?.handleEmptyQuery()
    this.#turn += 1
  }

  handleError(error: Error): void {
    for (const [index, statement] of this.#statements.entries()) {
      if (index < this.#turn) statement.handleReadyForQuery()
      else statement.handleError(index === this.#turn ? error : new SkippedError('a statement before this one failed'))
    }
    this.#onSettled()
  }

  handleReadyForQuery(): void {
    for (const statement of this.#statements) statement.handleReadyForQuery()
    this.#onSettled()
  }

  handlePortalSuspended(): void {
    this.handleError(new Error('a portal was suspended although all rows were asked for'))
  }

  handleCopyInResponse(connection: Connection): void {
    ;(connection as unknown as Wire).sendCopyFail('COPY is not supported here')
  }

  handleCopyData(): void {}
}

/** Moves the statement to the young end of the cache and drops the oldest one beyond the bound. */
function remember(options: { cache: Cache; sql: string; prepared: Prepared }): void {
  const { cache, sql, prepared } = options
  cache.prepared.delete(sql)
  cache.prepared.set(sql, prepared)
  if (cache.prepared.size <= MAX_PREPARED) return
  const oldest = cache.prepared.entries().next().value
  if (oldest === undefined) return
  cache.prepared.delete(oldest[0])
  cache.toClose.push(oldest[1].name)
}
