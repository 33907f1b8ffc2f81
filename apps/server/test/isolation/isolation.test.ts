import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import { toBase64Url, utf8 } from '@saddle/contract/wire/bytes.ts'
import type { CallOptions, CallResult, TestClient } from '#test/client.ts'
import { testPlatform, type TestPlatform } from '#test/platform.ts'
import { rootPhone, seedTenants, type TenantFixture } from '#test/tenants.ts'
import { tenantSnapshot } from './snapshot.ts'
import { otherSpecimens, specimens, type SealedName } from './specimens.ts'

/**
 * Generated from the contract: every call of a session × role × way of reaching for another tenant. Run twice: as
 * deployed, and with the row policies opened, so that each call's own filter has to hold alone. The policies are
 * tested alone at the end. Removing a filter or a policy therefore turns one of the three red.
 */
const names = Object.keys(specimens) as SealedName[]
const endpointOf = (name: SealedName): Endpoint => endpoints[name]
const calls = names.filter((name) => name !== 'logout')
const isScoped = (name: SealedName): boolean => ['agent', 'area'].includes(endpointOf(name).scope)

let cases = 0
let leaks = 0

interface World {
  readonly server: TestPlatform
  readonly alpha: TenantFixture
  readonly bravo: TenantFixture
  readonly clients: {
    readonly manager: TestClient
    readonly worker: TestClient
    readonly bare: TestClient
    readonly root: TestClient
  }
}

async function createWorld(): Promise<World> {
  let tenants: readonly [TenantFixture, TenantFixture] | undefined
  const server = await testPlatform({
    env: { SERVICES: 'api' },
    seed: async (kit) => {
      tenants = await seedTenants(kit)
    },
  })
  if (tenants === undefined) throw new Error('the seed did not run')
  const [alpha, bravo] = tenants
  const clients = {
    manager: await server.login(alpha.manager),
    worker: await server.login(alpha.worker),
    bare: await server.login(alpha.bare),
    root: await server.login(rootPhone),
  }
  return { server, alpha, bravo, clients }
}

/** Calls and checks what must hold of every call by a person of tenant alpha: nothing of bravo is told or changed. */
async function reach(
  world: World,
  client: TestClient,
  name: SealedName,
  input: unknown,
  options?: CallOptions,
): Promise<CallResult> {
  cases += 1
  const before = await tenantSnapshot(world.server.owner, world.bravo.agentId)
  const result = await client.call(endpointOf(name), input, options)
  const isTold = JSON.stringify(result.body).includes(world.bravo.marker)
  const isChanged = (await tenantSnapshot(world.server.owner, world.bravo.agentId)) !== before
  if (isTold || isChanged) leaks += 1
  expect({ isTold, isChanged }, `${name} ${JSON.stringify(input)}`).toEqual({ isTold: false, isChanged: false })
  return result
}

const inputFor = (name: SealedName, of: TenantFixture, phone: string): unknown => {
  const make = specimens[name] as (tenant: TenantFixture, phone: string) => unknown
  return make(of, phone)
}

