import { riderImportEndpoints, type RiderImportState } from '@saddle/contract/finance/riderImports.ts'
import { riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

/** Readings that an act on batches makes stale. */
export const staleImports = [
  riderImportEndpoints.listRiderImports,
  riderImportEndpoints.riderImportFaults,
  riderPeopleEndpoints.searchRiders,
]

export const importTone: Readonly<Record<RiderImportState, Tone>> = {
  checked: 'warn',
  committed: 'good',
  discarded: 'off',
  expired: 'off',
}
