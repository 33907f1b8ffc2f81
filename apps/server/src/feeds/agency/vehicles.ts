import { isDeepStrictEqual } from 'node:util'
import { mdsPageMax } from '@saddle/contract/feeds/mdsRecords.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import { vehicleOf } from '../mds/records.ts'
import { selectMdsVehicles, selectMdsVehiclesById, type MdsVehicleRow } from '../mds/recordStore.ts'
import { isThere } from '../mds/provider.ts'
import type { AgencyDeps, City } from './city.ts'
import { alreadyRegistered } from './rules.ts'
import { saveKnown, selectKnown } from './store.ts'

const perRequest = 200
/** How often vehicles are compared with what a city knows. */
const compareEveryMs = 10 * minuteMs

interface Told {
  readonly vehicleId: number
  readonly record: ReturnType<typeof vehicleOf>
}

/** Registers the vehicles within the boundary, and sends what has changed of those that the city knows. */
export async function compareVehicles(deps: AgencyDeps, city: City): Promise<void> {
  const { db, clock } = deps.kit
  const { reader, bounds, target } = city
  const at = clock.now()
  let after = 0
  for (;;) {
    const rows = await db.read(reader.scope, (k) => selectMdsVehicles(reader.scope, { after }).compile(k))
    await tellVehicles(
      deps,
      city,
      rows.filter((row) => isThere(bounds, row)),
    )
    const last = rows.at(-1)
    if (rows.length <= mdsPageMax || last === undefined) break
    after = last.id
  }
  const next = new Date(at + compareEveryMs)
  await db.system((tx) =>
    sql`update mds_agency set vehicles_at = ${next} where jurisdiction_id = ${target.jurisdiction_id}`.execute(tx),
  )
}

/** Sees to it that the city knows these vehicles; resolves to those that it refused. */
export async function ensureVehicles(
  deps: AgencyDeps,
  city: City,
  vehicleIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { db } = deps.kit
  const { scope } = city.reader
  const wanted = [...new Set(vehicleIds)]
  const known = await db.systemRead((k) => selectKnown(city.target.jurisdiction_id, wanted).compile(k))
  const knows = new Set(known.map((row) => row.vehicle_id))
  const missing = wanted.filter((id) => !knows.has(id))
  if (missing.length === 0) return new Map()
  const rows = await db.read(scope, (k) => selectMdsVehiclesById(scope, missing).compile(k))
  return tellVehicles(deps, city, rows)
}

async function tellVehicles(
  deps: AgencyDeps,
  city: City,
  rows: readonly MdsVehicleRow[],
): Promise<ReadonlyMap<number, string>> {
  const { db, clock } = deps.kit
  const { target, owner } = city
  const refused = new Map<number, string>()
  for (let from = 0; from < rows.length; from += perRequest) {
    const some = rows
      .slice(from, from + perRequest)
      .map((row) => ({ vehicleId: row.id, record: vehicleOf(owner, row) }))
    const ids = some.map(({ vehicleId }) => vehicleId)
    const known = await db.systemRead((k) => selectKnown(target.jurisdiction_id, ids).compile(k))
    const recordOfVehicle = new Map(known.map((row) => [row.vehicle_id, row.record]))
    const fresh = some.filter(({ vehicleId }) => !recordOfVehicle.has(vehicleId))
    const made = await sendVehicles(city, 'POST', fresh)
    const there = fresh.filter((one) => made.refused.get(one) === alreadyRegistered)
    const changed = some.filter(({ vehicleId, record }) => {
      const told = recordOfVehicle.get(vehicleId)
      return told !== undefined && !isDeepStrictEqual(told, record)
    })
    const updated = await sendVehicles(city, 'PUT', [...there, ...changed])
    for (const [one, fault] of made.refused) if (!there.includes(one)) refused.set(one.vehicleId, fault)
    for (const [one, fault] of updated.refused) refused.set(one.vehicleId, fault)
    const taken = [...made.taken, ...updated.taken]
    if (taken.length > 0) await db.system((tx) => saveKnown(target, taken, new Date(clock.now())).execute(tx))
  }
  return refused
}

const sendVehicles = (city: City, method: 'POST' | 'PUT', items: readonly Told[]) =>
  city.send({
    kind: 'vehicle',
    method,
    path: '/vehicles',
    items,
    idField: 'device_id',
    idOf: ({ record }) => record.device_id,
    recordOf: ({ record }) => record,
  })
