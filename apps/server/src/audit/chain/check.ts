import type { CompiledQuery, Kysely } from 'kysely'
import type { DB } from '#kit/db/types.ts'
import { readAnchors } from './anchorFile.ts'
import { selectCheck, selectLostAnchor, selectLostOwnAnchor } from './store.ts'

/** Runs one statement: with a request's scope, or as the system. */
export type Read = <R>(build: (kysely: Kysely<DB>) => CompiledQuery<R>) => Promise<R[]>

/** Up to where a chain is known to fit. */
export interface ChainPlace {
  readonly sequence: number
  /** Hex; empty before the first line. */
  readonly hash: string
}

export const chainStart: ChainPlace = { sequence: 0, hash: '' }

export interface ChainFault {
  /** `line`: changed, missing or put in. `anchor`: what was kept of the chain is not in it. */
  readonly kind: 'line' | 'anchor'
  readonly sequence: number
}

/**
 * Checks up to `lines` lines of one chain behind a place that fits; with the last part, that the chain still holds the
 * anchors that the database and the folder keep of it. `next` is null when there is no more to check.
 */
export async function checkPart(options: {
  read: Read
  agentId: number
  place: ChainPlace
  lines: number
  anchorFolder: string
}): Promise<{ place: ChainPlace; fault: ChainFault | null; isDone: boolean }> {
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
  const lost = await lostAnchor(options)
  return { place: reached, fault: lost === null ? null : { kind: 'anchor', sequence: lost }, isDone: true }
}

async function lostAnchor(options: { read: Read; agentId: number; anchorFolder: string }): Promise<number | null> {
  const { read, agentId, anchorFolder: folder } = options
  const [own] = await read((kysely) => selectLostOwnAnchor(kysely, agentId))
  if (own !== undefined) return own.sequence
  for await (const anchors of readAnchors({ folder, agentId })) {
    const [lost] = await read((kysely) => selectLostAnchor(kysely, anchors))
    if (lost !== undefined) return lost.sequence
  }
  return null
}
