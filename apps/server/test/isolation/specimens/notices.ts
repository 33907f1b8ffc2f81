import { failedDeliveryOf, settingChangeOf } from './past.ts'
import type { OtherSpecimens, Specimens } from './specimen.ts'

const which = { event: 'export_done', channel: 'in_app', language: 'zh' } as const
const words = { title: '导出 {{file}}', body: '共 {{rows}} 行' }
const rule = { channels: ['in_app' as const], roleIds: null, isUrgent: false, repeatMinutes: 10 }
const setting = { quietFrom: 0, quietTo: 0, emailCap: 1, smsCap: 1, pushCap: 1 }

export const noticeSpecimens = {
  listOwnNotices: () => ({}),
  exportOwnNotices: () => ({}),
  countOwnNotices: () => ({}),
  readOwnNotices: (of) => ({ ids: [failedDeliveryOf(of.agentId) + 1] }),
  ownNoticeAddress: () => ({}),
  askNoticeAddress: () => ({ email: 'isolation@example.com' }),
  confirmNoticeAddress: () => ({ code: '000000' }),
  removeNoticeAddress: () => ({}),
  noticeRules: (of) => ({ agentId: of.agentId }),
  saveNoticeRule: (of) => ({ agentId: of.agentId, event: 'export_done', ...rule, version: 1 }),
  resetNoticeRule: (of) => ({ agentId: of.agentId, event: 'export_done', version: 1 }),
  noticeSetting: (of) => ({ agentId: of.agentId }),
  saveNoticeSetting: (of) => ({ agentId: of.agentId, ...setting, version: 1 }),
  listDeliveries: () => ({}),
  exportDeliveries: () => ({}),
  resendDeliveries: (of) => ({ ids: [failedDeliveryOf(of.agentId)] }),
  noticeTemplates: (of) => ({ agentId: of.agentId }),
  noticeTemplateVersions: (of) => ({ agentId: of.agentId, ...which }),
  saveNoticeTemplate: (of) => ({ agentId: of.agentId, ...which, ...words, version: 1 }),
  resetNoticeTemplate: (of) => ({ agentId: of.agentId, ...which, version: 1 }),
  previewNotice: (of) => ({ agentId: of.agentId, ...which, ...words }),
  testNotice: (of) => ({ agentId: of.agentId, ...which, ...words }),
  systemSettings: (of) => ({ agentId: of.agentId, areaId: of.areaIds[0] }),
  settingHistory: (of) => ({ agentId: of.agentId, areaId: of.areaIds[0], code: 'reservation_minutes' }),
  changeSetting: (of) => ({
    agentId: of.agentId,
    areaId: of.areaIds[0],
    code: 'reservation_minutes',
    value: 5,
    version: settingChangeOf(of.agentId),
  }),
} satisfies Partial<Specimens>

export const otherNoticeSpecimens = {
  listDeliveries: [() => ({ filter: { states: ['failed'] } }), () => ({ filter: { events: ['export_done'] } })],
  listOwnNotices: [() => ({ filter: { kinds: ['reports'] } })],
  readOwnNotices: [() => ({})],
  systemSettings: [(of) => ({ agentId: of.agentId }), (of) => ({ agentId: of.agentId, areaId: of.areaIds[1] })],
  settingHistory: [(of) => ({ agentId: of.agentId, areaId: of.areaIds[1], code: 'reservation_minutes' })],
} satisfies OtherSpecimens
