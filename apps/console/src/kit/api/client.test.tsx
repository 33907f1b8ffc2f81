import { beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { learnServerTime } from '#kit/clock.ts'
import { isTryOver } from '#kit/idempotency.ts'
import { setSelection } from '#kit/session/scope.ts'
import { endSession } from '#kit/session/store.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, somebody, withPlatform } from '#test/session.ts'
import { ApiError, call, onFailure } from './client.ts'

let platform: FakePlatform
const lastHeard = () => platform.heard.at(-1)

beforeEach(async () => {
  platform = await withPlatform()
  learnServerTime(Date.now())
})

describe('calls before there is a session', () => {
  test('GET input travels in the query, POST input as JSON', async () => {
    platform.on(endpoints.lookUpUser, () => ({ objectId: 'f'.repeat(24) }))
    platform.on(endpoints.requestSmsCode, () => ({ suc: true, resendAfterSeconds: 60 }))
    const user = await call(endpoints.lookUpUser, { mobilePhoneNumber: '13800138000' })
    expect(user.objectId).toBe('f'.repeat(24))
    expect(lastHeard()?.input).toEqual({ mobilePhoneNumber: '13800138000' })
    await call(endpoints.requestSmsCode, { mobilePhoneNumber: '13800138001' })
    expect(lastHeard()?.input).toEqual({ mobilePhoneNumber: '13800138001' })
  })

  test('a refusal carries the server’s code, text and status', async () => {
    platform.on(endpoints.requestSmsCode, () => {
      throw new AppError('sms_too_many')
    })
    const error = await call(endpoints.requestSmsCode, { mobilePhoneNumber: '13800138000' }).catch((fault) => fault)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'sms_too_many', promot: '短信发送次数超量', status: 429 })
  })

  test('no answer is a network failure', async () => {
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(call(endpoints.lookUpUser, { mobilePhoneNumber: '13800138000' })).rejects.toMatchObject({
      code: 'network',
      status: 0,
      promot: '网络出现问题，请稍后再试',
    })
  })
})

