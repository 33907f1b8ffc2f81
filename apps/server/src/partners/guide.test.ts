import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPartnerClient } from '@saddle/client/partnerClient.ts'
import { partnerKeyEndpoints } from '@saddle/contract/partners/keys.ts'
import { webhookEndpoints } from '@saddle/contract/partners/webhooks.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

/** docs/partners.md is followed to the letter: its commands are run, its receiver is started. */

const guide = readFileSync(fileURLToPath(new URL('../../../../docs/partners.md', import.meta.url)), 'utf8')
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, text = '']) => text)

let tenants: readonly TenantFixture[] = []
const server = await testPlatform({
  env: { SERVICES: 'api', NOTICE_LOCAL_WEBHOOKS: 'true' },
  seed: async (kit) => {
    tenants = await seedTenants(kit)
  },
})
const folder = mkdtempSync(join(tmpdir(), 'saddle-guide-'))
afterAll(() => rmSync(folder, { recursive: true }))
const shell = promisify(execFile)

let key = ''
let manager: Awaited<ReturnType<typeof server.login>>
beforeAll(async () => {
  const [own] = tenants
  if (own === undefined) throw new Error('the seed did not run')
  manager = await server.login(own.manager)
  const made = await manager.call(partnerKeyEndpoints.createPartnerKey, {
    agentId: own.agentId,
    name: '地图',
    scopes: ['areas', 'vehicles', 'orders'],
    perMinute: 100,
    days: 30,
  })
  key = (made.body as { data: { key: string } }).data.key
  await server.owner.deleteFrom('gbfs_feed').execute()
  await server.platform.domains.feeds.publish()
})

/** What a command of the guide says, with the values of this installation in place of the examples. */
async function run(command: string): Promise<string> {
  const { stdout } = await shell('bash', ['-euc', command], {
    env: { ...process.env, SADDLE: server.address, KEY: key },
  })
  return stdout
}

it('makes every call of the guide', async () => {
  const commands = blocks('sh').filter((text) => text.includes('curl'))
  expect(commands).toHaveLength(5)
  const [vehicles = '', next = '', rows = '', manifest = '', feed = ''] = commands
  const first = JSON.parse(await run(vehicles)) as { data: { list: { id: number }[] } }
  expect(first.data.list.map(({ id }) => id)).toEqual([...(tenants[0]?.vehicleIds ?? [])])
  expect(await run(next)).toContain('"suc":true')
  expect((await run(rows)).match(/"suc":true/g)).toHaveLength(2)
  expect(JSON.parse(await run(manifest))).toMatchObject({ version: '3.0' })
  expect(await run(feed)).toBe('304')
})

it('starts the receiver of the guide, which takes a test message and refuses another key', async () => {
  const script = join(folder, 'receiver.mjs')
  writeFileSync(script, blocks('js')[0] ?? '')
  const port = await freePort()
  const call = async <T>(name: keyof typeof webhookEndpoints, input: unknown): Promise<T> => {
    const { status, body } = await manager.call(webhookEndpoints[name], input as never)
    expect([name, status]).toEqual([name, 200])
    return (body as { data: T }).data
  }
  const made = await call<{ id: number; secret: string }>('createWebhook', {
    agentId: tenants[0]?.agentId,
    name: '接收',
    url: `http://127.0.0.1:${port}/`,
    events: ['vehicle'],
  })
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, SECRET: made.secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let said = ''
    child.stdout.on('data', (part: Buffer) => (said += part.toString()))
    while (!said.includes('ready')) await once(child.stdout, 'data')
    const { partners } = server.platform.domains
    await call('testWebhook', { id: made.id })
    expect(await partners.send()).toBe(1)
    while (!said.includes('test ')) await once(child.stdout, 'data')
    expect(said).toContain(`test test ${made.id} {}`)
    const forged = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'saddle-signature': `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}` },
      body: '{}',
    })
    expect(forged.status).toBe(401)
  } finally {
    child.kill()
  }
})

it('reads every row by the client, and passes on what the platform refuses', async () => {
  const client = createPartnerClient({ url: server.address, key })
  const ids: number[] = []
  for await (const { id } of client.rows('listPartnerVehicles', { limit: 1 })) ids.push(id)
  expect(ids).toEqual(expect.arrayContaining([...(tenants[0]?.vehicleIds ?? [])]))
  const outsider = createPartnerClient({ url: server.address, key: `saddle_pk_${'x'.repeat(43)}` })
  await expect(outsider.page('listPartnerAreas', {})).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
  const nowhere = createPartnerClient({ url: 'http://127.0.0.1:9', key })
  await expect(nowhere.page('listPartnerAreas', {})).rejects.toMatchObject({ code: 'network', status: 0 })
})

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
