import { createMemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { call } from '#kit/api/client.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { leave } from '#kit/session/logout.ts'
import { currentPermissions, forgetPermissions, loadPermissions } from '#kit/session/permissions.ts'
import { currentSession, isLoggedIn, startSession } from '#kit/session/store.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { answerFirstEntry, financialAccount, logIn, somebody, withPlatform } from '#test/session.ts'
import { watchFailures } from './failures.ts'
import { routes } from './router.tsx'

let platform: FakePlatform
let router: ReturnType<typeof createMemoryRouter>

/** Where somebody ends up who opens this address. */
async function open(path: string): Promise<string> {
  router = createMemoryRouter(routes, { initialEntries: [path] })
  await vi.waitFor(() => expect(router.state.initialized).toBe(true))
  return address()
}

async function goTo(path: string): Promise<string> {
  await router.navigate(path)
  return address()
}

const address = (): string => router.state.location.pathname + router.state.location.search
const told = () => currentToasts().map(({ title, text }) => [title, text])

beforeEach(async () => {
  platform = await withPlatform()
})
afterEach(() => {
  router.dispose()
  clearToasts()
})

describe('a visitor', () => {
  test.each(['/log', '/', '/vehicle/operation-map?vehicle=SD100001', '/production/vehicle-list', '/vehicle-info'])(
    'who wants %s is sent to /login-home with it',
    async (wanted) => expect(await open(wanted)).toBe(`/login-home?redirect=${encodeURIComponent(wanted)}`),
  )

  test.each(['/login', '/login-home', '/register', '/register-result', '/404'])('may open %s', async (path) =>
    expect(await open(path)).toBe(path),
  )

  test.each(['/nowhere', '/Log', '/vehicle/operation-map/x'])('finds nothing at %s', async (path) =>
    expect(await open(path)).toBe('/404'),
  )

  test.each(['accessToken', 'objectId', '_t'])('is who lacks %s', async (missing) => {
    logIn(platform)
    const stored = JSON.parse(localStorage.getItem('xc__session') ?? '{}')
    if (missing === '_t') document.cookie = '_t=; Path=/; Max-Age=0'
    else {
      const { startSession } = await import('#kit/session/store.ts')
      startSession({ ...stored.value, [missing]: '' })
    }
    expect(isLoggedIn()).toBe(false)
    expect(await open('/log')).toBe('/login-home?redirect=%2Flog')
  })
})

describe('the first entry of somebody logged in', () => {
  test('/ leads to /log', async () => {
    logIn(platform)
    expect(await open('/')).toBe('/log')
  })

  test('/login leads home', async () => {
    logIn(platform)
    expect(await open('/login')).toBe('/log')
  })

  test('codes are read once, all is among them, and the target stays', async () => {
    logIn(platform, ['03', '0301'])
    expect(await open('/vehicle/operation-map?vehicle=SD100001')).toBe('/vehicle/operation-map?vehicle=SD100001')
    expect([...currentPermissions().held].sort()).toEqual(['03', '0301', 'all'])
    expect(await goTo('/log')).toBe('/log')
    expect(platform.heard.filter(({ key }) => key.endsWith('/allCode'))).toHaveLength(1)
  })

  test('a page that is not permitted does not exist, a group opens its first permitted page', async () => {
    logIn(platform, ['07', '1601'])
    expect(await open('/vehicle/operation-map')).toBe('/404')
    expect(await goTo('/user-manage')).toBe('/user-order')
    expect(await goTo('/production')).toBe('/404')
  })

  test('codes that cannot be read: told, logged out, /login-home', async () => {
    logIn(platform)
    platform.on(endpoints.allCode, () => {
      throw new AppError('server_error')
    })
    expect(await open('/log')).toBe('/login-home')
    expect(told()).toEqual([['错误', '请求用户信息失败，请重试']])
    expect(currentSession()).toBeNull()
    expect(platform.heard.at(-1)?.key).toContain('/auth/logout')
  })

  test('no line: the codes that were read before open the page, another person’s do not', async () => {
    logIn(platform, ['09', '0909'])
    await open('/log')
    router.dispose()
    forgetPermissions()
    for (const endpoint of [endpoints.allCode, endpoints.me, endpoints.accountInfo]) {
      platform.on(endpoint, () => {
        throw new TypeError('offline')
      })
    }
    expect(await open('/field')).toBe('/field')
    expect(isLoggedIn()).toBe(true)
    expect(await goTo('/vehicle/operation-map')).toBe('/404')
    router.dispose()
    forgetPermissions()
    startSession({ ...somebody, opManId: 'somebody else' })
    expect(await open('/field')).toBe('/login-home')
  })

  test('a session that the server refuses: 授权验证失败, /login', async () => {
    logIn(platform)
    for (const endpoint of [endpoints.allCode, endpoints.me, endpoints.accountInfo]) {
      platform.on(endpoint, () => {
        throw new AppError('unauthorized')
      })
    }
    expect(await open('/log')).toBe('/login?redirect=%2Flog')
    expect(told()).toEqual([['未授权', '授权验证失败']])
    expect(currentSession()).toBeNull()
  })
})

describe('the financial account', () => {
  const financialCodes = ['financial', 'financial_01', 'financial_02', 'financial_03', 'financial_04', 'financial_05']
  const heldFinancial = () => [...currentPermissions().held].filter((code) => code.startsWith('financial')).sort()

  test('not active: only financial and financial_02 stay', async () => {
    logIn(platform, financialCodes)
    platform.on(endpoints.accountInfo, () => ({ success: true, data: { ...financialAccount, status: 1 } }))
    await open('/log')
    expect(heldFinancial()).toEqual(['financial', 'financial_02'])
  })

  test('active on the lower level: without financial_03 and financial_04', async () => {
    logIn(platform, financialCodes)
    platform.on(endpoints.accountInfo, () => ({ success: true, data: { ...financialAccount, accountLevel: 1 } }))
    await open('/log')
    expect(heldFinancial()).toEqual(['financial', 'financial_01', 'financial_02', 'financial_05'])
  })

  test('active: everything, and its values are kept', async () => {
    logIn(platform, financialCodes)
    await open('/log')
    expect(heldFinancial()).toEqual(financialCodes)
    expect(JSON.parse(localStorage.getItem('xc__finance') ?? '{}').value).toMatchObject({
      opMan: somebody.phone,
      accountStatus: 2,
    })
  })

  test('refused: the server’s words, or 开户信息获取失败', async () => {
    logIn(platform, financialCodes)
    platform.on(endpoints.accountInfo, () => ({ success: false, msg: '账户维护中' }))
    await open('/log')
    expect(told()).toEqual([['错误', '账户维护中']])
    clearToasts()
    platform.on(endpoints.accountInfo, () => ({ success: false }))
    const { loadPermissions } = await import('#kit/session/permissions.ts')
    await loadPermissions()
    expect(told()).toEqual([['错误', '开户信息获取失败']])
    expect(heldFinancial()).toEqual(['financial', 'financial_02'])
  })

  test('out of reach: what was stored of it goes, the person stays logged in', async () => {
    logIn(platform, financialCodes)
    await open('/log')
    platform.on(endpoints.accountInfo, () => {
      throw new TypeError('offline')
    })
    const { loadPermissions } = await import('#kit/session/permissions.ts')
    await loadPermissions()
    expect(localStorage.getItem('xc__finance')).toBeNull()
    expect(isLoggedIn()).toBe(true)
  })
})

describe('answers that come after the person has left', () => {
  const leftover = () => Object.keys(localStorage).filter((key) => /finance|codes|session/.test(key))

  test.each([
    ['a 401', new AppError('unauthorized')],
    ['codes that cannot be read', new AppError('server_error')],
  ])('store nothing of the account after %s', async (_, fault) => {
    logIn(platform, ['financial'])
    const late = Promise.withResolvers<unknown>()
    platform.on(endpoints.accountInfo, () => late.promise)
    platform.on(endpoints.allCode, () => {
      throw fault
    })
    await open('/log')
    expect(currentSession()).toBeNull()
    late.resolve({ success: true, data: financialAccount })
    await vi.waitFor(() => expect(platform.answered(endpoints.accountInfo)).toBe(1))
    await new Promise((resolve) => setTimeout(resolve))
    expect(leftover()).toEqual([])
  })

  test('store no codes either, and are not those of the next person', async () => {
    logIn(platform, ['financial'])
    const late = Promise.withResolvers<unknown>()
    platform.on(endpoints.allCode, () => late.promise)
    const reading = loadPermissions().catch((error: unknown) => error)
    leave()
    logIn(platform, ['0301'])
    expect([...(await loadPermissions()).held].sort()).toEqual(['0301', 'all'])
    late.resolve({ suc: true, data: ['financial'] })
    await reading
    expect([...currentPermissions().held].sort()).toEqual(['0301', 'all'])
  })
})

describe('failed calls', () => {
  const fail = async (fault: unknown): Promise<void> => {
    platform.on(endpoints.me, () => {
      throw fault
    })
    await call(endpoints.me, {}).catch(() => null)
  }
  let toLogin: ReturnType<typeof vi.fn<() => void>>
  let stop: () => void
  beforeEach(async () => {
    logIn(platform)
    await open('/log')
    toLogin = vi.fn(() => {})
    stop = watchFailures(toLogin)
  })
  afterEach(() => stop())

  test('403 is Forbidden with the server’s message', async () => {
    await fail(new AppError('foreign_scope'))
    expect(told()).toEqual([['Forbidden', '所选加盟商或服务区不在您的权限范围内']])
  })
  test('404', async () => {
    await fail(new AppError('not_found'))
    expect(told()).toEqual([['错误', '请求错误，未找到该资源']])
  })
  test('no response', async () => {
    await fail(new TypeError('offline'))
    expect(told()).toEqual([['错误', '网络出现问题，请稍后再试']])
  })
  test('401 is told once, clears the session and asks for the login page once', async () => {
    platform.on(endpoints.me, () => {
      throw new AppError('unauthorized')
    })
    await Promise.allSettled([call(endpoints.me, {}), call(endpoints.me, {}), call(endpoints.me, {})])
    expect(told()).toEqual([['未授权', '授权验证失败']])
    expect(currentSession()).toBeNull()
    expect(toLogin).toHaveBeenCalledOnce()
  })
})

describe('a quick-login link', () => {
  beforeEach(() => {
    const { objectId, opManId, accessToken, agentId, roleId, phone } = somebody
    answerFirstEntry(platform, ['0301', '03'])
    platform.on(endpoints.registerForSupport, () => ({ suc: true, data: { registered: true } }))
    platform.on(endpoints.verifySign, (input) => {
      if ((input as { origin: string }).origin !== 'signed') throw new AppError('quick_login_invalid')
      return { suc: true, data: { objectId, opManId } }
    })
    platform.on(endpoints.loginAuthorised, () => {
      document.cookie = '_t=csrf; Path=/'
      return { suc: true, data: { agentId, roleId, accessToken, objectId, phone } }
    })
  })

  test('logs in and opens the page it names, without its parameter', async () => {
    expect(await open('/vehicle/operation-map?origin=signed&vehicle=SD1')).toBe('/vehicle/operation-map?vehicle=SD1')
    expect(currentSession()).toMatchObject(somebody)
  })

  test('of a login page leads home', async () => expect(await open('/login-home?origin=signed')).toBe('/log'))

  test('that is invalid or old is told and leads to /login-home', async () => {
    expect(await open('/log?origin=forged')).toBe('/login-home')
    expect(told()).toEqual([['登录失败', '快捷登录链接无效或已过期']])
  })

  test('does not change who is logged in', async () => {
    logIn(platform)
    await open('/log?origin=signed')
    expect(address()).toBe('/log')
    expect(platform.heard.some(({ key }) => key.endsWith('/verifySign'))).toBe(false)
  })
})

describe('the browser of a wall', () => {
  test.each(['/log', '/', '/login', '/screenHome', '/404'])('is led from %s to its screen', async (path) => {
    logIn(platform)
    const session = currentSession()
    if (session === null) throw new Error('nobody is logged in')
    startSession({ ...session, screen: { name: 'lobby', pages: ['operations'] } })
    expect(await open(path)).toBe('/screen-login')
  })
})
