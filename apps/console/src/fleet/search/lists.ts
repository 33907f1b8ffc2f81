import { searchEndpoints, vehicleFields, vehicleList } from '@saddle/contract/fleet/search.ts'
import { listOf } from '#kit/list/declare.ts'

const vehicles = {
  list: vehicleList,
  call: searchEndpoints.searchVehicles,
  file: searchEndpoints.exportVehicles,
  fields: vehicleFields,
}

/** Two pages list the same vehicles; each keeps its own filter, columns and position. */
export const vehicleQuery = listOf({ ...vehicles, name: 'vehicle query' })
export const vehicleScreening = listOf({ ...vehicles, name: 'vehicle screening' })
