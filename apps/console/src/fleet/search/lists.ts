import { searchEndpoints, vehicleFields, vehicleList } from '@saddle/contract/fleet/search.ts'
import { listOf } from '#kit/list/declare.ts'

const vehicles = {
  list: vehicleList,
  call: searchEndpoints.searchVehicles,
  file: searchEndpoints.exportVehicles,
  fields: vehicleFields,
}

/** Two pages of the same vehicles: each keeps its own question, columns and place. */
export const vehicleQuery = listOf({ ...vehicles, name: 'vehicle query' })
export const vehicleScreening = listOf({ ...vehicles, name: 'vehicle screening' })
