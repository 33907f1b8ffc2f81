import { riderFields, riderList, riderPeopleEndpoints, type Rider } from '@saddle/contract/rider/riders.ts'
import { listOf } from '#kit/list/declare.ts'

/** The list of riders: of its own page, and of the trail on the page of one rider. */
export const riders = listOf({
  list: riderList,
  call: riderPeopleEndpoints.searchRiders,
  file: riderPeopleEndpoints.exportRiders,
  fields: riderFields,
})

export const pathOfRider = ({ id }: Pick<Rider, 'id'>): string => `/user-info-detail?rider=${id}`
