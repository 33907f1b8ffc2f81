import { AppError } from '@saddle/contract/errors.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import {
  areaFields,
  areaList,
  areasPerCompanyMax,
  boundaryOverlapsMax,
  type AreaRow,
  type areaEndpoints,
} from '@saddle/contract/organisation/areas.ts'
import { boundaryProblem, boundaryProblemLabels } from '@saddle/contract/organisation/boundary.ts'
import { sql } from 'kysely'
import { areaKm2Of, isInRing, ringsOverlap, type Ring } from '@saddle/geo/ring.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import { guardedFile } from '#kit/list/listFile.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { CompanyDeps } from '#organisation/deps.ts'
import { centreOf } from './rules.ts'
import {
  areaRowOf,
  areaRows,
  findAreasNear,
  findReach,
  findVehiclePlaces,
  insertArea,
  lockArea,
  selectArea,
  type HeldArea,
} from './store.ts'
import { readAreaUses, usesText } from './uses.ts'

type ManageEndpoints = Omit<typeof areaEndpoints, 'listServiceAreas'>

/** Service areas with their boundaries: listing, drawing, stopping and removing them. */
export function createAreaManagement(parts: CompanyDeps): Handlers<ManageEndpoints> {
  const { db } = parts.kit
  const list = serveList(parts, areaList, {
    name: 'areas',
    rows: areaRows,
    present: areaRowOf,
    file: { action: 'area.export', fields: areaFields },
  })
  return {
    areasOfAgent: async (input, call) => {
      assertCompany(input.filter.agentId, call)
      return list.page(input, call)
    },

    exportAreas: guardedFile(list.file, ({ filter }, call) => assertCompany(filter.agentId, call)),

    areasOfOperator: async ({ operatorId }, { caller, scope }) => {
      const who = operatorId ?? caller.operatorId
      const mayAsk = who === caller.operatorId || ['1002', '1101'].some((code) => caller.permissions.has(code))
      if (!mayAsk) throw new AppError('forbidden')
      const reach = await findReach({ db, scope, operatorId: who })
      if (reach === null) throw new AppError('not_found')
      return { suc: true, data: reach }
    },

    createArea: async (input, call) => {
      const areaId = await createArea(parts, input, call)
      const seen = { ...call.scope, areaIds: [...call.scope.areaIds, areaId] }
      return { suc: true, data: await areaRow(parts, seen, areaId) }
    },

    changeArea: async (input, call) => {
      await changeArea(parts, input, call)
      return { suc: true, data: await areaRow(parts, call.scope, input.id) }
    },

    removeArea: async ({ id }, call) => {
      await removeArea(parts, id, call)
      return { suc: true, data: {} }
    },

    previewArea: async ({ id, ring }, { scope }) => {
      if (id !== undefined && !scope.areaIds.includes(id)) throw new AppError('not_found')
      const problem = boundaryProblem(ring)
      const areaKm2 = areaKm2Of(ring)
      if (problem !== null) return { suc: true, data: { problem, areaKm2, overlaps: [], vehiclesOutside: 0 } }
      const [near, places] = await Promise.all([
        findAreasNear({ db, scope, ring, exceptId: id }),
        id === undefined ? [] : findVehiclePlaces({ db, scope, areaId: id }),
      ])
      const overlaps = near
        .filter((other) => ringsOverlap(other.ring, ring))
        .slice(0, boundaryOverlapsMax)
        .map(({ id, name, company }) => ({ id, name, company }))
      const vehiclesOutside = places.filter(({ lat, lng }) => !isInRing(ring, [lng, lat])).length
      return { suc: true, data: { problem, areaKm2, overlaps, vehiclesOutside } }
    },

    areaUses: async ({ id }, { scope }) => {
      const list = await db.system(async (tx) => {
        if ((await lockArea({ tx, scope, areaId: id })) === null) throw new AppError('not_found')
        return readAreaUses(tx, id)
      })
      const refusal = list.length === 0 ? null : new AppError('in_use', { values: { detail: usesText(list) } }).message
      return { suc: true, data: { list, refusal } }
    },
  }
}

function assertCompany(agentId: number | undefined, { scope }: SessionCall): void {
  if (agentId !== undefined && !scope.agentIds.includes(agentId)) throw new AppError('foreign_scope')
}

const authorOf = ({ caller }: SessionCall) => ({ name: caller.name, note: '', restoredFrom: null })

/** Throws boundary_invalid with what is wrong. */
export function checkRing(ring: Ring): void {
  const problem = boundaryProblem(ring)
  if (problem !== null) throw new AppError('boundary_invalid', { values: { detail: boundaryProblemLabels[problem] } })
}

type NewArea = Pick<InputOf<typeof areaEndpoints.createArea>, 'agentId' | 'name' | 'ring'>

/** Adds an area with its boundary and its line; system only: it lies in nobody's scope yet. */
export async function addArea(parts: CompanyDeps, tx: Tx, area: NewArea, call: SessionCall): Promise<number> {
  const { agentId, name, ring } = area
  const areaId = await insertArea({ tx, area })
  await parts.geography.recordBoundary(tx, {
    agentId,
    areaId,
    name,
    centre: centreOf(ring),
    ring,
    author: authorOf(call),
  })
  await parts.audit.act(tx, call, {
    agentId,
    areaId,
    action: 'area.create',
    subjectKind: 'area',
    subjectId: areaId,
    after: { name, ring: outlineOf(ring) },
  })
  return areaId
}

