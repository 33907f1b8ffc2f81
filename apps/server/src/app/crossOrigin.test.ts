import fastifyCookie from '@fastify/cookie'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { callOf } from './callContext.ts'
import { allowConsoles } from './crossOrigin.ts'

const consoleOrigin = 'https://console.example.cn'

async function server(cookieDomain?: string) {
  const http = Fastify({ trustProxy: true })
  await http.register(fastifyCookie)
  allowConsoles(http, [consoleOrigin])
  http.post('/call', (request, reply) => {
    const call = callOf(request, reply, cookieDomain)
    call.setCookie('sid', 'new')
    call.setCookie('_t', 'new', { readable: true })
    return { sid: call.cookie('sid') ?? null }
  })
  return http
}

describe('a console on another origin', () => {
  it('may ask, and may call with its cookies', async () => {
    const http = await server()
    const asked = await http.inject({
      method: 'OPTIONS',
      url: '/call',
      headers: { origin: consoleOrigin, 'access-control-request-method': 'POST' },
    })
    expect(asked.statusCode).toBe(204)
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': consoleOrigin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
    for (const name of ['authorization', 'idempotency-key', 'phone', 'agentid', 'traceid']) {
      expect(asked.headers['access-control-allow-headers']).toContain(name)
    }
    const called = await http.inject({ method: 'POST', url: '/call', headers: { origin: consoleOrigin } })
    expect(called.headers['access-control-allow-origin']).toBe(consoleOrigin)
  })

  it.each(['https://evil.example.cn', 'https://console.example.cn.evil.cn', 'http://console.example.cn', 'null'])(
    'gets no word from %s',
    async (origin) => {
      const http = await server()
      for (const method of ['OPTIONS', 'POST'] as const) {
        const headers = { origin, 'access-control-request-method': 'POST' }
        const answer = await http.inject({ method, url: '/call', headers })
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
        if (method === 'OPTIONS') expect(answer.statusCode).toBe(404)
      }
    },
  )
})

describe('cookies', () => {
  const headers = { host: 'finance.example.cn', 'x-forwarded-proto': 'https' }
  const post = async (cookieDomain: string | undefined, more: Record<string, string> = {}) =>
    (await server(cookieDomain)).inject({ method: 'POST', url: '/call', headers: { ...headers, ...more } })

  it('are of the host alone without a cookie domain', async () => {
    const { cookies } = await post(undefined)
    expect(cookies.map(({ name, domain }) => [name, domain])).toEqual([
      ['__Host-sid', undefined],
      ['_t', undefined],
    ])
  })

  it('hold on every host of the cookie domain, and on no other name of the server', async () => {
    const { cookies } = await post('example.cn')
    expect(cookies).toMatchObject([
      { name: '__Secure-sid', domain: 'example.cn', httpOnly: true, secure: true, sameSite: 'Lax' },
      { name: '_t', domain: 'example.cn', secure: true },
    ])
    const elsewhere = await post('example.cn', { host: 'notexample.cn' })
    expect(elsewhere.cookies.map(({ name, domain }) => [name, domain])).toContainEqual(['__Host-sid', undefined])
    expect((await post('example.cn', { cookie: '__Secure-sid=mine; sid=planted' })).json()).toEqual({ sid: 'mine' })
    expect((await post('example.cn', { cookie: 'sid=planted' })).json()).toEqual({ sid: null })
  })
})
