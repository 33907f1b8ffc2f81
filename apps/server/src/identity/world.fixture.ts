import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { AppError, type ErrorCode } from '@saddle/contract/errors.ts'
import { type LoginData, loginDataSchema } from '@saddle/contract/identity/login.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import { createAudit } from '#audit/public.ts'
import { createIdentity, type DeviceAuthorisation, type Identity, type SmsMessage } from '#identity/public.ts'
import { createLocalBus } from '#kit/bus.ts'
import type { Call, CookieCall, CookieOptions, PresessionCall, SessionCall } from '#kit/call.ts'
import { createManualClock } from '#kit/clock.ts'
import { loadConfig } from '#kit/config.ts'
import { createKeyring } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import { silentLog } from '#kit/log.ts'
import { createSeededRandom } from '#kit/random.ts'
import { testDatabase } from '#test/database.ts'

export const phones = {
  platform: '13800138000',
  manager: '13800138001',
  worker: '13800138002',
  otherManager: '13800138003',
  nobody: '13900139000',
} as const
export const startMs = Date.UTC(2026, 2, 1, 8)
/** Randomness of a test run: the same codes, cookies and keys each time. */
const seed = 20_260_301

/** A platform (agent 2), franchisees 3 and 4 below it, 5 below 3; each with areas, a role and operators. */
export async function createWorld(
  options: {
    sms?: (message: SmsMessage) => Promise<void>
    /** Browsers as the companies have set it; otherwise as `answerDevices` says. */
    devicesByPolicy?: boolean
  } = {},
) {
  const { db, owner, url } = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'saddle-identity-'))
  afterAll(() => rm(dataDir, { recursive: true, force: true }))
  const clock = createManualClock(startMs)
  const kit: Kit = {
    config: loadConfig({ DATA_DIR: dataDir }),
    db,
    clock,
    random: createSeededRandom(seed),
    log: silentLog,
    bus: createLocalBus({ log: silentLog }),
    secrets: createKeyring({ secret: 'a master secret for tests, long enough' }),
  }
  const sent: SmsMessage[] = []
  let deviceAnswer: () => Promise<boolean> = async () => true
  const questions: Parameters<DeviceAuthorisation['isAuthorised']>[0][] = []
  const deviceAuthorisation: DeviceAuthorisation = {
    isAuthorised: (check) => {
      questions.push(check)
      return deviceAnswer()
    },
  }
  const smsProvider = {
    name: 'test',
    send: async (message: SmsMessage): Promise<void> => {
      await options.sms?.(message)
      sent.push(message)
    },
  }
  const audit = createAudit(kit)
  const identity = await createIdentity(kit, {
    audit,
    smsProvider,
    ...(options.devicesByPolicy === true ? {} : { deviceAuthorisation }),
  })
  const operators = await seedTenants({ owner, kit, identity })

  /** Asks for a code and returns it; null when none was sent. */
  const codeFor = async (phone: string, browser = createBrowser(identity)): Promise<string | null> => {
    const before = sent.length
    await identity.handlers.requestSmsCode({ mobilePhoneNumber: phone }, browser.call())
    await identity.idle()
    return sent[before]?.code ?? null
  }

  return {
    kit,
    db,
    owner,
    url,
    clock,
    identity,
    audit,
    sent,
    operators,
    questions,
    answerDevices: (answer: () => Promise<boolean>) => {
      deviceAnswer = answer
    },
    browser: (address?: string) => createBrowser(identity, address),
    codeFor,
    /** The whole login by SMS up to the session; a minute passes first, so that it can be repeated. */
    async logIn(phone: string, browser = createBrowser(identity)): Promise<LoginData> {
      clock.advance(minuteMs)
      const smsCode = (await codeFor(phone, browser)) ?? ''
      await identity.handlers.verifySmsCode({ mobilePhoneNumber: phone, smsCode }, browser.call())
      const found = await identity.handlers.lookUpOperator({ phone }, await browser.presession())
      const { data } = await identity.handlers.permissionLogin(found.data, await browser.presession())
      return loginDataSchema.parse(data)
    },
    actions: async (): Promise<string[]> => {
      const rows = await owner.selectFrom('audit_record').select('action').orderBy('id').execute()
      return rows.map((row) => row.action)
    },
  }
}
async function seedTenants(deps: {
  owner: Awaited<ReturnType<typeof testDatabase>>['owner']
  kit: Kit
  identity: Identity
}) {
  const { owner, kit, identity } = deps
  await owner
    .insertInto('agent')
    .values([
      { id: 2, company: '青骑' },
      { id: 3, company: '甲城', parent_id: 2 },
      { id: 4, company: '乙城', parent_id: 2 },
      { id: 5, company: '甲城东区', parent_id: 3 },
    ])
    .execute()
  const area = {
    centre_lat: 31,
    centre_lng: 120,
    ring: JSON.stringify([
      [0, 0],
      [0, 1],
      [1, 1],
      [0, 0],
    ]),
  }
  await owner
    .insertInto('service_area')
    .values([
      { id: 31, agent_id: 3, name: '甲一', ...area },
      { id: 32, agent_id: 3, name: '甲二', ...area },
      { id: 41, agent_id: 4, name: '乙一', ...area },
      { id: 51, agent_id: 5, name: '丙一', ...area },
    ])
    .execute()
  await owner
    .insertInto('role')
    .values([
      { id: 20, agent_id: 2, name: '平台管理员' },
      { id: 30, agent_id: 3, name: '管理员' },
      { id: 40, agent_id: 4, name: '管理员' },
    ])
    .execute()
  await owner
    .insertInto('role_permission')
    .values([
      { role_id: 20, agent_id: 2, code: '01' },
      { role_id: 20, agent_id: 2, code: '0301' },
      { role_id: 30, agent_id: 3, code: '0301' },
      { role_id: 40, agent_id: 4, code: '0302' },
    ])
    .execute()
  return kit.db.system(async (tx) => ({
    platform: await identity.createOperator(tx, {
      agentId: 2,
      phone: phones.platform,
      name: '林',
      level: 1,
      roleId: 20,
    }),
    manager: await identity.createOperator(tx, { agentId: 3, phone: phones.manager, name: '周', level: 2, roleId: 30 }),
    worker: await identity.createOperator(tx, {
      agentId: 3,
      phone: phones.worker,
      name: '吴',
      level: 4,
      roleId: null,
      areaIds: [32, 41],
    }),
    otherManager: await identity.createOperator(tx, {
      agentId: 4,
      phone: phones.otherManager,
      name: '郑',
      level: 2,
      roleId: 40,
    }),
  }))
}

