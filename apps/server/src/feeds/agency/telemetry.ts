import { mdsAgencyLimits } from '@saddle/contract/feeds/agency.ts'
import { mdsSettledMs, type MdsTelemetry } from '@saddle/contract/feeds/mdsRecords.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import { hourState } from '../mds/common.ts'
import { telemetryOfSpan } from '../mds/telemetry.ts'
import type { AgencyDeps, City } from './city.ts'
import { unregistered } from './rules.ts'
import { forgetVehicles } from './store.ts'
import { ensureVehicles } from './vehicles.ts'

const perRequest = 1_000
/** Hours of one run, after a time when the city was not there. */
const hoursMax = 24

interface Point {
  readonly vehicleId: number
  readonly record: MdsTelemetry
}

/** Sends the telemetry of the hours that are complete, hour by hour and vehicle by vehicle. */
export async function sendTelemetry(deps: AgencyDeps, city: City, isOver: () => boolean): Promise<void> {
  const { db, clock } = deps.kit
  const { reader, target } = city
  // A city that was away for longer is not sent what lies further back.
  const firstMs = Math.floor((clock.now() - mdsAgencyLimits.keepDays * dayMs) / hourMs) * hourMs
  const isLate = target.telemetry_from.getTime() < firstMs
  let fromMs = isLate ? firstMs : target.telemetry_from.getTime()
  let after = isLate ? 0 : target.telemetry_after
  const save = () =>
    db.system((tx) =>
      sql`update mds_agency set telemetry_from = ${new Date(fromMs)}, telemetry_after = ${after}
        where jurisdiction_id = ${target.jurisdiction_id}`.execute(tx),
    )
  for (let hours = 0; hours < hoursMax; hours += 1) {
    const late = clock.now() - fromMs - hourMs
    if (late < mdsSettledMs) return
    // A ride that hangs does not hold up the others for longer than a day.
    if (late < dayMs && (await hourState(deps.kit, reader.scope, fromMs)) === 202) return
    const span = { from: new Date(fromMs), to: new Date(fromMs + hourMs) }
    for await (const { lastId, told } of telemetryOfSpan(deps.kit, { reader, span, after })) {
      for (let from = 0; from < told.length; from += perRequest)
        await sendPoints(deps, city, told.slice(from, from + perRequest))
      after = lastId
      await save()
      if (isOver()) return
    }
    fromMs += hourMs
    after = 0
    await save()
  }
}

/** What a city refuses for another reason than an unknown vehicle is counted and not sent again. */
async function sendPoints(deps: AgencyDeps, city: City, points: readonly Point[]): Promise<void> {
  const refused = await send(points)
  const ids = [...refused].flatMap(([point, fault]) => (fault === unregistered ? [point.vehicleId] : []))
  if (ids.length === 0) return
  await deps.kit.db.system((tx) => forgetVehicles(city.target.jurisdiction_id, ids).execute(tx))
  await send(points.filter(({ vehicleId }) => ids.includes(vehicleId)))

  async function send(some: readonly Point[]): Promise<ReadonlyMap<Point, string>> {
    const vehicleIds = some.map(({ vehicleId }) => vehicleId)
    const notRegistered = await ensureVehicles(deps, city, vehicleIds)
    const sent = await city.send({
      kind: 'telemetry',
      method: 'POST',
      path: '/telemetry',
      items: some.filter(({ vehicleId }) => !notRegistered.has(vehicleId)),
      idField: 'telemetry_id',
      idOf: ({ record }) => record.telemetry_id,
      recordOf: ({ record }) => record,
    })
    return sent.refused
  }
}