async function createArea(parts: CompanyDeps, area: NewArea, call: SessionCall): Promise<number> {
  const { kit, identity } = parts
  const { agentId } = area
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('foreign_scope')
  checkRing(area.ring)
  return kit.db
    .system(async (tx) => {
      await checkMayAdd(tx, agentId, call)
      const areaId = await addArea(parts, tx, area, call)
      await identity.accessChanged(tx, { areaId })
      return areaId
    })
    .catch(asRefusal)
}

const areasRow = rowOfValues({ areas: computed('bigint', sql`count(*)`) })

/** Throws where the caller is held to named areas, or the company has as many as it may have. */
async function checkMayAdd(tx: Tx, agentId: number, call: SessionCall): Promise<void> {
  await checkReachesAll(tx, call)
  // One after the other, so that two of them do not both find room for one more.
  await sql`select from agent where id = ${agentId} for no key update`.execute(tx)
  const { rows } = await areasRow.select`from service_area where agent_id = ${agentId}`.execute(tx)
  if ((rows[0]?.areas ?? 0) >= areasPerCompanyMax) throw new AppError('too_many_areas')
}

/** Throws areas_held: who is held to named areas opens no other, for themselves or for anybody. */
export async function checkReachesAll(tx: Tx, { caller }: SessionCall): Promise<void> {
  const row = await tx.selectFrom('operator').select('all_areas').where('id', '=', caller.operatorId).executeTakeFirst()
  if (row?.all_areas !== true) throw new AppError('areas_held')
}

async function changeArea(
  parts: CompanyDeps,
  input: InputOf<typeof areaEndpoints.changeArea>,
  call: SessionCall,
): Promise<void> {
  const { kit, audit, identity, geography } = parts
  const { id, name, ring, state } = input
  if (ring !== undefined) checkRing(ring)
  const change = async (tx: Tx): Promise<void> => {
    const before = await lockArea({ tx, scope: call.scope, areaId: id })
    if (before === null) throw new AppError('not_found')
    const after = differenceOf(before, input)
    if (Object.keys(after).length === 0) return
    const centre = centreOf(ring ?? before.ring)
    await tx
      .updateTable('service_area')
      .set({
        ...(name !== undefined && { name }),
        ...(state !== undefined && { state }),
        ...(after.ring !== undefined && { ring: JSON.stringify(ring), centre_lat: centre.lat, centre_lng: centre.lng }),
      })
      .where('id', '=', id)
      .where('agent_id', '=', before.agentId)
      .execute()
    if (after.ring !== undefined || after.name !== undefined) {
      const boundary = {
        agentId: before.agentId,
        areaId: id,
        name: name ?? before.name,
        centre,
        ring: ring ?? before.ring,
        author: authorOf(call),
      }
      await geography.recordBoundary(tx, boundary)
    }
    const old = { name: before.name, state: before.state, ring: outlineOf(before.ring) }
    await audit.act(tx, call, {
      agentId: before.agentId,
      areaId: id,
      action: 'area.change',
      subjectKind: 'area',
      subjectId: id,
      before: Object.fromEntries(Object.entries(old).filter(([key]) => key in after)),
      after,
    })
    await identity.accessChanged(tx, { areaId: id })
  }
  await kit.db.withScope(call.scope, change).catch(asRefusal)
}

type Difference = { name?: string; state?: string; ring?: ReturnType<typeof outlineOf> }

function differenceOf(before: HeldArea, { name, ring, state }: InputOf<typeof areaEndpoints.changeArea>): Difference {
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(state !== undefined && state !== before.state && { state }),
    ...(ring !== undefined && JSON.stringify(ring) !== JSON.stringify(before.ring) && { ring: outlineOf(ring) }),
  }
}

async function removeArea(parts: CompanyDeps, areaId: number, call: SessionCall): Promise<void> {
  const { kit, audit, identity, geography } = parts
  const remove = async (tx: Tx): Promise<void> => {
    // Held against whoever would begin to use it: a reference to it waits for this transaction.
    const area = await lockArea({ tx, scope: call.scope, areaId })
    if (area === null) throw new AppError('not_found')
    const uses = await readAreaUses(tx, areaId)
    if (uses.length > 0) throw new AppError('in_use', { values: { detail: usesText(uses) } })
    await geography.dropBoundaries(tx, areaId)
    await tx.deleteFrom('service_area').where('id', '=', areaId).where('agent_id', '=', area.agentId).execute()
    await audit.act(tx, call, {
      agentId: area.agentId,
      areaId,
      action: 'area.remove',
      subjectKind: 'area',
      subjectId: areaId,
      before: { name: area.name, state: area.state, ring: outlineOf(area.ring) },
    })
    // The area itself is gone: those who saw it are found by its company.
    await identity.accessChanged(tx, { agentId: area.agentId })
  }
  await kit.db.system(remove)
}

async function areaRow({ kit }: CompanyDeps, scope: Scope, areaId: number): Promise<AreaRow> {
  const [row] = await kit.db.read(scope, (k) => selectArea(areaId, scope).compile(k))
  if (row === undefined) throw new AppError('not_found')
  return areaRowOf(row)
}

/** What the line keeps of a boundary: its size. The shape itself is in the fence's versions. */
function outlineOf(ring: Ring) {
  return { corners: ring.length - 1, areaKm2: Math.round(areaKm2Of(ring) * 1_000) / 1_000 }
}

function asRefusal(error: unknown): never {
  if (isTaken(error)) throw new AppError('name_taken', { cause: error })
  throw error
}