export type Browser = ReturnType<typeof createBrowser>

/** A browser's cookies, and the calls that it makes past the guards. */
function createBrowser(identity: Identity, address = '203.0.113.7') {
  const cookies = new Map<string, string>()
  const options = new Map<string, CookieOptions>()
  const call = (): Call => ({
    requestId: 'request-1',
    address,
    userAgent: 'test browser',
    host: 'bikes.example:8080',
    cookie: (name) => cookies.get(name),
    setCookie: (name, value, given = {}) => {
      cookies.set(name, value)
      options.set(name, given)
    },
    clearCookie: (name) => {
      cookies.delete(name)
    },
  })
  return {
    cookies,
    options,
    call,
    presession: async (): Promise<PresessionCall> => {
      const ticket = await identity.tickets.find(cookies.get('pre'))
      if (ticket === null) throw new AppError('unauthorized')
      return { ...call(), ticket }
    },
    cookieCall: async (): Promise<CookieCall> => {
      const session = await identity.sessions.findByCookie(cookies.get('sid') ?? '')
      const isOwn = session !== null && identity.sessions.checkCookies(session, cookies.get('sid'), cookies.get('_t'))
      if (session === null || !isOwn) throw new AppError('unauthorized')
      return { ...call(), caller: session.caller }
    },
    session: async (handle: string): Promise<SessionCall> => {
      const session = await identity.sessions.find(handle)
      if (session === null) throw new AppError('unauthorized')
      const { caller, grant } = session
      return { ...call(), caller, grant, scope: grant, token: {} as CallToken }
    },
  }
}

/** The code that a call is refused with; fails the test when it is not refused. */
export async function refusalOf(promise: Promise<unknown>): Promise<ErrorCode> {
  try {
    await promise
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  throw new Error('the call was not refused')
}
