import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  parkExportRows,
  parkStateLabels,
  parkStates,
  type ParkApplication,
  type parkEndpoints,
  type ParkState,
} from '@saddle/contract/operations/parkApplications.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { planeM, type LatLng } from '@saddle/geo/earth.ts'
import { byArea, type Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime, csvLine, csvPart } from '#kit/csv.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { within } from '#kit/db/within.ts'
import type { Kit } from '#kit/kit.ts'
import { known } from '#kit/known.ts'
import { randomUuid } from '#kit/random.ts'
import type { Photos } from '#photos/public.ts'
import { countParks, lockParks, selectParks, type LockedPark, type ParkRow, type ParkSearch } from './store.ts'

export type ParkParts = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
  readonly photos: Pick<Photos, 'keep' | 'read'>
  readonly geography: Pick<Geography, 'current' | 'addPlace'>
}
type ParkHandlers = Handlers<typeof parkEndpoints>

const returnsOfMs = 30 * dayMs

/** New parking places that somebody in the field asks for; an approved one is in force from then on. */
export function createParkHandlers(parts: ParkParts): ParkHandlers {
  const { kit, photos } = parts
  const read = async (search: ParkSearch, page: { beforeId: number | undefined; limit: number }) => {
    const since = new Date(kit.clock.now() - returnsOfMs)
    const rows = await kit.db.read(search.scope, (k) => selectParks(search, { ...page, since }).compile(k))
    const fences = await parts.geography.current.recent([...new Set(rows.map((row) => row.area_id))])
    return rows.map((row) => parkOf(row, search.operatorId, fences.get(row.area_id)?.parking ?? []))
  }
  return {
    ...createParkChanges(parts),

    listParkApplications: async ({ filter, beforeId, pageSize }, { scope, caller }) => {
      const search = { scope, filter, operatorId: caller.operatorId }
      const [found, counted] = await Promise.all([
        read(search, { beforeId, limit: pageSize + 1 }),
        kit.db.read(scope, (k) => countParks(search).compile(k)),
      ])
      const byState = new Map(counted.map((row) => [row.state, row.count]))
      const counts = Object.fromEntries(
        parkStates.map((state): [ParkState, number] => [state, byState.get(state) ?? 0]),
      ) as Record<ParkState, number>
      return { suc: true, data: { list: found.slice(0, pageSize), hasMore: found.length > pageSize, counts } }
    },

    parkApplicationPhotos: async ({ id }, { scope }) => {
      const [row] = await kit.db.withScope(scope, (tx) => lockParks(tx, { scope, ids: [id] }))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: { photos: await photos.read(scope, { purpose: 'place', ids: row.photo_ids }) } }
    },

    exportParkApplications: async ({ filter }, call) => {
      const { scope, caller } = call
      const exportId = randomUuid(kit.random)
      const search = { scope, filter, operatorId: caller.operatorId }
      const list = await read(search, { beforeId: undefined, limit: parkExportRows })
      await kit.db.withScope({ agentIds: [caller.agentId], areaIds: [], operatorId: caller.operatorId }, (tx) =>
        parts.audit.write(tx, {
          agentId: caller.agentId,
          operatorId: caller.operatorId,
          action: 'park.export',
          subjectKind: 'export',
          subjectId: exportId,
          after: { filter },
          address: call.address,
          requestId: call.requestId,
        }),
      )
      const atMs = kit.clock.now()
      const origin = { exportId, operatorName: caller.name }
      const text = csvPart({ origin, titles: parkCsvTitles, isFirst: true, lines: list.map(parkCsvRow) })
      const fileName = `parking-applications-${businessTime(atMs).slice(0, 10)}-${exportId.slice(0, 8)}.csv`
      return { suc: true, data: { exportId, fileName, text, rows: list.length } }
    },
  }
}

const serviceAreaRow = rowOf('service_area', 'a', ['agent_id'])

function createParkChanges(
  parts: ParkParts,
): Pick<ParkHandlers, 'submitParkApplication' | 'withdrawParkApplication' | 'decideParkApplications'> {
  const { kit, photos } = parts
  return {
    submitParkApplication: async ({ areaId, name, lat, lng, radiusM, capacity, reason, photos: files }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const { scope, caller } = call
        const { rows } = await serviceAreaRow.select`
          from service_area a
          where a.id = ${areaId} and ${within('a', scope)}`.execute(tx)
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
        const made = { id, agent_id: agentId, area_id: areaId }
        await noteParks(parts, tx, call, { state: 'submitted', parks: [made], after: { name, reason } })
        return { suc: true, data: { id } }
      }),

    withdrawParkApplication: async ({ id }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const [park] = await lockParks(tx, { scope: call.scope, ids: [id] })
        if (park === undefined || park.applicant_id !== call.caller.operatorId) throw new AppError('not_found')
        if (park.state !== 'waiting') throw new AppError('application_decided')
        await sql`
          update park_application set state = 'withdrawn', decided_at = ${new Date(kit.clock.now())},
            decided_by = ${call.caller.name}
          where id = ${id}`.execute(tx)
        await noteParks(parts, tx, call, { state: 'withdrawn', parks: [park], after: { name: park.name } })
        return { suc: true, data: { id } }
      }),

    decideParkApplications: async ({ ids: asked, decision, note }, call) => {
      const decided: number[] = []
      const refused: { id: number; promot: string }[] = []
      const ids = [...new Set(asked)]
      for (const id of ids) {
        try {
          await decideOne(parts, call, { id, decision, note })
          decided.push(id)
        } catch (error) {
          // Of one application the refusal is the answer.
          if (!(error instanceof AppError) || ids.length === 1) throw error
          refused.push({ id, promot: error.message })
        }
      }
      return { suc: true, data: { decided, refused } }
    },
  }
}

