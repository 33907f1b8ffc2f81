import { riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'

/** What shows how a rider stands, and is read anew after a decision about them. */
export const staleRiderLists = [
  riderPeopleEndpoints.searchRiders,
  riderPeopleEndpoints.riderDetail,
  timelineEndpoints.riderTimeline,
] as const
