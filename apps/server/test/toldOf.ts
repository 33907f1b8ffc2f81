import type { Kysely } from 'kysely'
import type { DB } from '#kit/db/types.ts'

/** The events that were told of a subject, in order. */
export const toldOf = async (owner: Kysely<DB>, subject: string): Promise<string[]> =>
  (await owner.selectFrom('notice').select('event').where('subject', '=', subject).orderBy('id').execute()).map(
    ({ event }) => event,
  )
