import type { OtherSpecimens, Specimens } from './specimen.ts'

export const auditSpecimens = {
  userLogs: (of) => ({
    filter: { actions: ['demo.fill'], subjectKind: 'vehicle', subjectId: String(of.vehicleIds[0]) },
  }),
  vehicleLogs: (of) => ({ filter: { actions: ['demo.fill'], agentId: of.agentId } }),
  deviceLogs: (of) => ({
    filter: { actions: ['demo.fill'], subjectKind: 'device', subjectId: String(of.vehicleIds[0]) },
  }),
  exportLogs: (of) => ({ category: 'vehicle', filter: { actions: ['demo.fill'], agentId: of.agentId } }),
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
  exportLogs: [(of) => ({ category: 'operator', filter: { actions: ['demo.fill'], subject: of.imei } })],
} satisfies OtherSpecimens
