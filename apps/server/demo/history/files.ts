import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  historyHeadMaxBytes,
  historyHeadSchema,
  historyManifestFile,
  historyManifestSchema,
  type HistoryManifest,
  type HistoryTable,
} from '@saddle/contract/demo/history.ts'

/** The tables of a file as PostgreSQL takes them. */
export type HistoryStreams = ReadonlyMap<HistoryTable, { readonly rows: number; readonly bytes: Uint8Array }>

/** The manifest of a folder; null while there is none. Throws when it is invalid. */
export async function readManifest(folder: string): Promise<HistoryManifest | null> {
  try {
    return historyManifestSchema.parse(JSON.parse(await readFile(join(folder, historyManifestFile), 'utf8')))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Reads a file of the history; null when it is not there. Throws when it is damaged. */
export async function readStreams(path: string): Promise<HistoryStreams | null> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
  const end = bytes.subarray(0, historyHeadMaxBytes).indexOf('\n')
  if (end < 0) throw new RangeError('a file of the history has no first line')
  const head = historyHeadSchema.parse(JSON.parse(bytes.toString('utf8', 0, end)))
  const streams = new Map<HistoryTable, { rows: number; bytes: Uint8Array }>()
  let at = end + 1
  for (const table of head.tables) {
    streams.set(table.name, { rows: table.rows, bytes: bytes.subarray(at, at + table.bytes) })
    at += table.bytes
  }
  if (at !== bytes.length) throw new RangeError('a file of the history is cut short')
  return streams
}

export const removeFile = (path: string): Promise<void> => rm(path, { force: true })

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