/** Changes the claims of a finished token without being able to sign it again. */
const editClaims =
  (change: Partial<CallToken>) =>
  (token: string): string => {
    const [header = '', body = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as CallToken
    return `${header}.${toBase64Url(utf8(JSON.stringify({ ...claims, ...change })))}.${signature}`
  }

const refusal = (code: string): unknown => ({ suc: false, error: expect.objectContaining({ code }) as unknown })

async function openPolicies({ server }: World): Promise<void> {
  const policies = await sql<{ table: string }>`
    select tablename as table from pg_policies where policyname = 'tenant' and schemaname = 'public'`.execute(
    server.owner,
  )
  if (policies.rows.length < 10) throw new Error('the row policies were not found')
  for (const { table } of policies.rows) {
    await sql`alter policy tenant on ${sql.table(table)} using (true) with check (true)`.execute(server.owner)
  }
}

const deployed = await createWorld()
const opened = await createWorld()
await openPolicies(opened)

describe.each([
  { mode: 'as deployed', world: deployed },
  { mode: 'with the row policies opened', world: opened },
])('isolation $mode', ({ world }) => {
  describe.each(calls.map((name) => ({ name })))('$name', ({ name }) => {
    it.each(['manager', 'worker'] as const)('%s cannot reach a foreign thing', async (role) => {
      const client = world.clients[role]
      const inputs = [
        inputFor(name, world.bravo, world.alpha[role]),
        ...(otherSpecimens[name] ?? []).map((make) => make(world.bravo)),
      ]
      for (const input of inputs) {
        await reach(world, client, name, input)
        await reach(world, client, name, input, { token: { agentIds: [world.alpha.agentId] } })
        await reach(world, client, name, input, { token: { opAreaIds: [world.alpha.areaIds[0]] } })
      }
    })

    it('a foreign id in the token refuses the whole call', async () => {
      const input = inputFor(name, world.bravo, world.alpha.manager)
      const { alpha, bravo } = world
      const selections: Partial<CallToken>[] = [
        { agentIds: [bravo.agentId] },
        { agentIds: [alpha.agentId, bravo.agentId] },
        { agentIds: [2] },
        { opAreaIds: [bravo.areaIds[0]] },
        { opAreaIds: [alpha.areaIds[0], bravo.areaIds[1]] },
        { opAreaIdsBigScreen: [bravo.areaIds[0]] },
        { agentIds: [999_999] },
      ]
      for (const token of selections) {
        const { status, body } = await reach(world, world.clients.manager, name, input, { token })
        expect({ status, body }, JSON.stringify(token)).toEqual({ status: 403, body: refusal('foreign_scope') })
      }
      const outside = { token: { opAreaIds: [alpha.areaIds[1]] } }
      const held = await reach(world, world.clients.worker, name, input, outside)
      expect(held).toEqual({ status: 403, body: refusal('foreign_scope') })
    })

    it('an edited, foreign or missing token is no login', async () => {
      const input = inputFor(name, world.bravo, world.alpha.manager)
      const forgeries = [
        editClaims({ agentIds: [world.bravo.agentId] }),
        editClaims({ opAreaIds: world.bravo.areaIds.slice() }),
        editClaims({ agentId: world.bravo.agentId }),
        editClaims({ phone: world.bravo.manager }),
        (token: string) => token.slice(0, -2),
        () => 'x',
      ]
      for (const forge of forgeries) {
        const result = await reach(world, world.clients.manager, name, input, { forge })
        expect(result).toEqual({ status: 401, body: refusal('unauthorized') })
      }
      const claims: Partial<CallToken>[] = [
        { agentId: world.bravo.agentId },
        { phone: world.bravo.manager },
        { userId: 'other' },
      ]
      for (const token of claims) {
        const result = await reach(world, world.clients.manager, name, input, { token })
        expect(result).toEqual({ status: 401, body: refusal('unauthorized') })
      }
    })

    it('empty lists reach nothing', async () => {
      for (const token of [{ agentIds: [] }, { opAreaIds: [] }, { agentIds: [], opAreaIds: [] }]) {
        const own = inputFor(name, world.alpha, world.alpha.manager)
        const before = await tenantSnapshot(world.server.owner, world.alpha.agentId)
        const result = await reach(world, world.clients.manager, name, own, { token })
        // The header's selectors list what may be selected, whatever is selected now; things of one's own are not scoped.
        if (!isScoped(name) || name === 'listAgentAccounts' || name === 'listServiceAreas') continue
        const needsArea = endpointOf(name).scope === 'area'
        if (!needsArea && token.agentIds === undefined) continue
        // A file says who took it out.
        const told = JSON.stringify(result.body).replaceAll(`${world.alpha.marker} manager`, '')
        expect(told).not.toContain(world.alpha.marker)
        expect(await tenantSnapshot(world.server.owner, world.alpha.agentId)).toBe(before)
      }
    })

    it('a role without the code is refused', async () => {
      const asked = endpointOf(name).permission
      const result = await reach(world, world.clients.bare, name, inputFor(name, world.alpha, world.alpha.bare))
      const expected =
        typeof asked === 'string'
          ? expect.not.objectContaining({ status: 401 })
          : { status: 403, body: refusal('forbidden') }
      expect(result).toEqual(expected as unknown)
    })

    it('bad input changes nothing', async () => {
      for (const input of [null, [], 'x', { vehicleId: { $gt: 0 } }, { id: [1, 2] }, { conversationId: '1 or 1=1' }]) {
        const { status } = await reach(world, world.clients.manager, name, input)
        expect(status).toBeLessThan(500)
      }
    })

    if (endpointOf(name).host === 'finance') {
      it('foreign finance headers are refused', async () => {
        const input = inputFor(name, world.bravo, world.alpha.manager)
        const headers = [{ phone: world.bravo.manager }, { agentId: String(world.bravo.agentId) }]
        for (const header of headers) {
          const result = await reach(world, world.clients.manager, name, input, { headers: header })
          expect(result).toEqual({ status: 401, body: refusal('unauthorized') })
        }
        const untraced = await reach(world, world.clients.manager, name, input, { headers: { traceId: 'short' } })
        expect(untraced.status).toBe(400)
      })
    }
  })

  it('the platform above sees both', async () => {
    const { body } = await world.clients.root.call(endpoints.listAgentAccounts, {})
    expect(JSON.stringify(body)).toContain(world.alpha.marker)
    expect(JSON.stringify(body)).toContain(world.bravo.marker)
  })
})

describe('row policies alone', () => {
  const world = deployed

  it('show and take no row of another tenant, in any table', async () => {
    const { alpha, bravo, server } = world
    const scope = { agentIds: [alpha.agentId], areaIds: [...alpha.areaIds], operatorId: null }
    const tables = await sql<{ name: string; can_read: boolean }>`
      select c.relname as name, has_table_privilege('saddle_app', c.oid, 'select') as can_read from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'agent_id' and not a.attisdropped
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition`.execute(
      server.owner,
    )
    for (const { name } of tables.rows.filter((row) => row.can_read)) {
      cases += 1
      const seen = await server.db.withScope(scope, async (tx) => {
        const { rows } = await sql<{ agent_id: number }>`select distinct agent_id from ${sql.table(name)}`.execute(tx)
        return rows.map((row) => row.agent_id)
      })
      const isLeak = seen.includes(bravo.agentId)
      if (isLeak) leaks += 1
      expect(isLeak, name).toBe(false)
    }
    expect(tables.rows.length).toBeGreaterThan(12)
  })

  it('show no row of an area that the scope leaves out', async () => {
    const { alpha, server } = world
    const scope = { agentIds: [alpha.agentId], areaIds: [alpha.areaIds[0]], operatorId: null }
    for (const table of ['vehicle', 'vehicle_status', 'device', 'vehicle_event'] as const) {
      cases += 1
      const areas = await server.db.withScope(scope, async (tx) => {
        const rows = await tx.selectFrom(table).select('area_id').distinct().execute()
        return rows.map((row) => row.area_id)
      })
      if (areas.includes(alpha.areaIds[1])) leaks += 1
      expect(areas, table).toEqual([alpha.areaIds[0]])
    }
  })
})

afterAll(() => {
  process.stdout.write(`isolation: ${cases} cases, ${leaks} leaks\n`)
})
