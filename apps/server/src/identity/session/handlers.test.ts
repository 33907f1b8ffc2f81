import { beforeEach, expect, test } from 'vitest'
import type { LoginData } from '@saddle/contract/identity/login.ts'
import { meSchema } from '@saddle/contract/identity/session.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { type Browser, createWorld, phones, refusalOf, startMs } from '#identity/world.fixture.ts'

const world = await createWorld()
const { identity, clock, browser, logIn, operators } = world
const { handlers } = identity
let nowMs = startMs
let own: Browser
let login: LoginData

beforeEach(async () => {
  nowMs += dayMs
  clock.set(nowMs)
  own = browser()
  login = await logIn(phones.manager, own)
})

test('me: who is logged in, with a masked number and the login before', async () => {
  const firstAt = clock.now()
  clock.advance(hourMs)
  const second = await logIn(phones.manager, own)
  const { data } = await handlers.me({}, await own.session(second.accessToken))
  expect(meSchema.parse(data)).toEqual({
    operatorId: String(operators.manager),
    name: '周',
    phone: '138****8001',
    phoneTail: '138001',
    level: 2,
    agentId: 3,
    company: '甲城',
    roleName: '管理员',
    agentCount: 2,
    areaCount: 3,
    sessionStartedAt: clock.now(),
    previousLoginAt: firstAt,
    language: 'zh',
  })
})

test('me: no role and no earlier login', async () => {
  const other = browser('198.51.100.1')
  const { accessToken } = await logIn(phones.worker, other)
  const { data } = await handlers.me({}, await other.session(accessToken))
  expect(data).toMatchObject({ roleName: null, previousLoginAt: null, areaCount: 1 })
})

test('allCode: one’s own codes, by either identifier', async () => {
  const call = await own.session(login.accessToken)
  const { opManId } = (await identity.sessions.find(login.accessToken))!.operator
  for (const id of [opManId, login.objectId])
    expect(await handlers.allCode({ opManId: id }, call)).toEqual({ suc: true, data: ['0301', 'all'] })
})

test('allCode: nobody else’s, and asking leaves a line', async () => {
  const other = browser('198.51.100.1')
  const foreign = await logIn(phones.otherManager, other)
  const { operator } = (await identity.sessions.find(foreign.accessToken))!
  const call = await own.session(login.accessToken)
  const before = (await world.actions()).length
  for (const id of [operator.opManId, operator.objectId, '', '0'.repeat(24), '\0'])
    expect(await refusalOf(handlers.allCode({ opManId: id }, call))).toBe('forbidden')
  const lines = (await world.actions()).slice(before)
  expect(lines).toEqual(Array.from({ length: 5 }, () => 'session.foreign_scope'))
})

test('logout: ends this session alone, takes its cookies and leaves a line', async () => {
  const elsewhere = await logIn(phones.manager, browser('198.51.100.1'))
  const call = await own.session(login.accessToken)
  expect(await handlers.logout({}, call)).toEqual({ suc: true, data: {} })
  expect(identity.sessions.cached(login.accessToken)).toBeUndefined()
  expect(await identity.sessions.find(login.accessToken)).toBeNull()
  expect(await identity.sessions.find(elsewhere.accessToken)).not.toBeNull()
  expect([...own.cookies.keys()]).toEqual([])
  expect((await world.actions()).at(-1)).toBe('session.logout')
  // A second click finds no session to end and has no effect.
  expect(await handlers.logout({}, call)).toEqual({ suc: true, data: {} })
})
