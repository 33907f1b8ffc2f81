import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  parkApplicationFields,
  parkApplicationList,
  parkApplicationStates,
  type parkApplicationEndpoints,
  type ParkApplicationState,
} from '@saddle/contract/operations/parkApplications.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { planeM } from '@saddle/geo/earth.ts'
import type { Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { each } from '#kit/each.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { Photos } from '#photos/public.ts'
import { countByState, countReturns, listedPark, lockPark, parkRows, selectPark, type ParkRow } from './store.ts'

interface Deps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
  readonly photos: Pick<Photos, 'keep' | 'read'>
  readonly geography: Pick<Geography, 'current' | 'addPlace'>
}
type ParkHandlers = Handlers<typeof parkApplicationEndpoints>
type ReadNames = 'listParkApplications' | 'parkApplicationCounts' | 'exportParkApplications' | 'parkApplicationPhotos'

const returnsOfMs = 30 * dayMs

/** Requests for new parking spots from the field; an approved one is in force from then on. */
export function createParkApplicationHandlers(deps: Deps): ParkHandlers {
  return { ...createReading(deps), ...createChanges(deps) }
}

function createReading(deps: Deps): Pick<ParkHandlers, ReadNames> {
  const { kit, photos, geography } = deps
  const list = serveList(deps, parkApplicationList, {
    name: 'parking-applications',
    prepare: (_, { caller }) => ({ operatorId: caller.operatorId }),
    rows: parkRows,
    lookUp: async (rows, { scope }) => {
      const asked = { ids: rows.map(({ id }) => id), since: new Date(kit.clock.now() - returnsOfMs) }
      const [counted, fences] = await Promise.all([
        kit.db.read(scope, (k) => countReturns(scope, asked).compile(k)),
        geography.current.recent([...new Set(rows.map((row) => row.area_id))]),
      ])
      return { returns: new Map(counted.map((row) => [row.id, row.returns])), fences }
    },
    present: (row, { caller }, { returns, fences }) => {
      const { photoIds, applicantId, ...shown } = listedPark.present(row)
      const distances = (fences.get(row.area_id)?.parking ?? []).map(({ centre }) => planeM(row, centre))
      return {
        ...shown,
        photos: photoIds.length,
        isOwn: applicantId === caller.operatorId,
        returns: returns.get(row.id) ?? 0,
        nearestM: distances.length === 0 ? null : Math.round(distances.reduce((a, b) => Math.min(a, b))),
      }
    },
    file: { action: 'park.export', fields: parkApplicationFields },
  })
  return {
    listParkApplications: list.page,
    exportParkApplications: list.file,

    parkApplicationCounts: async ({ filter }, { scope, caller }) => {
      const rows = await kit.db.read(scope, (k) => countByState(scope, filter, caller).compile(k))
      const found = new Map(rows.map(({ state, count }) => [state, count]))
      const counts = parkApplicationStates.map((state) => [state, found.get(state) ?? 0] as const)
      return { suc: true, data: Object.fromEntries(counts) as Record<ParkApplicationState, number> }
    },

    parkApplicationPhotos: async ({ id }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectPark(scope, id).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: { photos: await photos.read(scope, { purpose: 'place', ids: row.photo_ids }) } }
    },
  }
}

const serviceAreaRow = rowOf('service_area', 'a', ['agent_id'])

function createChanges(deps: Deps): Omit<ParkHandlers, ReadNames> {
  const { kit, photos } = deps
  return {
    submitParkApplication: async ({ areaId, name, lat, lng, radiusM, capacity, reason, photos: files }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const { scope, caller } = call
        const { rows } = await serviceAreaRow.select`
          from service_area a
          where a.id = ${areaId} and ${tenantFilter('a', scope)}`.execute(tx)
        const agentId = rows[0]?.agent_id
        if (agentId === undefined) throw new AppError('not_found')
        const photoIds: string[] = []
        for (const file of files) photoIds.push(await photos.keep(tx, { agentId, areaId, purpose: 'place', file }))
        const { id } = await tx
          .insertInto('park_application')
          .values({
            agent_id: agentId,
            area_id: areaId,
            name,
            lat,
            lng,
            radius_m: radiusM,
            capacity,
            reason,
            photo_ids: photoIds,
            applicant_id: caller.operatorId,
            applicant_name: caller.name,
            applied_at: new Date(kit.clock.now()),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const park = { id, agent_id: agentId, area_id: areaId }
        await note(deps, tx, call, { state: 'submitted', park, after: { name, reason } })
        return { suc: true, data: { id } }
      }),

    withdrawParkApplication: async ({ id }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const park = await lockPark(tx, call.scope, id)
        if (park === undefined || park.applicant_id !== call.caller.operatorId) throw new AppError('not_found')
        if (park.state !== 'waiting') throw new AppError('application_decided')
        await sql`
          update park_application set state = 'withdrawn', decided_at = ${new Date(kit.clock.now())},
            decided_by = ${call.caller.name}
          where id = ${id}`.execute(tx)
        await note(deps, tx, call, { state: 'withdrawn', park, after: { name: park.name } })
        return { suc: true, data: { id } }
      }),

    decideParkApplications: async ({ ids, ...decision }, call) => {
      const { done, refused } = await each(ids, (id) => decideOne(deps, call, { id, ...decision }))
      return { suc: true, data: { decided: done, refused } }
    },
  }
}

/** One decision with its parking spot and its audit record, in one transaction. */
async function decideOne(
  deps: Deps,
  call: SessionCall,
  { id, decision, note: said }: { id: number; decision: 'approved' | 'rejected'; note: string },
): Promise<void> {
  const { kit, geography } = deps
  await kit.db.withScope(call.scope, async (tx) => {
    const park = await lockPark(tx, call.scope, id)
    if (park === undefined) throw new AppError('not_found')
    if (park.state !== 'waiting') throw new AppError('application_decided')
    if (park.applicant_id === call.caller.operatorId) throw new AppError('park_own')
    const fenceId = decision === 'approved' ? await geography.addPlace(tx, call, placeOf(park)) : null
    await sql`
      update park_application set state = ${decision}::text, decided_at = ${new Date(kit.clock.now())},
        decided_by = ${call.caller.name}, note = ${said}, fence_id = ${fenceId}
      where id = ${id}`.execute(tx)
    await note(deps, tx, call, { state: decision, park, after: { name: park.name, note: said } })
  })
}

const placeOf = ({ area_id: areaId, name, lat, lng, radius_m: radiusM, capacity, reason, photo_ids }: ParkRow) => ({
  areaId,
  name,
  centre: { lat, lng },
  radiusM,
  capacity,
  note: reason,
  photoIds: photo_ids,
})

const note = (
  { audit }: Deps,
  tx: Tx,
  call: SessionCall,
  act: {
    readonly state: 'submitted' | 'withdrawn' | 'approved' | 'rejected'
    readonly park: Pick<ParkRow, 'id' | 'agent_id' | 'area_id'>
    readonly after: Readonly<Record<string, unknown>>
  },
): Promise<void> =>
  audit.act(tx, call, {
    agentId: act.park.agent_id,
    areaId: act.park.area_id,
    action: `park.${act.state}`,
    subjectKind: 'park_application',
    subjectId: act.park.id,
    after: act.after,
  })
