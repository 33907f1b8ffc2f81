import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { endpoints, everyCall } from '@saddle/contract/endpoints.ts'
import { isSealed } from '@saddle/contract/endpoint.ts'
import { callsBeforeSecondFactor } from '@saddle/contract/identity/self.ts'
import { stepMs, totpCode } from '#identity/totp/rules.ts'
import type { TestClient } from '#test/client.ts'
import type { SealedName } from '#test/isolation/specimens/specimen.ts'
import { inputFor } from '#test/isolation/world.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const tenants: TenantFixture[] = []
const server = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const [alpha, bravo] = [tenants[0]!, tenants[1]!]

const code = (secret: string, steps = 0): string => totpCode(secret, Math.floor(Date.now() / stepMs) + steps)
const refusalOf = (body: unknown): string | undefined => (body as { error?: { code: string } }).error?.code

/** Every call of a session but those that clear the way. */
const closedCalls = Object.entries(everyCall).filter(
  ([, endpoint]) => isSealed(endpoint) && !callsBeforeSecondFactor.has(endpoint),
)
const refusalsOf = async (client: TestClient): Promise<Set<string | undefined>> => {
  const codes = new Set<string | undefined>()
  for (const [name, endpoint] of closedCalls) {
    const input = inputFor(name as SealedName, alpha, alpha.manager)
    const { body } = await client.call(endpoint, input)
    codes.add(refusalOf(body))
  }
  return codes
}

async function closeCodeOf(client: TestClient): Promise<number> {
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(server.address.replace('http', 'ws') + liveSocketPath, { headers: { cookie } })
  await new Promise<void>((resolve) => socket.on('open', () => resolve()))
  const token = client.sign(client.tokenFor({ endpoint: { method: 'GET', path: liveSocketPath } }))
  const closed = new Promise<number>((resolve) => socket.on('close', (closeCode) => resolve(closeCode)))
  socket.send(JSON.stringify({ type: 'hello', token }))
  return closed
}

describe('a session that owes a second factor', () => {
  it('may do nothing but show it: no call and no socket', async () => {
    const first = await server.login(alpha.manager)
    const { secret } = (await first.call(endpoints.beginTotp, {})).body.data
    expect((await first.call(endpoints.confirmTotp, { code: code(secret, -1) })).status).toBe(200)
    expect((await first.call(endpoints.me, {})).status).toBe(200)

    const second = await server.login(alpha.manager)
    expect(await refusalsOf(second)).toEqual(new Set(['totp_required']))
    expect(await closeCodeOf(second)).toBe(4401)
    // What sets a factor up must not replace the one that is there.
    expect(refusalOf((await second.call(endpoints.beginTotp, {})).body)).toBe('totp_enabled')
    expect(refusalOf((await second.call(endpoints.confirmTotp, { code: code(secret) })).body)).toBe('totp_invalid')

    expect((await second.call(endpoints.passTotp, { code: code(secret) })).status).toBe(200)
    expect((await second.call(endpoints.me, {})).status).toBe(200)
    expect((await second.call(endpoints.logout, {})).status).toBe(200)
  })

  it('of a company that asks for one may do nothing but set it up', async () => {
    const client = await server.login(bravo.manager)
    expect((await client.call(endpoints.me, {})).status).toBe(200)
    await server.kit.db.system(async (tx) => {
      const values = { finance_totp_from: new Date(Date.now() - 1_000) }
      await tx.updateTable('agent').set(values).where('id', '=', bravo.agentId).execute()
      await server.platform.domains.identity.accessChanged(tx, { agentId: bravo.agentId })
    })
    expect(await refusalsOf(client)).toEqual(new Set(['totp_missing']))
    expect(await closeCodeOf(client)).toBe(4401)
    const { secret } = (await client.call(endpoints.beginTotp, {})).body.data
    expect((await client.call(endpoints.confirmTotp, { code: code(secret) })).status).toBe(200)
    expect((await client.call(endpoints.me, {})).status).toBe(200)
    // Roles without codes of finance go on as before.
    expect((await (await server.login(bravo.bare)).call(endpoints.me, {})).status).toBe(200)
  })
})
