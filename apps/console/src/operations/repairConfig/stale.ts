import { repairConfigEndpoints } from '@saddle/contract/operations/repairConfig.ts'

/** Queries that a change of the configuration makes stale. */
export const staleConfig = [
  repairConfigEndpoints.repairConfig,
  repairConfigEndpoints.listFixReasons,
  repairConfigEndpoints.repairPartMovements,
]
