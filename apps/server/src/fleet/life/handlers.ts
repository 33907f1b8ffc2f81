import { lifeKinds, type LifeEntry, type lifeEndpoints } from '@saddle/contract/fleet/life.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { selectIdentity } from '../vehicles/store.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { entryOf, selectLife } from './store.ts'

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