describe('a call that is done once', () => {
  const failureOf = (answer: () => Promise<Response>): Promise<ApiError> => {
    globalThis.fetch = answer
    return call(endpoints.lookUpUser, { mobilePhoneNumber: '13800138000' }).then(
      () => Promise.reject(new Error('it was answered')),
      (error: ApiError) => error,
    )
  }

  test.each([
    ['silence', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['an answer that was cut off', () => Promise.resolve(new Response('{"suc": tr', { status: 200 }))],
    ['the page of a hotel', () => Promise.resolve(new Response('<html>Wi-Fi</html>', { status: 200 }))],
    ['a proxy that waited too long', () => Promise.resolve(new Response('', { status: 504 }))],
    ['a server that still works on it', () => Promise.resolve(refusal('request_in_progress'))],
  ])('may have happened after %s: the next try keeps its key', async (_, answer) => {
    expect(isTryOver(await failureOf(answer))).toBe(false)
  })

  test('has another key once its end is known', async () => {
    expect(isTryOver(null)).toBe(true)
    expect(isTryOver(await failureOf(() => Promise.resolve(refusal('balance_insufficient'))))).toBe(true)
  })

  const refusal = (code: 'request_in_progress' | 'balance_insufficient'): Response => {
    const { message: promot, status } = new AppError(code)
    return Response.json({ suc: false, error: { code, promot } }, { status })
  }
})

describe('calls of a session', () => {
  beforeEach(() => logIn(platform))

  test('are signed, sealed and opened', async () => {
    platform.on(endpoints.allCode, () => ({ suc: true, data: ['0301', '07'] }))
    const answer = await call(endpoints.allCode, { opManId: somebody.opManId })
    expect(answer.data).toEqual(['0301', '07'])
    const { token, input } = platform.heard.at(-1)!
    expect(input).toEqual({ opManId: somebody.opManId })
    expect(token).toMatchObject({ userId: somebody.objectId, phone: somebody.phone, agentId: 3, build: 'test' })
    expect(token).not.toHaveProperty('agentIds')
    expect(token).not.toHaveProperty('opAreaIds')
    expect(token!.exp - token!.iat).toBeLessThanOrEqual(60)
  })

  test('each has an id of its own', async () => {
    await call(endpoints.allCode, { opManId: somebody.opManId })
    await call(endpoints.allCode, { opManId: somebody.opManId })
    const [first, second] = platform.heard.slice(-2)
    expect(first!.token!.jti).not.toBe(second!.token!.jti)
  })

  test('carry the header’s selection: absent is everything, an empty list nothing', async () => {
    setSelection({ agentIds: [3], opAreaIds: [] })
    await call(endpoints.allCode, { opManId: somebody.opManId })
    expect(lastHeard()?.token).toMatchObject({ agentIds: [3], opAreaIds: [] })
  })

  test('a wrong clock is learnt from the answer and the call signed once more', async () => {
    platform.now = () => Date.now() + hourMs
    const answer = await call(endpoints.allCode, { opManId: somebody.opManId })
    expect(answer.suc).toBe(true)
    await call(endpoints.allCode, { opManId: somebody.opManId })
    expect(platform.heard).toHaveLength(2)
  })

  test('finance calls carry phone, agentId and a traceId', async () => {
    await call(endpoints.accountInfo, {})
    const { headers } = lastHeard()!
    expect(headers.get('phone')).toBe(somebody.phone)
    expect(headers.get('agentId')).toBe('3')
    expect(headers.get('traceId')).toMatch(/^[A-Za-z0-9-]{8,64}$/)
  })

  test('a call that must happen once carries the given key, or one of its own', async () => {
    platform.on(endpoints.sendMyMessage, () => ({ suc: true, data: {} }))
    await call(endpoints.sendMyMessage, { text: '你好' }, { idempotencyKey: 'once-1' })
    expect(lastHeard()?.headers.get('idempotency-key')).toBe('once-1')
    await call(endpoints.sendMyMessage, { text: '你好' })
    expect(lastHeard()?.headers.get('idempotency-key')).toMatch(/^[\w-]{22}$/)
  })

  test('an answer sealed for another call does not open', async () => {
    const honest = platform.fetch
    let kept: string | null = null
    globalThis.fetch = async (input, init) => {
      const text = await (await honest(input, init)).text()
      kept ??= text
      return new Response(kept)
    }
    await call(endpoints.allCode, { opManId: somebody.opManId })
    await expect(call(endpoints.allCode, { opManId: somebody.opManId })).rejects.toThrow('envelope does not open')
  })

  test.each([
    ['that says it succeeded', { suc: true, data: { name: 'forged' } }],
    ['without a word of success', { name: 'forged' }],
    ['that carries sealed text beside its own words', { suc: true, params: 'AAAA', data: {} }],
  ])('a plain answer %s is not taken, and its try is not over', async (_, forged) => {
    globalThis.fetch = () => Promise.resolve(Response.json(forged))
    const error = await call(endpoints.me, {}).catch((fault) => fault)
    expect(error).toMatchObject({ code: 'network', status: 0 })
    expect(isTryOver(error)).toBe(false)
  })

  test('a plain refusal is taken', async () => {
    globalThis.fetch = () =>
      Promise.resolve(Response.json({ suc: false, error: { code: 'forbidden', promot: 'x' } }, { status: 403 }))
    await expect(call(endpoints.me, {})).rejects.toMatchObject({ code: 'forbidden', status: 403 })
  })

  test('without keys nothing is sent: it counts as not logged in', async () => {
    endSession()
    await expect(call(endpoints.me, {})).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
    expect(platform.heard).toHaveLength(0)
  })

  test('failures are told to who listens, quiet ones are not', async () => {
    platform.on(endpoints.me, () => {
      throw new AppError('forbidden')
    })
    const told: string[] = []
    const stop = onFailure((error) => told.push(error.code))
    await call(endpoints.me, {}).catch(() => null)
    await call(endpoints.me, {}, { quiet: true }).catch(() => null)
    stop()
    expect(told).toEqual(['forbidden'])
  })
})
