import { expect, it } from 'vitest'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { companyEndpoints } from '@saddle/contract/organisation/companies.ts'
import { testPlatform } from '#test/platform.ts'
import { rootPhone, seedTenants, type TenantFixture } from '#test/tenants.ts'

/** Through the whole server, with sessions that were open before the change. */
let tenants: readonly [TenantFixture, TenantFixture] | undefined
const server = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants = await seedTenants(kit)
  },
})
const [alpha, bravo] = tenants!
const root = await server.login(rootPhone)
const manager = await server.login(alpha.manager)
const worker = await server.login(alpha.worker)

const ring: [number, number][] = [
  [122, 30],
  [122.1, 30],
  [122.1, 30.1],
  [122, 30],
]
let keys = 0
const key = () => {
  keys += 1
  return { idempotencyKey: `at-once-${keys}-key` }
}
const dataOf = (body: unknown) => (body as { data: Record<string, unknown> }).data

it('a new area is seen by sessions that are open, and by nobody who is held to others', async () => {
  const made = await root.call(areaEndpoints.createArea, { agentId: alpha.agentId, name: 'New area', ring }, key())
  expect(made.status).toBe(200)
  const areaId = dataOf(made.body).id as number
  const seenBy = async (client: typeof root) => {
    const { body } = await client.call(areaEndpoints.listServiceAreas, {})
    return (dataOf(body).list as { id: number }[]).map(({ id }) => id)
  }
  expect(await seenBy(manager)).toContain(areaId)
  expect(await seenBy(root)).toContain(areaId)
  expect(await seenBy(worker)).not.toContain(areaId)
})

it('a new company is reached at once by whoever opened it', async () => {
  const made = await manager.call(
    companyEndpoints.createAgent,
    { parentId: alpha.agentId, company: 'Alpha below' },
    key(),
  )
  const agentId = dataOf(made.body).id as number
  const area = await manager.call(areaEndpoints.createArea, { agentId, name: 'First', ring }, key())
  expect(area.status).toBe(200)
  const { body } = await root.call(agentEndpoints.listAgentAccounts, {})
  expect(JSON.stringify(body)).toContain('Alpha below')
})

it('a stopped company has no session left, and its neighbour keeps theirs', async () => {
  const other = await server.login(bravo.manager)
  expect((await manager.call(companyEndpoints.agentTree, {})).status).toBe(200)
  const stopped = await root.call(companyEndpoints.changeAgent, { id: alpha.agentId, state: 'disabled' })
  expect(stopped.status).toBe(200)
  expect((await manager.call(companyEndpoints.agentTree, {})).status).toBe(401)
  expect((await worker.call(companyEndpoints.agentTree, {})).status).toBe(401)
  expect((await other.call(companyEndpoints.agentTree, {})).status).toBe(200)
})