/** One decision with its parking place and its line in the log, in one transaction. */
async function decideOne(
  parts: ParkParts,
  call: SessionCall,
  { id, decision, note }: { id: number; decision: 'approved' | 'rejected'; note: string },
): Promise<void> {
  const { kit, geography } = parts
  await kit.db.withScope(call.scope, async (tx) => {
    const [park] = await lockParks(tx, { scope: call.scope, ids: [id] })
    if (park === undefined) throw new AppError('not_found')
    if (park.state !== 'waiting') throw new AppError('application_decided')
    if (park.applicant_id === call.caller.operatorId) throw new AppError('park_own')
    const fenceId = decision === 'approved' ? await geography.addPlace(tx, call, placeOf(park)) : null
    await sql`
      update park_application set state = ${decision}::text, decided_at = ${new Date(kit.clock.now())},
        decided_by = ${call.caller.name}, note = ${note}, fence_id = ${fenceId}
      where id = ${id}`.execute(tx)
    await noteParks(parts, tx, call, { state: decision, parks: [park], after: { name: park.name, note } })
  })
}

const placeOf = ({ area_id: areaId, name, lat, lng, radius_m: radiusM, capacity, reason, photo_ids }: LockedPark) => ({
  areaId,
  name,
  centre: { lat, lng },
  radiusM,
  capacity,
  note: reason,
  photoIds: photo_ids,
})

async function noteParks(
  { audit }: ParkParts,
  tx: Tx,
  call: SessionCall,
  act: {
    readonly state: 'submitted' | 'withdrawn' | 'approved' | 'rejected'
    readonly parks: readonly { readonly id: number; readonly agent_id: number; readonly area_id: number }[]
    readonly after: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  for (const { agentId, areaId, rows } of byArea(act.parks)) {
    await audit.write(tx, {
      agentId,
      areaId,
      operatorId: call.caller.operatorId,
      action: `park.${act.state}`,
      subjectKind: 'park_application',
      subjectId: rows[0]?.id ?? '',
      after: act.after,
      address: call.address,
      requestId: call.requestId,
    })
  }
}

type Centre = { readonly centre: LatLng }

function parkOf(row: ParkRow, operatorId: number, places: readonly Centre[]): ParkApplication {
  const distances = places.map(({ centre }) => planeM(row, centre))
  return {
    id: row.id,
    agentId: row.agent_id,
    areaId: row.area_id,
    areaName: row.area_name,
    name: row.name,
    lat: row.lat,
    lng: row.lng,
    radiusM: row.radius_m,
    capacity: row.capacity,
    reason: row.reason,
    photos: row.photo_ids.length,
    state: known(parkStates, row.state),
    applicantName: row.applicant_name,
    isOwn: row.applicant_id === operatorId,
    appliedAt: row.applied_at.getTime(),
    decidedAt: row.decided_at?.getTime() ?? null,
    decidedBy: row.decided_by,
    note: row.note,
    fenceId: row.fence_id,
    returns: row.returns,
    nearestM: distances.length === 0 ? null : Math.round(distances.reduce((a, b) => Math.min(a, b))),
  }
}

const columns: readonly (readonly [title: string, value: (row: ParkApplication) => string | number | null])[] = [
  ['申请编号', (row) => row.id],
  ['名称', (row) => row.name],
  ['服务区', (row) => row.areaName],
  ['状态', (row) => parkStateLabels[row.state]],
  ['纬度', (row) => row.lat],
  ['经度', (row) => row.lng],
  ['半径(米)', (row) => row.radiusM],
  ['容量(辆)', (row) => row.capacity],
  ['近 30 天还车次数', (row) => row.returns],
  ['理由', (row) => row.reason],
  ['申请人', (row) => row.applicantName],
  ['申请时间', (row) => businessTime(row.appliedAt)],
  ['审批人', (row) => row.decidedBy],
  ['审批时间', (row) => businessTime(row.decidedAt)],
  ['审批意见', (row) => row.note],
]
const parkCsvTitles = columns.map(([title]) => title)
const parkCsvRow = (row: ParkApplication): string => csvLine(columns.map(([, value]) => value(row)))
