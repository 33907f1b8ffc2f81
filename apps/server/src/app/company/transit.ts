import { SealError, type Keyring } from '#kit/crypto.ts'
import type { KeyedRow, KeyedTable } from '#kit/keyed.ts'
import { keyedValues } from '../keyed.ts'

/** What an open value begins with while a row is made anew; no sealed value begins so. */
const open = 'open:'
const openBytes = Buffer.from(open)

const isOpenBytes = (sealed: Uint8Array): boolean => Buffer.from(sealed.subarray(0, openBytes.length)).equals(openBytes)

const readsOpen = (secrets: Keyring): Keyring => ({
  ...secrets,
  decryptText: (value) =>
    value.sealed.startsWith(open) ? value.sealed.slice(open.length) : secrets.decryptText(value),
  decryptBytes: (value) =>
    isOpenBytes(value.sealed) ? Buffer.from(value.sealed.subarray(openBytes.length)) : secrets.decryptBytes(value),
})

const writesOpen = (secrets: Keyring): Keyring => ({
  ...readsOpen(secrets),
  encryptText: ({ text }) => open + text,
  encryptBytes: ({ bytes }) => Buffer.concat([openBytes, bytes]),
})

const tables = new Map(keyedValues.tables.map((table) => [table.table, table]))
export const keyedTable = (name: string): KeyedTable | undefined => tables.get(name)

type Json = Record<string, unknown>

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replace(/^\\x/, ''), 'hex')

/** A row as `rekey` takes it: bytes as bytes. */
function keyedRow(row: Json, { sealed, type }: KeyedTable): KeyedRow {
  const changed = Object.keys(sealed).flatMap((column) => {
    const value = row[column]
    return type === 'bytea' && typeof value === 'string' ? [[column, bytesOf(value)] as const] : []
  })
  return { ...row, ...Object.fromEntries(changed) } as KeyedRow
}

/** A row that no known secret opens goes along as it is, with this mark. */
export const unreadable = 'saddle_unreadable'

/** The row with its sealed values open. Hashes stay: they are worth nothing elsewhere, and are made anew there. */
export function opened(row: Json, table: KeyedTable, secrets: Keyring): Json {
  const made = remade(keyedRow(row, table), table, writesOpen(secrets))
  if (made === null) return { ...row, [unreadable]: true }
  const values = Object.keys(table.sealed).map((column) => {
    const value = made[column]
    if (Buffer.isBuffer(value)) return [column, value.subarray(openBytes.length).toString('base64')]
    return [column, typeof value === 'string' ? value.slice(open.length) : null]
  })
  return { ...row, ...Object.fromEntries(values) }
}

function remade(row: KeyedRow, table: KeyedTable, secrets: Keyring): KeyedRow | null {
  try {
    return table.rekey(row, secrets)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

/** The row with its values sealed and hashed by the secret of this installation. */
export function sealed(row: Json, table: KeyedTable, secrets: Keyring): Json {
  if (row[unreadable] === true) return row
  const marked = Object.keys(table.sealed).map((column) => {
    const value = row[column]
    if (typeof value !== 'string') return [column, null]
    return [column, table.type === 'bytea' ? Buffer.concat([openBytes, Buffer.from(value, 'base64')]) : open + value]
  })
  const made = table.rekey({ ...row, ...Object.fromEntries(marked) } as KeyedRow, readsOpen(secrets))
  const values = Object.entries(made).map(([column, value]) => [
    column,
    Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
  ])
  return { ...row, ...Object.fromEntries(values) }
}
