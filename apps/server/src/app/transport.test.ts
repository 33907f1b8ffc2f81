import { request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { loadConfig } from '#kit/config.ts'
import { createLog } from '#kit/log.ts'
import { testPlatform } from '#test/platform.ts'
import { trustedHops } from './clientAddress.ts'
import { asAppError, refusalBody } from './refusal.ts'
import { isFromThisMachine, isSecureTransport, requireSecureTransport } from './transport.ts'

const token = 'a token of the scraper'
const server = await testPlatform({
  env: { SERVICES: 'api', DEMO: 'true', METRICS_TOKEN: token, PUBLIC_DOCS: 'false' },
})
const behind = await testPlatform({
  env: { SERVICES: 'api', DEMO: 'true', TRUST_PROXY: '1', METRICS_TOKEN: token, PUBLIC_DOCS: 'false' },
  database: server,
})
const open = await testPlatform({ env: { SERVICES: 'api', ALLOW_HTTP: 'true', PUBLIC_DOCS: 'true' }, database: server })

interface Asked {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
}

/** `fetch` sets Host itself, so a request with another one is written by hand. */
function get(address: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const request = ask(address + path, { headers, method }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject).end()
  })
}

const localOnly = ['/outbox', '/metrics', '/docs', '/openapi.json']
const forwarded = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }

describe('what only this machine may read', () => {
  it('is read on this machine', async () => {
    for (const path of localOnly) expect((await get(server.address, path)).status, path).toBe(200)
    for (const path of localOnly) expect((await get(behind.address, path)).status, path).toBe(200)
  })

  it.each([
    ['came through a proxy that nobody declared', forwarded],
    ['asks for a name that somebody pointed at this machine', { host: 'rebound.example' }],
    ['only says where it is', { 'x-real-ip': '127.0.0.1' }],
    ['names its proxy', { via: '1.1 proxy' }],
  ])('is kept from a request that %s', async (_what, headers) => {
    for (const path of localOnly) expect((await get(server.address, path, headers)).status, path).not.toBe(200)
    const paid = await get(server.address, '/pay/sandbox/1', headers, 'POST')
    expect(paid.status).toBe(403)
  })

  it('is kept from whoever claims this machine’s address through the declared proxy', async () => {
    const headers = { ...forwarded, host: 'localhost' }
    for (const path of localOnly) expect((await get(behind.address, path, headers)).status, path).toBe(404)
    expect((await get(behind.address, '/pay/sandbox/1', headers, 'POST')).status).toBe(404)
  })

  it('shows its figures to a scraper elsewhere that has the token', async () => {
    const scrape = (authorization: string, headers: Record<string, string> = forwarded) =>
      get(behind.address, '/metrics', { ...headers, authorization })
    expect((await scrape(`Bearer ${token}`)).text).toContain('saddle_call_duration_seconds')
    expect((await scrape('Bearer another')).status).toBe(404)
    expect((await scrape(token)).status).toBe(404)
    // Over plain http an eavesdropper could read the token.
    expect((await scrape(`Bearer ${token}`, { 'x-forwarded-for': '192.0.2.9' })).status).toBe(403)
    expect((await get(open.address, '/metrics', { ...forwarded, authorization: 'Bearer undefined' })).status).toBe(404)
  })

  it('takes HTTP/1.0, which nginx speaks to a server, for a proxy', () => {
    const request = { headers: { host: 'localhost' }, socket: { remoteAddress: '127.0.0.1' } }
    expect(isFromThisMachine({ ...request, httpVersion: '1.1' })).toBe(true)
    expect(isFromThisMachine({ ...request, httpVersion: '1.0' })).toBe(false)
    expect(isFromThisMachine({ ...request, httpVersion: '1.1', socket: { remoteAddress: '192.0.2.1' } })).toBe(false)
  })
})

