import type { GbfsFormFactor } from '@saddle/contract/feeds/gbfs.ts'
import type { MdsEvent, MdsStop, MdsTelemetry, MdsTrip, MdsVehicle } from '@saddle/contract/feeds/mdsRecords.ts'
import { vehicleFormDefaults, type VehicleForm } from '@saddle/contract/feeds/publication.ts'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { secondMs } from '@saddle/contract/time.ts'
import type { LatLng } from '@saddle/geo/earth.ts'
import { isOpenAt } from '#geography/public.ts'
import { mdsId } from './ids.ts'
import type { MdsEventRow, MdsTripRow, MdsVehicleRow } from './recordStore.ts'

/** Whose records they are, and what its models are. */
export interface MdsOwner {
  readonly agentId: number
  readonly providerId: string
  readonly forms: ReadonlyMap<string, VehicleForm>
}

export const formOf = ({ forms }: Pick<MdsOwner, 'forms'>, model: string): VehicleForm =>
  forms.get(model) ?? vehicleFormDefaults

const devicesOf = ({ agentId, providerId }: MdsOwner, vehicleId: number) => ({
  provider_id: providerId,
  device_id: mdsId(agentId, 'device', vehicleId),
})

/** Six decimals are a tenth of a metre. */
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6
const placeOf = ({ lat, lng }: LatLng) => ({ lat: rounded(lat), lng: rounded(lng) })
const metresASecond = (kmh: number): number => Math.round((kmh / 3.6) * 100) / 100
const batteryOf = (percent: number | null) =>
  percent === null ? {} : { battery_percent: Math.min(100, Math.max(0, Math.round(percent))) }

export const vehicleOf = (owner: MdsOwner, row: Pick<MdsVehicleRow, 'id' | 'number' | 'model'>): MdsVehicle => ({
  ...devicesOf(owner, row.id),
  vehicle_id: row.number,
  vehicle_type: formOf(owner, row.model).formFactor,
  vehicle_attributes: { model: row.model },
  propulsion_types: [formOf(owner, row.model).propulsion],
})

/** Where an event happened, by what was told last before it; null where nobody knows. */
export function placeOfEvent(row: MdsEventRow): (LatLng & { readonly battery: number | null }) | null {
  if (row.trip_lat !== null && row.trip_lng !== null)
    return { lat: row.trip_lat, lng: row.trip_lng, battery: row.trip_battery ?? row.report_battery }
  const report =
    row.report_at === null || row.report_lat === null || row.report_lng === null
      ? null
      : { at: row.report_at, lat: row.report_lat, lng: row.report_lng, battery: row.report_battery }
  const stretch =
    row.stretch_at === null || row.stretch_lat === null || row.stretch_lng === null
      ? null
      : { at: row.stretch_at, lat: row.stretch_lat, lng: row.stretch_lng, battery: row.stretch_battery }
  if (report === null || stretch === null) return report ?? stretch
  return report.at >= stretch.at ? report : stretch
}

export function eventOf(
  owner: MdsOwner,
  row: MdsEventRow,
  place: LatLng & { readonly battery: number | null },
): MdsEvent {
  return {
    ...devicesOf(owner, row.vehicle_id),
    event_id: mdsId(owner.agentId, 'event', row.event_id),
    vehicle_state: row.to_state,
    event_types: [row.event],
    timestamp: row.occurred_at.getTime(),
    publication_time: row.recorded_at.getTime(),
    location: placeOf(place),
    ...batteryOf(place.battery),
    ...(row.trip_id !== null && { trip_ids: [mdsId(owner.agentId, 'trip', row.trip_id)] }),
  }
}

export const tripOf = (owner: MdsOwner, row: MdsTripRow): MdsTrip => ({
  ...devicesOf(owner, row.vehicle_id),
  trip_id: mdsId(owner.agentId, 'trip', row.id),
  trip_type: 'rider',
  start_time: row.started_at.getTime(),
  end_time: row.ended_at.getTime(),
  start_location: placeOf({ lat: row.start_lat, lng: row.start_lng }),
  end_location: placeOf({ lat: row.end_lat, lng: row.end_lng }),
  duration: Math.round((row.ended_at.getTime() - row.started_at.getTime()) / secondMs),
  distance: Math.round(row.distance_m ?? 0),
  publication_time: row.ended_at.getTime(),
  actual_cost: row.charged_cents,
  currency: 'CNY',
})

/** One word of a device. */
export interface Told extends LatLng {
  readonly vehicleId: number
  readonly at: number
  readonly speedKmh: number | null
  readonly headingDeg: number | null
  readonly batteryPercent: number | null
}

export function telemetryOf(
  owner: MdsOwner,
  told: Told,
  { tripId, stopId }: { readonly tripId: number | null; readonly stopId?: number | undefined },
): MdsTelemetry {
  const { vehicleId, at, speedKmh, headingDeg, batteryPercent } = told
  return {
    ...devicesOf(owner, vehicleId),
    telemetry_id: mdsId(owner.agentId, 'telemetry', `${vehicleId} ${at}`),
    timestamp: at,
    trip_ids: tripId === null ? null : [mdsId(owner.agentId, 'trip', tripId)],
    journey_id: null,
    ...(stopId !== undefined && { stop_id: mdsId(owner.agentId, 'stop', stopId) }),
    location: {
      ...placeOf(told),
      ...(headingDeg !== null && { heading: headingDeg }),
      ...(speedKmh !== null && { speed: metresASecond(speedKmh) }),
    },
    ...batteryOf(batteryPercent),
  }
}

/** The vehicle's latest word. */
export function toldOf(row: MdsVehicleRow): Told | null {
  const { id, lat, lng, position_at: at } = row
  if (lat === null || lng === null || at === null) return null
  return {
    vehicleId: id,
    lat,
    lng,
    at: at.getTime(),
    speedKmh: row.speed_kmh,
    headingDeg: row.heading_deg,
    batteryPercent: row.battery_percent,
  }
}

export function stopOf(
  owner: MdsOwner,
  fence: Fence,
  { standing, at }: { readonly standing: readonly MdsVehicleRow[]; readonly at: number },
): MdsStop {
  const counted = (isCounted: (row: MdsVehicleRow) => boolean) => {
    const counts: Partial<Record<GbfsFormFactor, number>> = {}
    for (const row of standing.filter(isCounted)) {
      const { formFactor } = formOf(owner, row.model)
      counts[formFactor] = (counts[formFactor] ?? 0) + 1
    }
    return counts
  }
  const [type = vehicleFormDefaults.formFactor] = [...owner.forms.values()].map(({ formFactor }) => formFactor)
  const isOpen = isOpenAt(fence.hours, at)
  return {
    stop_id: mdsId(owner.agentId, 'stop', fence.lineId),
    provider_id: owner.providerId,
    name: fence.name,
    last_updated: fence.validFrom,
    location: placeOf(fence.centre),
    status: { is_installed: true, is_renting: true, is_returning: isOpen },
    capacity: fence.capacity === null ? {} : { [type]: fence.capacity },
    num_vehicles_available: counted(({ state }) => state === 'available'),
    num_vehicles_disabled: counted(({ state }) => state !== 'available'),
  }
}
