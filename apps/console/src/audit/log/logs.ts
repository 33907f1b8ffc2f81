import { auditEndpoints, auditFields, auditList } from '@saddle/contract/audit/records.ts'
import { listOf } from '#kit/list/declare.ts'

const shared = { list: auditList, fields: auditFields }

/** The three logs: everything that people did, and what was done to vehicles and to devices. */
export const logs = {
  operator: listOf({ ...shared, call: auditEndpoints.userLogs, file: auditEndpoints.exportUserLogs }),
  vehicle: listOf({ ...shared, call: auditEndpoints.vehicleLogs, file: auditEndpoints.exportVehicleLogs }),
  device: listOf({ ...shared, call: auditEndpoints.deviceLogs, file: auditEndpoints.exportDeviceLogs }),
} as const
