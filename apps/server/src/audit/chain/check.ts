import type { CompiledQuery, Kysely } from 'kysely'
import type { DB } from '#kit/db/types.ts'
import { readAnchors } from './anchorFile.ts'
import { selectCheck, selectMissingAnchor, selectMissingOwnAnchor } from './store.ts'

/** Runs one statement, with a request's scope or as the system. */
export type Read = <R>(build: (kysely: Kysely<DB>) => CompiledQuery<R>) => Promise<R[]>

/** Up to where a chain has been verified. */
export interface ChainCursor {
  readonly sequence: number
  /** Hex; empty before the first line. */
  readonly hash: string
}

export const chainStart: ChainCursor = { sequence: 0, hash: '' }

export interface ChainFault {
  /** `line`: a record was changed, removed or inserted. `anchor`: an anchored record is not in the chain. */
  readonly kind: 'line' | 'anchor'
  readonly sequence: number
}

/**
 * Verifies up to `lines` records of one chain after a verified position; with the last part, that the chain still holds
 * the anchors stored in the database and the folder. `next` is null at the end.
 */
export async function checkPart(options: {
  read: Read
  agentId: number
  place: ChainCursor
  lines: number
  anchorFolder: string
}): Promise<{ place: ChainCursor; fault: ChainFault | null; isDone: boolean }> {
  const { read, agentId, place, lines } = options
  const [part] = await read((kysely) =>
    selectCheck(kysely, { agentId, afterSequence: place.sequence, afterHash: place.hash, limit: lines }),
  )
  if (part === undefined) throw new Error('an aggregate has one row')
  const { broken_at: brokenAt, last_sequence: sequence, last_hash: hash } = part
  if (brokenAt !== null) {
    return { place: { ...place, sequence: brokenAt - 1 }, fault: { kind: 'line', sequence: brokenAt }, isDone: true }
  }
  const reached = sequence === null || hash === null ? place : { sequence, hash }
  if (part.checked === lines) return { place: reached, fault: null, isDone: false }
  const lost = await findMissingAnchor(options)
  return { place: reached, fault: lost === null ? null : { kind: 'anchor', sequence: lost }, isDone: true }
}

async function findMissingAnchor(options: {
  read: Read
  agentId: number
  anchorFolder: string
}): Promise<number | null> {
  const { read, agentId, anchorFolder: folder } = options
  const [own] = await read((kysely) => selectMissingOwnAnchor(kysely, agentId))
  if (own !== undefined) return own.sequence
  for await (const anchors of readAnchors({ folder, agentId })) {
    const [lost] = await read((kysely) => selectMissingAnchor(kysely, anchors))
    if (lost !== undefined) return lost.sequence
  }
  return null
}
