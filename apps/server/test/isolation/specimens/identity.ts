import type { OtherSpecimens, Specimens } from './specimen.ts'

export const identitySpecimens = {
  createQuickLogin: () => ({}),
  logout: () => ({}),
  allCode: () => ({ opManId: 'nobody' }),
  me: () => ({}),
  devicePermission: (of) => ({ agentId: of.agentId, policy: 'approval', approveRecentDays: 90 }),
  devicePolicyEffect: (of) => ({ agentId: of.agentId }),
  deviceLoginInfo: (of) => ({ operatorId: of.managerId }),
  deviceAuthorizeInfo: (of) => ({ filter: { agentIds: [of.agentId] } }),
  exportOperatorDevices: () => ({}),
  deviceAuthorizeConfirm: (of) => ({ ids: [of.deviceId] }),
  deviceAuthorizeRemove: (of) => ({ ids: [of.deviceId] }),
  selfSettings: () => ({}),
  saveSelfSettings: () => ({ language: 'zh', notices: [] }),
  endOwnSession: (of) => ({ id: of.sessionId }),
  forgetOwnDevice: (of) => ({ id: of.deviceId }),
  listPasskeys: () => ({}),
  beginPasskey: () => ({}),
  addPasskey: () => ({
    name: 'isolation',
    credential: {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
    },
  }),
  renamePasskey: (of) => ({ id: of.managerId, name: 'isolation' }),
  removePasskey: (of) => ({ id: of.managerId }),
  listScreens: () => ({}),
  pairScreen: (of) => ({ code: '22222222', name: 'isolation', pages: ['operations'], areaIds: [of.areaIds[0]] }),
  renameScreen: (of) => ({ id: of.screenId, name: 'isolation' }),
  removeScreen: (of) => ({ id: of.screenId }),
  beginTotp: () => ({}),
  confirmTotp: () => ({ code: '000000' }),
  endTotp: () => ({ code: '000000' }),
  passTotp: () => ({ code: '000000' }),
} satisfies Partial<Specimens>

export const otherIdentitySpecimens = {
  deviceAuthorizeInfo: [() => ({}), () => ({ filter: { states: ['requested'] } })],
} satisfies OtherSpecimens
