import type { OtherSpecimens, Specimens } from './specimen.ts'

export const auditSpecimens = {
  userLogs: (of) => ({
    filter: { actions: ['demo.fill'], subjectKind: 'vehicle', subjectId: String(of.vehicleIds[0]) },
  }),
  vehicleLogs: (of) => ({ filter: { actions: ['demo.fill'], agentId: of.agentId } }),
  deviceLogs: (of) => ({
    filter: { actions: ['demo.fill'], subjectKind: 'device', subjectId: String(of.vehicleIds[0]) },
  }),
  exportUserLogs: (of) => ({ filter: { actions: ['demo.fill'], agentId: of.agentId } }),
  exportVehicleLogs: (of) => ({ filter: { actions: ['demo.fill'], agentId: of.agentId } }),
  exportDeviceLogs: (of) => ({ filter: { actions: ['demo.fill'], agentId: of.agentId } }),
  logSubjects: (of) => ({ category: 'vehicle', subject: of.vehicleNumber }),
  logChains: () => ({}),
  verifyLogs: (of) => ({ agentId: of.agentId }),
} satisfies Partial<Specimens>

export const otherAuditSpecimens = {
  userLogs: [
    () => ({ filter: { actions: ['demo.fill'] } }),
    (of) => ({ filter: { actions: ['demo.fill'], operatorId: of.managerId } }),
    (of) => ({ filter: { actions: ['demo.fill'], subject: of.marker } }),
    (of) => ({ filter: { actions: ['demo.fill'], operator: of.manager } }),
    (of) => ({ filter: { actions: ['demo.fill'], subject: of.vehicleNumber } }),
    (of) => ({ filter: { actions: ['demo.fill'], subject: of.imei } }),
    (of) => ({ filter: { actions: ['demo.fill'], subjectKind: 'vehicle', subjectId: String(of.vehicleIds[1]) } }),
  ],
  vehicleLogs: [(of) => ({ filter: { actions: ['demo.fill'], subject: of.vehicleNumber } })],
  exportUserLogs: [(of) => ({ filter: { actions: ['demo.fill'], subject: of.imei } })],
  logSubjects: [(of) => ({ category: 'operator', subject: of.marker })],
} satisfies OtherSpecimens
