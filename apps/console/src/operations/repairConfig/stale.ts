import { repairConfigEndpoints } from '@saddle/contract/operations/repairConfig.ts'

/** Readings that a change of the configuration makes stale. */
export const staleConfig = [
  repairConfigEndpoints.repairConfig,
  repairConfigEndpoints.listFixReasons,
  repairConfigEndpoints.repairPartMovements,
]
