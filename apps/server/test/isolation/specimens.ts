import type { Access, RequestOf } from '@saddle/contract/endpoint.ts'
import type { endpoints } from '@saddle/contract/endpoints.ts'
import type { TenantFixture } from '#test/tenants.ts'

type All = typeof endpoints
type Guarded<A extends Access> = A extends 'public' | 'presession' | 'cookie' ? never : A
/** Calls of a session: the ones that could reach another tenant. */
export type SealedName = { [K in keyof All]: Guarded<All[K]['permission']> extends never ? never : K }[keyof All]

/** What a call asks for when it reaches for a thing of the given tenant (or, where it names nothing, just calls). */
type Specimens = { readonly [K in SealedName]: (of: TenantFixture, phone: string) => RequestOf<All[K]> }

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
}
