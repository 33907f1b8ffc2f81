import { entryKinds } from '@saddle/contract/finance/ledger.ts'
import { withdrawalSourcesMax, type WithdrawalSource } from '@saddle/contract/finance/withdrawals.ts'
import { codeOf } from '#kit/codes.ts'
import type { Database } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { follow, type Piece } from './rules.ts'
import { eventOf, selectEvents, type EventRow } from './store.ts'

const kinds = Object.keys(entryKinds) as (keyof typeof entryKinds)[]

export const withdrawalReference = (id: number): string => `withdrawal:${id}`

/** Stretches that stand side by side, as one source: those of one entry and day. */
function sourcesOf(pieces: readonly Piece[]): Piece[] {
  const sources: Piece[] = []
  for (const piece of pieces) {
    const last = sources.at(-1)
    const isNext =
      last !== undefined &&
      last.entryNumber === piece.entryNumber &&
      last.day === piece.day &&
      last.isOfReserve === piece.isOfReserve &&
      last.from + last.cents === piece.from
    if (isNext) sources[sources.length - 1] = { ...last, cents: last.cents + piece.cents }
    else sources.push(piece)
  }
  return sources
}

/** The stretches that a withdrawal has taken, the oldest first, numbered from 1. */
export function piecesOf(events: readonly EventRow[], withdrawalId: number): (Piece & { readonly source: number })[] {
  const taken = follow(events.map(eventOf)).taken.get(withdrawalReference(withdrawalId)) ?? []
  return sourcesOf(taken).map((piece, index) => Object.assign(piece, { source: index + 1 }))
}

/** Where each cent of a withdrawal came from. */
export async function readSources(
  db: Database,
  { scope, agentId, withdrawalId }: { readonly scope: Scope; readonly agentId: number; readonly withdrawalId: number },
): Promise<{ readonly sources: WithdrawalSource[]; readonly isCut: boolean }> {
  const rows = await db.read(scope, (k) => selectEvents(agentId).compile(k))
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  const sources = piecesOf(rows, withdrawalId).flatMap(
    ({ entryNumber, cents, day, isOfReserve }): WithdrawalSource[] => {
      const row = byNumber.get(entryNumber)
      if (row === undefined) return []
      const { kind, reference, occurred_at: at, memo } = row
      return [
        {
          entryNumber,
          kind: codeOf(kinds, kind),
          reference,
          at: at.getTime(),
          entryCents: row.cents,
          cents,
          memo,
          day,
          isOfReserve,
        },
      ]
    },
  )
  return { sources: sources.slice(0, withdrawalSourcesMax), isCut: sources.length > withdrawalSourcesMax }
}
