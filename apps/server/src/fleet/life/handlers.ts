import type { Language } from '@saddle/contract/constants.ts'
import { lifeKinds, type LifeEntry, type LifeKind, type lifeEndpoints } from '@saddle/contract/fleet/life.ts'
import { lifeFileFields } from '@saddle/contract/fleet/lifeFile.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { pagedFile } from '#kit/list/pagedFile.ts'
import { selectIdentity } from '../vehicles/store.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { lineOf } from './lines.ts'
import { entryOf, selectLife } from './store.ts'

interface Asked {
  readonly vehicleId: number
  readonly kinds?: readonly LifeKind[] | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}
type AskedPage = Asked & { readonly cursor?: string | undefined; readonly pageSize: number }
type LifeKit = Pick<Kit, 'db' | 'clock' | 'random'>

/** One vehicle's whole life, the newest first. */
export function createLifeHandlers(kit: LifeKit, { audit }: { readonly audit: Audit }): Handlers<typeof lifeEndpoints> {
  return {
    vehicleLife: async (asked, { scope }) => {
      const { rows, next } = await readLife(kit, scope, asked)
      return { suc: true, data: { list: rows, nextCursor: next } }
    },
    exportVehicleLife: pagedFile<Asked & { readonly language?: Language | undefined }, string>(
      { kit, audit },
      {
        name: 'vehicle-history',
        action: 'vehicle.life_export',
        fields: lifeFileFields,
        detail: ({ vehicleId, kinds, from, to }) => ({ vehicleId, kinds, from, to }),
        page: async ({ language = 'zh', ...asked }, { scope }, { after, size }) => {
          const { rows, next } = await readLife(kit, scope, { ...asked, cursor: after ?? undefined, pageSize: size })
          return { rows: rows.map((entry) => lineOf(entry, language)), next }
        },
      },
    ),
  }
}

async function readLife(kit: LifeKit, scope: Scope, { vehicleId, kinds, from, to, cursor, pageSize }: AskedPage) {
  const after = cursor === undefined ? null : readCursor(cursor)
  const [known] = await kit.db.read(scope, (k) => selectIdentity(k, { by: { id: vehicleId }, scope }).compile())
  if (known === undefined) throw new AppError('vehicle_not_found')
  const query = selectLife({ vehicleId, kinds: kinds ?? lifeKinds, from, to, after, limit: pageSize + 1, scope })
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  const shown = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? shown.at(-1) : undefined
  const next = last === undefined ? null : writeCursor([last.micros, last.kind, last.id])
  const nowMs = kit.clock.now()
  return { rows: shown.map((row): LifeEntry => entryOf(row, nowMs)), next }
}
