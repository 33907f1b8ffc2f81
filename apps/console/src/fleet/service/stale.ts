import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'

/** Queries that work on vehicles makes stale. */
export const staleVehicles = [
  vehicleEndpoints.singleDeviceInfo,
  vehicleEndpoints.aggregateByType,
  searchEndpoints.searchVehicles,
]
