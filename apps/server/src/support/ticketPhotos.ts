import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { feedbackPhotosInAllMax } from '@saddle/contract/support/feedback.ts'
import { ticketPhotosInAllMax } from '@saddle/contract/support/tickets.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Photos } from '#photos/public.ts'

/** Both kinds of tickets: who may see their photos, how many there may be, and their tables. */
const kinds = {
  ticket: { purpose: 'ticket', max: ticketPhotosInAllMax, table: 'ticket', steps: 'ticket_event', of: 'ticket_id' },
  feedback: {
    purpose: 'feedback',
    max: feedbackPhotosInAllMax,
    table: 'feedback_ticket',
    steps: 'feedback_event',
    of: 'feedback_id',
  },
} as const
type Kind = keyof typeof kinds
type Keep = { readonly photos: Pick<Photos, 'keep'> }

/** Stores the photos of a new ticket. */
export async function keepTicketPhotos(
  { photos }: Keep,
  tx: Tx,
  given: {
    readonly kind: Kind
    readonly agentId: number
    readonly areaId: number | null
    readonly files: readonly string[]
  },
): Promise<string[]> {
  const { kind, agentId, areaId, files } = given
  const { purpose } = kinds[kind]
  const ids: string[] = []
  for (const file of files) ids.push(await photos.keep(tx, { agentId, areaId, purpose, file }))
  return ids
}

/** Stores the photos of a step of a locked ticket. Throws ticket_photos_full. */
export async function keepStepPhotos(
  parts: Keep,
  tx: Tx,
  given: {
    readonly kind: Kind
    readonly ticket: { readonly id: number; readonly agent_id: number; readonly area_id: number | null }
    readonly files: readonly string[]
  },
): Promise<string[]> {
  const { kind, ticket, files } = given
  if (files.length === 0) return []
  if ((await countPhotos(tx, kind, ticket.id)) + files.length > kinds[kind].max) {
    throw new AppError('ticket_photos_full')
  }
  return keepTicketPhotos(parts, tx, { kind, agentId: ticket.agent_id, areaId: ticket.area_id, files })
}

/** Photos of a ticket and of its steps. */
async function countPhotos(tx: Tx, kind: Kind, id: number): Promise<number> {
  const { table, steps, of } = kinds[kind]
  const { rows } = await rowOfValues({
    count: computed(
      'bigint',
      sql`(select coalesce(sum(cardinality(e.photo_ids)), 0)::integer from ${sql.table(steps)} e
          where ${sql.ref(`e.${of}`)} = ${id}) + cardinality(t.photo_ids)`,
    ),
  }).select`from ${sql.table(table)} t where t.id = ${id}`.execute(tx)
  return rows[0]?.count ?? 0
}
