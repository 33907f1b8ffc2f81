import type { Keyring } from './crypto.ts'

/** A value of a row as PostgreSQL gives it: bytes for `bytea`, ids as numbers. */
export type KeyedValue = string | number | Buffer | null
export type KeyedRow = Readonly<Record<string, KeyedValue>>

/** A table with values that were made with keys of the master secret, and how a row is made anew with the present one. */
export interface KeyedTable {
  readonly table: string
  readonly key: readonly [column: string, type: 'bigint' | 'uuid' | 'text']
  /** Sealed columns with the purposes that they may be sealed for. */
  readonly sealed: Readonly<Record<string, readonly string[]>>
  /** What the sealed columns are. */
  readonly type: 'text' | 'bytea'
  /** Columns that hold the hash of a sealed value. */
  readonly hashes: readonly string[]
  /** Additional columns to read. */
  readonly reads: readonly string[]
  /** Large, and found by no hash: done while the server runs already. */
  readonly isLater?: boolean
  /** The columns above, opened with whichever key fits and made anew. Throws SealError. */
  readonly rekey: (row: KeyedRow, secrets: Keyring) => KeyedRow
}

/** What a domain has of them. */
export interface KeyedValues {
  readonly tables: readonly KeyedTable[]
  /** Purposes whose values cannot be made anew: their keys outlive the secret. */
  readonly keptPurposes: readonly string[]
}

/** A text of a row that is never null. */
export function textOf(row: KeyedRow, column: string): string {
  const value = row[column]
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new TypeError(`${column} is no text`)
}

/** A table whose sealed columns each have one purpose and a context that does not change. */
export function sealedTable(
  options: Pick<KeyedTable, 'table' | 'key'> & {
    readonly purposes: Readonly<Record<string, string>>
    /** Column whose value the seals are bound to; none: they are bound to nothing. */
    readonly context?: string
  },
): KeyedTable {
  const { table, key, purposes, context } = options
  return {
    table,
    key,
    type: 'text',
    sealed: Object.fromEntries(Object.entries(purposes).map(([column, purpose]) => [column, [purpose]])),
    hashes: [],
    reads: context === undefined || context === key[0] ? [] : [context],
    rekey: (row, secrets) => {
      const bound = context === undefined ? {} : { context: textOf(row, context) }
      return Object.fromEntries(
        Object.entries(purposes).map(([column, purpose]) => {
          const sealed = row[column]
          if (typeof sealed !== 'string') return [column, null]
          const text = secrets.decryptText({ purpose, sealed, ...bound })
          return [column, secrets.encryptText({ purpose, text, ...bound })]
        }),
      )
    },
  }
}

/** The same with one hash of the text of `of`. */
export function withHash(
  table: KeyedTable,
  hash: { readonly column: string; readonly of: string; readonly purpose: string; readonly context?: string },
): KeyedTable {
  return {
    ...table,
    hashes: [...table.hashes, hash.column],
    rekey: (row, secrets) => {
      const made = table.rekey(row, secrets)
      const sealed = made[hash.of]
      const [purpose = ''] = table.sealed[hash.of] ?? []
      if (typeof sealed !== 'string') return { ...made, [hash.column]: null }
      const bound = hash.context === undefined ? {} : { context: textOf(row, hash.context) }
      const text = secrets.decryptText({ purpose, sealed, ...bound })
      return { ...made, [hash.column]: secrets.hmac({ purpose: hash.purpose, text }) }
    },
  }
}
