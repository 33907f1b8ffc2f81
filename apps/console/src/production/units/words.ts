import { lifeEndpoints } from '@saddle/contract/fleet/life.ts'
import { importEndpoints } from '@saddle/contract/production/imports.ts'
import { unitEndpoints, type UnitStage } from '@saddle/contract/production/units.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

/** Readings that an act on vehicles of production makes stale. */
export const staleUnits = [unitEndpoints.listUnits, importEndpoints.uploadCarIdAmount, lifeEndpoints.vehicleLife]

export const stageTone: Readonly<Record<UnitStage, Tone>> = {
  made: 'info',
  in_test: 'info',
  rework: 'bad',
  tested: 'good',
  delivered: 'warn',
  activated: 'good',
  retired: 'off',
}

export const editPath = (vehicleId: number): string => `/production/vehicle-list-edit?vehicle=${vehicleId}`
