import { importEndpoints } from '@saddle/contract/production/imports.ts'
import { unitEndpoints } from '@saddle/contract/production/units.ts'
import type { VehicleImportState } from '@saddle/contract/production/importWords.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

/** Readings that an act on batches makes stale. */
export const staleImports = [
  unitEndpoints.listUnits,
  importEndpoints.listVehicleImports,
  importEndpoints.listVehicleImportRows,
  importEndpoints.uploadCarIdAmount,
]

export const importTone: Readonly<Record<VehicleImportState, Tone>> = {
  checked: 'warn',
  committed: 'good',
  undone: 'off',
  discarded: 'off',
}
