import { z } from 'zod'
import { lifeKinds, type LifeEntry, type lifeEndpoints } from '@saddle/contract/fleet/life.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { selectIdentity } from '../vehicles/store.ts'
import { entryOf, selectLife } from './store.ts'

/** Where a page ended: the instant (µs) of its last entry, its kind and its id. */
const cursorSchema = z.tuple([z.string().regex(/^\d{1,17}$/), z.enum(lifeKinds), z.int()])

/** One vehicle's whole life, the newest first. */
export function createLifeHandlers(kit: Pick<Kit, 'db' | 'clock'>): Handlers<typeof lifeEndpoints> {
  return {
    vehicleLife: async ({ vehicleId, kinds, from, to, cursor, pageSize }, { scope }) => {
      const after = cursor === undefined ? null : readCursor(cursor)
      const [known] = await kit.db.read(scope, (k) => selectIdentity(k, { by: { id: vehicleId }, scope }).compile())
      if (known === undefined) throw new AppError('vehicle_not_found')
      const query = selectLife({ vehicleId, kinds: kinds ?? lifeKinds, from, to, after, limit: pageSize + 1, scope })
      const rows = await kit.db.read(scope, (k) => query.compile(k))
      const shown = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? shown.at(-1) : undefined
      const nextCursor = last === undefined ? null : writeCursor([last.micros, last.kind, last.id])
      const nowMs = kit.clock.now()
      return { suc: true, data: { list: shown.map((row): LifeEntry => entryOf(row, nowMs)), nextCursor } }
    },
  }
}

export type LifeCursor = z.infer<typeof cursorSchema>

const writeCursor = (cursor: LifeCursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

function readCursor(text: string): LifeCursor {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}
