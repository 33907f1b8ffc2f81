import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { withDatabase } from '#test/cluster.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'
import { forgetKeys, keysKeptMs } from './forgottenKeys.ts'

const consoleDir = mkdtempSync(join(tmpdir(), 'saddle-console-'))
mkdirSync(join(consoleDir, 'assets'))
writeFileSync(
  join(consoleDir, 'index.html'),
  '<p nonce="__NONCE__"></p><script type="application/json">__CONFIG__</script>',
)
writeFileSync(join(consoleDir, 'assets', 'app.js'), 'export {}')

const startedAt = Date.now()
const tenants: TenantFixture[] = []
const server = await testPlatform({
  env: { SERVICES: 'api', CHAT_SCRIPT_URL: 'https://chat.example/x.js' },
  consoleDir,
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const alpha = tenants[0]!
const manager = await server.login(alpha.manager)

afterAll(() => rmSync(consoleDir, { recursive: true, force: true }))

const get = (path: string, init?: RequestInit): Promise<Response> =>
  fetch(server.address + path, { redirect: 'manual', ...init })

describe('pages', () => {
  it('lead from / to the console, under a strict policy with a new nonce each time', async () => {
    expect((await get('/')).headers.get('location')).toBe('/console/')
    const first = await get('/console/')
    const policy = first.headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
    expect(await first.text()).toContain(`nonce="${nonce}"`)
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain('https://chat.example')
    expect(policy).not.toContain('unsafe')
    expect(first.headers.get('cache-control')).toBe('no-store')
    const second = await get('/console/')
    expect(second.headers.get('content-security-policy')).not.toBe(policy)
  })

  it('shows the page as last built', async () => {
    const before = await (await get('/console/')).text()
    await new Promise((resolve) => setTimeout(resolve, 20))
    writeFileSync(join(consoleDir, 'index.html'), '<b>new</b>')
    expect(await (await get('/console/')).text()).toBe('<b>new</b>')
    expect(before).not.toContain('new')
  })

  it('serve assets for a year and never the template, nor what lies outside', async () => {
    const asset = await get('/assets/app.js')
    expect(asset.status).toBe(200)
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff')
    for (const path of [
      '/index.html',
      '/assets/../../package.json',
      '/%2e%2e/package.json',
      '/.built-from',
      '/nothing',
      '/assets/',
      '/assets',
      '//x',
      '//',
      '/nothing//x',
    ]) {
      const answer = await get(path)
      expect(answer.status, path).toBe(404)
      expect(await answer.json()).toMatchObject({
        suc: false,
        error: { code: 'not_found', promot: '请求错误，未找到该资源' },
      })
    }
  })

  it('refuse an address that is none', async () => {
    for (const path of ['/%00', '/assets/%00', '/%', '/%ff', '/%2', '/assets/%e0%a4']) {
      const head = await firstBytes(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      expect(head, path).toMatch(/^HTTP\/1.1 40[04] /)
    }
  })

  it('describe the calls', async () => {
    const document = (await (await get('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((row) => row.operationId))
    expect(ids.toSorted()).toEqual(Object.keys(endpoints).toSorted())
    const page = await (await get('/docs')).text()
    for (const name of Object.keys(endpoints)) expect(page).toContain(`id="${name}"`)
  })

  it('describe the calls in the language that is asked for, with a nonce of each answer', async () => {
    const asked = async (language: string) => {
      const answer = await get('/docs', { headers: { 'accept-language': language } })
      const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
      return { nonce, page: await answer.text() }
    }
    const [first, second, english] = [await asked('zh-CN'), await asked('zh-CN'), await asked('en')]
    for (const { nonce, page } of [first, second, english]) {
      expect(page).toContain(`<style nonce="${nonce}">`)
      expect(page).not.toContain('__NONCE__')
    }
    expect(second.nonce).not.toBe(first.nonce)
    expect(first.page).toContain('<html lang="zh-CN">')
    expect(english.page).toContain('<html lang="en">')
  })

  it('tell health, readiness and figures', async () => {
    expect(await (await get('/healthz')).json()).toMatchObject({ status: 'ok' })
    expect(await (await get('/readyz')).json()).toEqual({ status: 'ready' })
    await manager.call(endpoints.me, {})
    expect(await (await get('/metrics')).text()).toContain('saddle_call_duration_seconds_count{call="me",status="2xx"}')
  })

  it('keep the outbox closed outside of the demo', async () => {
    expect((await get('/outbox')).status).toBe(404)
  })
})

describe('calls', () => {
  it('answer sealed, and only to the one who asked', async () => {
    const { status, body } = await manager.call(endpoints.me, {})
    expect(status).toBe(200)
    expect(body).toMatchObject({ suc: true, data: { name: `${alpha.marker} manager`, agentId: alpha.agentId } })
  })

  it('refuse a token that was used before', async () => {
    const token = { jti: randomUUID().replaceAll('-', '') }
    expect((await manager.call(endpoints.me, {}, { token })).status).toBe(200)
    expect(await manager.call(endpoints.me, {}, { token })).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized' } },
    })
    const writing = { jti: randomUUID().replaceAll('-', '') }
    const text = { text: 'once' }
    expect((await manager.call(endpoints.sendMyMessage, text, { token: writing })).status).toBe(200)
    expect((await manager.call(endpoints.sendMyMessage, text, { token: writing })).status).toBe(401)
  })

  it('tell a wrong clock the right time', async () => {
    const late = Math.floor(Date.now() / 1000) - 600
    const { status, body } = await manager.call(endpoints.me, {}, { token: { iat: late, exp: late + 60 } })
    expect(status).toBe(401)
    expect(body).toMatchObject({ suc: false, error: { code: 'clock_skew', serverTime: expect.any(Number) as number } })
  })

  it('need both cookies of the session', async () => {
    for (const name of ['sid', '_t']) {
      const held = manager.jar.get(name) ?? ''
      manager.jar.set(name, 'other')
      expect((await manager.call(endpoints.me, {})).status, name).toBe(401)
      manager.jar.set(name, held)
    }
    expect((await manager.call(endpoints.me, {})).status).toBe(200)
  })

  it('refuse what is bound to another call or body', async () => {
    const other = await manager.call(endpoints.me, {}, { token: { htu: endpoints.allCode.path } })
    expect(other.status).toBe(401)
    const method = await manager.call(endpoints.me, {}, { token: { htm: 'POST' } })
    expect(method.status).toBe(401)
    const body = await manager.call(endpoints.sendMyMessage, { text: 'x' }, { token: { bodyHash: 'A'.repeat(43) } })
    expect(body.status).toBe(401)
  })

  it('name the fault of an input and refuse NUL', async () => {
    const long = await manager.call(endpoints.sendMyMessage, { text: '' })
    expect(long).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } })
    const nul = await manager.call(endpoints.sendMyMessage, { text: 'a\u0000b' })
    expect(nul).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } })
    const phone = await manager.plain(endpoints.requestSmsCode, { mobilePhoneNumber: '123' })
    expect(phone).toMatchObject({
      status: 400,
      body: { error: { code: 'phone_format', promot: '手机号码格式不正确' } },
    })
  })

  it('refuse a body that is none, or too large', async () => {
    const post = (body: string, type = 'application/json'): Promise<Response> =>
      get(endpoints.requestSmsCode.path, { method: 'POST', body, headers: { 'content-type': type } })
    expect((await post('{')).status).toBe(400)
    expect((await post('x', 'text/plain')).status).toBe(400)
    expect((await post(JSON.stringify({ mobilePhoneNumber: '1'.repeat(20_000) }))).status).toBe(413)
    expect((await post('['.repeat(8_000) + ']'.repeat(8_000))).status).toBe(400)
  })

  it('refuse what is nested deeper than any input, also when it is sealed', async () => {
    let nested: unknown = 'x'
    for (let depth = 0; depth < 2_000; depth += 1) nested = [nested]
    const answer = await manager.call(endpoints.sendMyMessage, { text: nested } as never)
    expect(answer).toMatchObject({ status: 400, body: { error: { promot: '提交的内容有误：嵌套过深' } } })
  })

  it('know who calls before they read a body', async () => {
    // Declares five megabytes and sends none: a server that reads the body would wait.
    const refused = (path: string, headers = ''): Promise<string> =>
      firstBytes(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: 5000000\r\n\r\n`,
      )
    const { createElectricFences, endRide, sendMyMessage } = endpoints
    expect(await refused(createElectricFences.path)).toMatch(/^HTTP\/1.1 401 /)
    expect(await refused(createElectricFences.path, 'Authorization: Bearer a.b.c\r\n')).toMatch(/^HTTP\/1.1 401 /)
    expect(await refused(endRide.path, 'X-Api-Key: aaaaaaaaaaaaaaaaaaaaaaaaa\r\n')).toMatch(/^HTTP\/1.1 401 /)
    const token = manager.sign(manager.tokenFor({ endpoint: sendMyMessage }))
    const cookie = [...manager.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    expect(await refused(sendMyMessage.path, `Authorization: Bearer ${token}\r\nCookie: ${cookie}\r\n`)).toMatch(
      /^HTTP\/1.1 413 /,
    )
  })

  it('take long bodies where their row says so', async () => {
    const ring = Array.from({ length: 4_000 }, (_, index): [number, number] => {
      const angle = (index / 3_999) * 2 * Math.PI
      return [120 + 0.01 * Math.cos(angle), 31 + 0.01 * Math.sin(angle)]
    })
    const { status } = await manager.call(endpoints.previewArea, { ring })
    expect([200, 400]).toContain(status)
  })

  it('are asked with their own method only', async () => {
    const path = endpoints.me.path
    const token = manager.sign(manager.tokenFor({ endpoint: endpoints.me }))
    const cookie = [...manager.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { authorization: `Bearer ${token}`, cookie }
    expect((await get(path, { method: 'HEAD', headers })).status).toBe(404)
    expect((await get(path, { headers })).status).toBe(200)
  })

  it('refuse a reading token that an earlier process may have taken', async () => {
    const before = Math.floor(startedAt / 1000) - 2
    const { status, body } = await manager.call(endpoints.me, {}, { token: { iat: before, exp: before + 60 } })
    expect(status).toBe(401)
    expect(body).toMatchObject({ error: { code: 'clock_skew' } })
  })

  it('leave an audit line for a foreign scope', async () => {
    await manager.call(endpoints.me, {}, { token: { agentIds: [999] } })
    await expect
      .poll(async () => {
        const rows = await server.owner
          .selectFrom('audit_record')
          .select(['action', 'subject_id'])
          .where('agent_id', '=', alpha.agentId)
          .execute()
        return rows.filter((row) => row.action === 'foreign_scope').map((row) => row.subject_id)
      })
      .toContain(`GET ${endpoints.me.path}`)
  })

  it('end with logout', async () => {
    const client = await server.login(alpha.worker)
    expect((await client.call(endpoints.logout, {})).status).toBe(200)
    expect((await client.call(endpoints.me, {})).status).toBe(401)
  })
})

/** What the server says first to these bytes. */
function firstBytes(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(Number(new URL(server.address).port), '127.0.0.1', () => socket.write(text))
    socket.once('data', (data) => {
      resolve(data.toString('latin1'))
      socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(''))
  })
}

describe('while the database is away', () => {
  const shut = async (isShut: boolean): Promise<void> => {
    const name = new URL(server.url).pathname.slice(1)
    const client = new pg.Client({ connectionString: withDatabase({ url: server.url, database: 'postgres' }) })
    await client.connect()
    await client.query(`alter database ${name} with allow_connections ${String(!isShut)}`)
    const lines =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like $2'
    if (isShut) await client.query(lines, [name, 'saddle%'])
    await client.end()
  }

  it('calls are answered 503 with Retry-After, and go on by themselves afterwards', async () => {
    await shut(true)
    try {
      const path = endpoints.requestSmsCode.path
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ mobilePhoneNumber: alpha.manager })
      const plain = await get(path, { method: 'POST', headers, body })
      expect(plain.status).toBe(503)
      expect(plain.headers.get('retry-after')).toBe('5')
      expect(await plain.json()).toMatchObject({ suc: false, error: { code: 'unavailable' } })
      for (const answer of await Promise.all([
        manager.call(endpoints.listMyMessages, {}),
        manager.call(endpoints.sendMyMessage, { text: 'away' }),
        manager.call(endpoints.singleDeviceInfo, { number: 'none' }),
      ])) {
        expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
      }
      expect((await get('/readyz')).status).toBe(503)
      expect((await get('/healthz')).status).toBe(200)
    } finally {
      await shut(false)
    }
    expect((await manager.call(endpoints.listMyMessages, {})).status).toBe(200)
  })
})

describe('idempotency', () => {
  const send = (text: string, idempotencyKey: string): ReturnType<typeof manager.call> =>
    manager.call(endpoints.sendMyMessage, { text }, { idempotencyKey })
  const countOf = async (text: string): Promise<number> => {
    const { body } = await manager.call(endpoints.listMyMessages, {})
    return body.data.list.filter((message) => message.text === text).length
  }

  it('does once what is asked twenty times at the same moment', async () => {
    const key = randomUUID()
    const results = await Promise.all(Array.from({ length: 20 }, () => send('twenty', key)))
    expect(await countOf('twenty')).toBe(1)
    for (const { status } of results) expect([200, 409]).toContain(status)
    const replayed = await send('twenty', key)
    expect(replayed).toMatchObject({ status: 200, body: { suc: true, data: { text: 'twenty' } } })
    expect(await countOf('twenty')).toBe(1)
  })

  it('does not do again what had written before its server died', async () => {
    const key = randomUUID()
    // The answer cannot be stored, as if the server had died after the commit.
    await sql`create function no_answer() returns trigger language plpgsql as
      $$ begin raise exception 'no answer'; end $$`.execute(server.owner)
    await sql`create trigger no_answer before update on idempotency for each row when (new.status = 'done')
      execute function no_answer()`.execute(server.owner)
    expect((await send(key, key)).status).toBe(500)
    await sql`drop function no_answer() cascade`.execute(server.owner)
    expect(await send(key, key)).toMatchObject({ status: 409, body: { error: { code: 'request_in_progress' } } })
    await sql`update idempotency set created_at = now() - interval '6 minutes' where key = ${key}`.execute(server.owner)
    expect(await send(key, key)).toMatchObject({ status: 409, body: { error: { code: 'request_written' } } })
    // One that died before its commit.
    await sql`update idempotency set status = 'running' where key = ${key}`.execute(server.owner)
    expect((await send(key, key)).status).toBe(200)
    expect(await countOf(key)).toBe(2)
  })

  it('refuses the key with other input, and a call without a key', async () => {
    const key = randomUUID()
    await send('one', key)
    expect(await send('two', key)).toMatchObject({ status: 409, body: { error: { code: 'idempotency_mismatch' } } })
    expect(await send('three', 'short')).toMatchObject({
      status: 400,
      body: { error: { code: 'idempotency_key_missing' } },
    })
  })

  it('takes a key only from the token that was signed with it', async () => {
    const key = randomUUID()
    const other = { headers: { 'idempotency-key': randomUUID() } }
    const changed = await manager.call(endpoints.sendMyMessage, { text: key }, { idempotencyKey: key, ...other })
    expect(changed).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
    expect(await countOf(key)).toBe(0)
  })

  it('keeps an answer for a month', async () => {
    const [old, fresh] = [randomUUID(), randomUUID()]
    for (const key of [old, fresh]) await send(key, key)
    const nowMs = Date.now()
    const aged = new Date(nowMs - keysKeptMs - 1)
    await server.owner.updateTable('idempotency').set({ created_at: aged }).where('key', '=', old).execute()
    expect(await forgetKeys({ db: server.db, clock: { now: () => nowMs } })).toBe(1)
    const left = await server.owner.selectFrom('idempotency').select('key').where('key', 'in', [old, fresh]).execute()
    expect(left).toEqual([{ key: fresh }])
  })

  it('frees the key of a refused call', async () => {
    const idempotencyKey = randomUUID()
    const input = { vehicleId: 999_999_999, kind: 'unlock' } as const
    for (let attempt = 0; attempt < 2; attempt++) {
      const answer = await manager.call(endpoints.lockVehicle, input, { idempotencyKey })
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'vehicle_not_found' } } })
    }
  })
})
