import type { VehicleFilter } from '@saddle/contract/fleet/search.ts'

/** The address of the list of vehicles that meet the conditions: the figures of other pages lead there. */
export function listLink(filter: VehicleFilter): string {
  const params = new URLSearchParams(Object.keys(filter).length === 0 ? {} : { filter: JSON.stringify(filter) })
  return `/vehicle/vehicle-query?${params.toString()}`
}

/** The page of one vehicle; `from` is the list that it was opened from. */
export const vehicleLink = ({ number }: { readonly number: string }, from: 'query' | 'screening' = 'query'): string =>
  `/vehicle-info?vehicle=${number}${from === 'screening' ? '&from=screening' : ''}`
