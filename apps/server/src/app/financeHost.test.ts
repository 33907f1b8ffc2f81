import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { endpoints, everyCall } from '@saddle/contract/endpoints.ts'
import { errorCatalogue } from '@saddle/contract/errors.ts'
import { inputFor } from '#test/isolation/world.ts'
import { testPlatform, testSecret } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const tenants: TenantFixture[] = []
/** The server; the finance host is a process of its own on the same database. */
const server = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const alpha = tenants[0]!
const consoleOrigin = 'https://console.example.cn'
const dataDir = mkdtempSync(join(tmpdir(), 'saddle-finance-host-'))
const host = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('../main.ts', import.meta.url)),
    '--services',
    'finance',
  ],
  {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: server.url,
      SADDLE_SECRET: testSecret,
      CONSOLE_ORIGINS: consoleOrigin,
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  },
)
afterAll(async () => {
  if (host.exitCode === null) {
    host.kill('SIGTERM')
    await once(host, 'exit')
  }
  rmSync(dataDir, { recursive: true, force: true })
})

async function listening(child: ChildProcess): Promise<{ url: string; devicePorts: object }> {
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  const exit = once(child, 'exit').then(() => Promise.reject(new Error(`the finance host ended: ${said}`)))
  const message = new Promise<{ url: string; devicePorts: object }>((resolve) => {
    child.on('message', (value) => {
      const { type, ...rest } = value as { type: string; url: string; devicePorts: object }
      if (type === 'listening') resolve(rest)
    })
  })
  return Promise.race([message, exit])
}

const { url, devicePorts } = await listening(host)
const address = url.replace('localhost', '127.0.0.1')
const codeOf = (body: unknown): string | undefined => (body as { error?: { code: string } }).error?.code
/** Logged in at the server, as the console does it; the session then serves the finance host. */
const person = await server.login(alpha.manager)
const atHost = { at: address }

describe('the finance host', () => {
  it('opens no port for vehicles and serves no console', async () => {
    expect(devicePorts).toEqual({})
    for (const path of ['/console/', '/docs', '/outbox', '/sandbox/bank/messages']) {
      expect((await fetch(address + path)).status).toBe(404)
    }
  })

  it('says how it is', async () => {
    expect(await (await fetch(`${address}/healthz`)).json()).toMatchObject({ status: 'ok' })
    expect(await (await fetch(`${address}/readyz`)).json()).toEqual({ status: 'ready' })
    expect(await (await fetch(`${address}/metrics`)).text()).toContain('process_cpu')
  })

  it('lets the console of its origin call it', async () => {
    const answer = await fetch(`${address}${everyCall.businessAssets.path}`, {
      method: 'OPTIONS',
      headers: { origin: consoleOrigin, 'access-control-request-method': 'POST' },
    })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, consoleOrigin])
  })

  it.each([
    ['the cost centre', 'businessAssets'],
    ['its movements', 'listAssetDetails'],
    ['bills of services', 'listServiceBills'],
    ['split bills', 'listSplitBills'],
    ['split rules', 'listSplitTerms'],
    ['accounts', 'listCompanyAccounts'],
    ['objections', 'listObjections'],
  ] as const)('answers what the page of %s begins with as the server does', async (_page, name) => {
    const input = inputFor(name, alpha, alpha.manager)
    const [there, here] = await Promise.all([
      person.call(everyCall[name], input, atHost),
      person.call(everyCall[name], input),
    ])
    expect(there.status).toBe(200)
    expect(there).toEqual(here)
  })

  it('refuses every call of another host, and names the reason', async () => {
    const others = Object.values(everyCall).filter((call) => call.host !== 'finance')
    expect(others.length).toBeGreaterThan(100)
    const answers = await Promise.all(
      others.map(async ({ method, path }) => {
        const answer = await fetch(address + path.replaceAll(/\{\w+\}/g, '1'), { method })
        return [answer.status, codeOf(await answer.json())]
      }),
    )
    const { status } = errorCatalogue.not_served_here
    expect(new Set(answers.map(String))).toEqual(new Set([String([status, 'not_served_here'])]))
  })

  it('refuses an outsider, and checks the headers of finance', async () => {
    const { method, path } = everyCall.businessAssets
    expect((await fetch(address + path, { method })).status).toBe(401)
    const input = inputFor('businessAssets', alpha, alpha.manager)
    const answer = await person.call(everyCall.businessAssets, input, { ...atHost, headers: { agentId: '' } })
    expect([answer.status, codeOf(answer.body)]).toEqual([400, 'bad_request'])
  })

  it('writes what the server reads at once, and once only', async () => {
    const input = inputFor('remarkAssetDetail', alpha, alpha.manager)
    const idempotencyKey = randomUUID()
    const written = await person.call(everyCall.remarkAssetDetail, input, { ...atHost, idempotencyKey })
    expect(written.status).toBe(200)
    // The answer that the host has kept is that of the server too.
    expect(await person.call(everyCall.remarkAssetDetail, input, { idempotencyKey })).toEqual(written)
    const { data } = written.body as { data: { id: number } }
    const { body } = await person.call(everyCall.listAssetDetails, {})
    expect((body as { data: { list: unknown[] } }).data.list).toContainEqual(data)
  })

  it('learns within seconds that a session has ended at the server', async () => {
    const other = await server.login(alpha.manager)
    const input = inputFor('businessAssets', alpha, alpha.manager)
    expect((await other.call(everyCall.businessAssets, input, atHost)).status).toBe(200)
    await other.call(endpoints.logout, {})
    await expect
      .poll(async () => (await other.call(everyCall.businessAssets, input, atHost)).status, {
        timeout: 60_000,
        interval: 50,
      })
      .toBe(401)
  })
})
