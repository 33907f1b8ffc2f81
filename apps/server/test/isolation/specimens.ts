import type { Access, RequestOf } from '@saddle/contract/endpoint.ts'
import type { endpoints } from '@saddle/contract/endpoints.ts'
import { TEST_START_MS } from '#test/kit.ts'
import type { TenantFixture } from '#test/tenants.ts'

type All = typeof endpoints
type Guarded<A extends Access> = A extends 'public' | 'presession' | 'cookie' ? never : A
/** Calls of a session: the ones that could reach another tenant. */
export type SealedName = { [K in keyof All]: Guarded<All[K]['permission']> extends never ? never : K }[keyof All]

/** What a call asks for when it reaches for a thing of the given tenant (or, where it names nothing, just calls). */
type Specimens = { readonly [K in SealedName]: (of: TenantFixture, phone: string) => RequestOf<All[K]> }

const pastMs = TEST_START_MS
const pastDay = new Date(TEST_START_MS).toISOString().slice(0, 10)

/** One per call: a new call does not compile without one. */
export const specimens: Specimens = {
  createQuickLogin: () => ({}),
  logout: () => ({}),
  allCode: () => ({ opManId: 'nobody' }),
  me: () => ({}),
  listAgentAccounts: () => ({}),
  listApplications: () => ({ page: 1, pageSize: 20 }),
  listServiceAreas: (of) => ({ agentId: of.agentId }),
  singleDeviceInfo: (of) => ({ id: of.vehicleIds[0] }),
  aggregateByType: () => ({}),
  lockVehicle: (of) => ({ vehicleId: of.vehicleIds[0], kind: 'unlock', reason: 'isolation' }),
  turnLock: (of) => ({ number: of.vehicleNumber, locked: false, reason: 'isolation' }),
  openBatteryCompartment: (of) => ({ number: of.vehicleNumber, reason: 'isolation' }),
  previewCommands: (of) => ({ vehicleIds: [of.vehicleIds[0]], kind: 'unlock' }),
  commandVehicles: (of) => ({ vehicleIds: [of.vehicleIds[0]], kind: 'unlock', reason: 'isolation' }),
  commandBatch: (of) => ({ batchId: of.batchId }),
  listCommands: (of) => ({ vehicleId: of.vehicleIds[0] }),
  searchVehicles: () => ({}),
  vehicleChoices: () => ({}),
  findVehicleIds: () => ({ filter: {} }),
  exportVehicles: () => ({}),
  listScreenings: () => ({}),
  saveScreening: () => ({ name: 'isolation', filter: {} }),
  changeScreening: (of) => ({ id: of.screeningId, name: 'isolation changed', filter: {} }),
  removeScreening: (of) => ({ id: of.screeningId }),
  deviceInfo: (of) => ({ vehicleId: of.vehicleIds[0] }),
  checkDevice: (of) => ({ code: of.vehicleNumber }),
  carInfo: (of) => ({ code: of.vehicleNumber }),
  monitorDevices: () => ({}),
  monitorGateways: () => ({}),
  vehicleLife: (of) => ({ vehicleId: of.vehicleIds[0] }),
  ridingInfo: (of) => ({ vehicleId: of.vehicleIds[0] }),
  itinerary: (of) => ({ vehicleId: of.vehicleIds[0], tripId: of.tripId }),
  fleetAt: () => ({ at: pastMs }),
  replayPart: () => ({ from: pastMs - 3_600_000, to: pastMs, isFirst: true }),
  analyseOperation: () => ({ from: pastDay, to: pastDay }),
  tripsByHour: () => ({ from: pastDay, to: pastDay }),
  heatMap: () => ({ kind: 'demand', from: pastMs - 24 * 3_600_000, to: pastMs }),
  todayCounters: () => ({}),
  regulatorView: () => ({}),
  listAlarmTickets: (of) => ({ vehicleId: of.vehicleIds[0] }),
  fixAlarmTickets: (of) => ({ ids: [...of.alarmIds] }),
  listFixTickets: (of) => ({ vehicleId: of.vehicleIds[0] }),
  fixFixTickets: (of) => ({ ids: [...of.repairIds] }),
  listFences: () => ({}),
  fencesAround: () => ({ lat: 31.05, lng: 120.05 }),
  accountInfo: () => ({}),
  paymentPasswordLink: () => ({ callType: 'PWDMODIFY' }),
  registerForSupport: (_, phone) => ({ name: 'n', phone, company: 'c', objectId: 'o' }),
  listMyMessages: () => ({}),
  sendMyMessage: () => ({ text: 'hello' }),
  listConversations: () => ({}),
  listConversationMessages: (of) => ({ conversationId: of.conversationId }),
  replyToConversation: (of) => ({ conversationId: of.conversationId, text: 'reply' }),
}

/** Further ways to name the same thing: by number, by device, by keyword, in the area that the caller is not held to. */
export const otherSpecimens: { readonly [K in SealedName]?: readonly ((of: TenantFixture) => RequestOf<All[K]>)[] } = {
  singleDeviceInfo: [
    (of) => ({ number: of.vehicleNumber }),
    (of) => ({ imei: of.imei }),
    (of) => ({ id: of.vehicleIds[1] }),
    (of) => ({ id: of.vehicleIds[0], number: of.vehicleNumber, imei: of.imei }),
  ],
  listServiceAreas: [(of) => ({ keyword: of.marker })],
  listAgentAccounts: [(of) => ({ keyword: of.marker })],
  listCommands: [(of) => ({ vehicleId: of.vehicleIds[1] })],
  lockVehicle: [(of) => ({ vehicleId: of.vehicleIds[1], kind: 'lock' })],
  turnLock: [(of) => ({ imei: of.imei, locked: true })],
  openBatteryCompartment: [(of) => ({ imei: of.imei })],
  previewCommands: [(of) => ({ vehicleIds: [...of.vehicleIds], kind: 'unlock' })],
  commandVehicles: [(of) => ({ vehicleIds: [...of.vehicleIds], kind: 'lock' })],
  searchVehicles: [
    (of) => ({ filter: { keyword: of.marker } }),
    (of) => ({ filter: { vehicleIds: [...of.vehicleIds] } }),
    (of) => ({ filter: { agentIds: [of.agentId] } }),
    (of) => ({ filter: { areaIds: [...of.areaIds] } }),
  ],
  findVehicleIds: [(of) => ({ filter: { vehicleIds: [...of.vehicleIds] } })],
  exportVehicles: [(of) => ({ filter: { agentIds: [of.agentId] } })],
  deviceInfo: [(of) => ({ number: of.vehicleNumber }), (of) => ({ imei: of.imei })],
  checkDevice: [(of) => ({ code: of.imei })],
  carInfo: [(of) => ({ code: of.imei })],
  vehicleLife: [(of) => ({ vehicleId: of.vehicleIds[1] })],
  ridingInfo: [() => ({}), (of) => ({ vehicleId: of.vehicleIds[1] })],
  itinerary: [(of) => ({ vehicleId: of.vehicleIds[1], from: pastMs - 3_600_000, to: pastMs })],
  analyseOperation: [(of) => ({ from: pastDay, to: pastDay, areaId: of.areaIds[0] })],
  tripsByHour: [(of) => ({ from: pastDay, to: pastDay, areaId: of.areaIds[0] })],
  heatMap: [() => ({ kind: 'idle', idleHours: 0 })],
  listAlarmTickets: [(of) => ({ keyword: of.marker })],
  listFixTickets: [(of) => ({ keyword: of.marker })],
  listFences: [(of) => ({ areaId: of.areaIds[0] })],
}
