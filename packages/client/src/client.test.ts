import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError, type ErrorCode } from '@saddle/contract/errors.ts'
import { cipherOf, handlesOf } from './cipher.ts'
import { createClient, type ClientDeps } from './client.ts'
import { withCookies } from './cookies.ts'

const nowMs = Date.UTC(2026, 10, 21)
const identity = { accessToken: 'handle', objectId: 'f'.repeat(24), phone: '13800138000', agentId: 3 }

/** A client of somebody who is logged in, whose server answers as told; `sent` are its tokens' claims. */
async function clientOf(answers: readonly (() => Response)[], deps: Partial<ClientDeps> = {}) {
  const keys = { encryptionKey: randomBytes(32), signingKey: randomBytes(32) }
  const cipher = await cipherOf(await handlesOf(keys))
  const sent: Record<string, unknown>[] = []
  let offsetMs = 0
  const client = createClient({
    fetch: (_, init) => {
      const token = init.headers['authorization']?.split('.')[1] ?? ''
      sent.push(JSON.parse(Buffer.from(token, 'base64url').toString() || 'null') as Record<string, unknown>)
      const answer = answers[sent.length - 1]
      return answer === undefined ? Promise.reject(new TypeError('no answer')) : Promise.resolve(answer())
    },
    hostOf: () => 'https://platform.example',
    now: () => nowMs + offsetMs,
    learnServerTime: (atMs) => {
      offsetMs = atMs - nowMs
    },
    session: () => Promise.resolve({ identity, cipher }),
    sender: () => ({ build: 'b', devId: 'd', package: 'p' }),
    ...deps,
  })
  return { client, sent }
}

const refusal = (code: ErrorCode, serverTime?: number) => (): Response =>
  Response.json(
    { suc: false, error: { code, promot: 'x', ...(serverTime !== undefined && { serverTime }) } },
    { status: new AppError(code).status },
  )

describe('a sealed call', () => {
  it('is signed once more with the server’s time, and not a third time', async () => {
    const late = refusal('clock_skew', nowMs + 90_000)
    const { client, sent } = await clientOf([late, late, late])
    await expect(client.call(endpoints.me, {})).rejects.toMatchObject({ code: 'clock_skew' })
    expect(sent.map(({ iat }) => iat)).toEqual([nowMs / 1000, nowMs / 1000 + 90])
    expect(sent[0]?.['jti']).not.toBe(sent[1]?.['jti'])
  })

  it('keeps its idempotency key over silence, and carries the client’s selection or its own', async () => {
    const { client, sent } = await clientOf([], { selection: () => ({ agentIds: [3] }) })
    const text = { text: 'x' }
    await expect(client.call(endpoints.sendMyMessage, text, { idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'network',
      status: 0,
    })
    await client.call(endpoints.sendMyMessage, text, { idempotencyKey: 'k', scope: {} }).catch(() => null)
    expect(sent.map(({ idempotencyKey, agentIds }) => [idempotencyKey, agentIds])).toEqual([
      ['k', [3]],
      ['k', undefined],
    ])
  })

  it('is not sent by nobody', async () => {
    const { client, sent } = await clientOf([], { session: () => Promise.resolve(null) })
    await expect(client.call(endpoints.me, {})).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
    expect(await client.tokenFor({ method: 'GET', path: '/ws/live' })).toBeNull()
    expect(sent).toEqual([])
  })

  it('takes no plain success; a refusal is what was said', async () => {
    const { client } = await clientOf([() => Response.json({ suc: true, data: {} }), refusal('forbidden')])
    await expect(client.send(endpoints.me, {})).rejects.toMatchObject({ code: 'network' })
    expect(await client.send(endpoints.me, {})).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })

  it('ends with the cause when its signal was raised', async () => {
    const { client } = await clientOf([])
    const cause = AbortSignal.abort()
    await expect(client.call(endpoints.me, {}, { signal: cause })).rejects.toThrow('no answer')
  })
})

it('a jar sends what answers set and forgets what they delete', async () => {
  const answers = [
    ['sid=a%20b; HttpOnly', '_t=1'],
    ['_t=; Max-Age=0', 'dev=2'],
  ].map((lines) => new Response('', { headers: lines.map((line): [string, string] => ['set-cookie', line]) }))
  const heard: unknown[] = []
  const jar = new Map<string, string>()
  const send = withCookies(jar, (_, init) => {
    heard.push(new Headers(init?.headers).get('cookie'))
    return Promise.resolve(answers.shift() ?? new Response(''))
  })
  for (let count = 0; count < 3; count += 1) await send('https://platform.example/', { headers: {} })
  expect(heard).toEqual([null, 'sid=a b; _t=1', 'sid=a b; dev=2'])
})
