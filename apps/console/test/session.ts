import { endpoints } from '@saddle/contract/endpoints.ts'
import { overrideConfig } from '#kit/config.ts'
import { forgetPermissions } from '#kit/session/permissions.ts'
import { keepKeys } from '#kit/session/keys.ts'
import { endSession, startSession } from '#kit/session/store.ts'
import { createFakePlatform, type FakePlatform } from './fakePlatform.ts'

export const somebody = {
  accessToken: 'handle-of-the-session',
  objectId: 'a'.repeat(24),
  phone: '13800138000',
  agentId: 3,
  roleId: 5,
  opManId: 'b'.repeat(24),
} as const

const me = {
  operatorId: '7',
  name: '王芳',
  phone: '138****8000',
  phoneTail: '8000',
  level: 2,
  agentId: 3,
  company: '江城出行',
  roleName: '运营',
  agentCount: 1,
  areaCount: 2,
  sessionStartedAt: 1_700_000_000_000,
  previousLoginAt: null,
}

/** A platform that everything is fetched from, and a browser in which nobody is logged in. */
export async function withPlatform(): Promise<FakePlatform> {
  const platform = await createFakePlatform()
  globalThis.fetch = platform.fetch
  overrideConfig({ serverKey: platform.serverKey, build: 'test' })
  nobodyLoggedIn()
  return platform
}

export function nobodyLoggedIn(): void {
  endSession()
  forgetPermissions()
  localStorage.clear()
}

/** Somebody is logged in as after a real login, with these codes on the platform. */
export function logIn(platform: FakePlatform, codes: readonly string[] = ['0301']): void {
  document.cookie = '_t=csrf; Path=/'
  void keepKeys(somebody.accessToken, platform.keys)
  startSession(somebody)
  answerFirstEntry(platform, codes)
}

export function answerFirstEntry(platform: FakePlatform, codes: readonly string[]): void {
  platform.on(endpoints.allCode, () => ({ suc: true, data: codes }))
  platform.on(endpoints.me, () => ({ suc: true, data: me }))
  platform.on(endpoints.accountInfo, () => ({ success: true, data: financialAccount }))
  platform.on(endpoints.logout, () => ({ suc: true, data: {} }))
}

export const financialAccount = {
  id: '1',
  accountLevel: 2,
  authStatus: 1,
  customerName: '江城出行',
  name: '江城出行',
  status: 2,
  accountType: 'company',
}