describe('plain http from elsewhere', () => {
  const plain = { 'x-forwarded-for': '192.0.2.9' }

  it('is refused on every call, page and call-back, and answered for the probes', async () => {
    for (const path of ['/', '/nothing', endpoints.me.path, '/docs']) {
      const refused = await get(behind.address, path, plain)
      expect(refused.status, path).toBe(403)
      expect(JSON.parse(refused.text), path).toMatchObject({ suc: false, error: { code: 'insecure_transport' } })
    }
    expect((await get(behind.address, '/pay/callback/wechat', plain, 'POST')).status).toBe(403)
    for (const path of ['/healthz', '/readyz']) {
      expect((await get(behind.address, path, plain)).status, path).toBe(200)
      expect((await get(behind.address, path, { host: '10.1.2.3:8080' })).status, path).toBe(200)
    }
  })

  it('is refused to the live socket as well', async () => {
    const opened = (headers: Record<string, string>): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = new WebSocket(behind.address.replace('http', 'ws') + liveSocketPath, { headers })
        socket.once('open', () => {
          socket.close()
          resolve(true)
        })
        socket.once('error', () => resolve(false))
      })
    expect(await opened(plain)).toBe(false)
    expect(await opened({ host: 'city.example' })).toBe(false)
    expect(await opened({ ...plain, 'x-forwarded-proto': 'https' })).toBe(true)
    expect(await opened({})).toBe(true)
  })

  it('is told in words to a browser', async () => {
    const { status, headers, text } = await get(behind.address, '/console/', { ...plain, accept: 'text/html,*/*' })
    expect(status).toBe(403)
    expect(headers['content-type']).toContain('text/html')
    expect(text).toContain('请使用 https 访问')
  })

  it('is allowed when the operator says so', async () => {
    expect((await get(open.address, endpoints.me.path, plain)).status).toBe(401)
    expect((await get(open.address, '/docs', plain)).status).toBe(200)
    expect((await get(open.address, '/outbox', plain)).status).toBe(404)
  })

  it('is what a straight connection from another address is, whatever it claims', async () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    const outside = own.find((one) => one.family === 'IPv4' && !one.internal)?.address
    const { http, warnings } = bare({ TRUST_PROXY: '203.0.113.7', HOST: '0.0.0.0' })
    await http.listen({ port: 0, host: '0.0.0.0' })
    const { port } = http.server.address() as AddressInfo
    const from = outside ?? '127.0.0.1'
    expect((await get(`http://${from}:${port}`, '/who', { ...forwarded, host: 'localhost' })).status).toBe(403)
    expect(warnings).toEqual([])
  })
})

describe('https at the declared proxy', () => {
  const https = { 'x-forwarded-for': '192.0.2.9', 'x-forwarded-proto': 'https', host: 'city.example' }

  it('is secure, and browsers are told to stay with it', async () => {
    const answer = await get(behind.address, endpoints.me.path, https)
    expect(answer.status).toBe(401)
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000')
    expect((await get(server.address, '/healthz')).headers['strict-transport-security']).toBeUndefined()
  })

  it('is where a browser is sent that asks over plain http', async () => {
    const { http } = bare({ TRUST_PROXY: '1', PUBLIC_URL: 'https://city.example' })
    const page = {
      method: 'GET',
      url: '/console/?a=1',
      headers: { host: 'city.example', accept: 'text/html' },
    } as const
    const answer = await http.inject(page)
    expect(answer.statusCode).toBe(308)
    expect(answer.headers.location).toBe('https://city.example/console/?a=1')
  })

  it('is not believed from a proxy that nobody declared, which is said once', async () => {
    const { http, warnings } = bare({})
    const answers = await Promise.all([1, 2].map(() => http.inject({ method: 'GET', url: '/who', headers: https })))
    expect(answers.map((answer) => answer.statusCode)).toEqual([403, 403])
    expect(warnings).toEqual([expect.stringContaining('TRUST_PROXY is not set')])
  })
})

function bare(env: Record<string, string>) {
  const warnings: string[] = []
  const log = createLog({
    level: 'warn',
    destination: { write: (line) => void warnings.push((JSON.parse(line) as { msg: string }).msg) },
  })
  const config = loadConfig(env)
  const http = Fastify({ trustProxy: trustedHops(config.trustProxy) ?? false })
  requireSecureTransport(http, { config, log })
  http.setErrorHandler((error, _request, reply) => {
    const refusal = asAppError(error)
    return reply.code(refusal.status).send(refusalBody(refusal, 0))
  })
  http.get('/who', (request) => ({ secure: isSecureTransport(request) }))
  http.get('/console/', () => 'page')
  onTestFinished(() => http.close())
  return { http, warnings }
}
