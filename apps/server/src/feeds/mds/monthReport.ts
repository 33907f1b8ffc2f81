import { mdsReportLeast } from '@saddle/contract/feeds/mdsRecords.ts'
import type { GbfsFormFactor } from '@saddle/contract/feeds/gbfs.ts'
import { businessOffsetMs, dayMs } from '@saddle/contract/time.ts'
import type { MdsReader } from './access.ts'
import { boundariesOf } from './boundary.ts'
import { ownerOf, type MdsDeps } from './common.ts'
import { formOf } from './records.ts'
import { selectBegin, selectStarts, selectVehicleModels } from './recordStore.ts'

export interface MonthReport {
  /** Trips and riders of a month in the agency's time zone as CSV; null: it is not over, or nobody operated. */
  monthReport(reader: MdsReader, month: string): Promise<string | null>
}

const columns =
  'provider_id,start_date,duration,special_group_type,geography_id,vehicle_type,trip_count,rider_count' as const

/** Trips count by where and when they began. */
export function createMonthReport({ kit }: Pick<MdsDeps, 'kit'>): MonthReport {
  const { db, clock } = kit
  return {
    monthReport: async (reader, month) => {
      const span = spanOf(month)
      if (span === null || clock.now() < span.to) return null
      const { scope } = reader
      const [begin] = await db.read(scope, (k) => selectBegin(scope).compile(k))
      if (begin?.begun_at === null || begin === undefined || begin.begun_at.getTime() >= span.to) return null
      const owner = await ownerOf(kit, reader)
      const bounds = boundariesOf(reader.boundary)
      const models = await db.read(scope, (k) => selectVehicleModels(scope).compile(k))
      const counts = new Map<GbfsFormFactor, { trips: number; riders: Set<number> }>(
        models.map(({ model }) => [formOf(owner, model).formFactor, { trips: 0, riders: new Set() }]),
      )
      for (let day = span.from; day < span.to; day += dayMs) {
        const asked = { from: new Date(day), to: new Date(Math.min(span.to, day + dayMs)) }
        const rows = await db.read(scope, (k) => selectStarts(scope, asked).compile(k))
        for (const { model, start_lat: lat, start_lng: lng, rider_id: riderId } of rows) {
          const count = counts.get(formOf(owner, model).formFactor)
          if (count === undefined || !bounds.contains({ lat, lng })) continue
          count.trips += 1
          count.riders.add(riderId)
        }
      }
      const lines = [...counts].map(([type, { trips, riders }]) =>
        [reader.providerId, `${month}-01`, 'P1M', 'all_riders', 'null', type, told(trips), told(riders.size)].join(','),
      )
      return `${[columns, ...lines].join('\n')}\n`
    },
  }
}

const told = (count: number): number => (count < mdsReportLeast ? -1 : count)

function spanOf(month: string): { readonly from: number; readonly to: number } | null {
  const [, year = '', number = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (year === '') return null
  const at = (months: number): number => Date.UTC(Number(year), Number(number) - 1 + months, 1) - businessOffsetMs
  return { from: at(0), to: at(1) }
}
