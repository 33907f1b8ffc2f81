import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect } from 'vitest'
import { everyCall } from '@saddle/contract/endpoints.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { CallOptions, CallResult, TestClient } from '#test/client.ts'
import { createManualClock, type ManualClock } from '#kit/clock.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { testPlatform, type TestPlatform } from '#test/platform.ts'
import { rootPhone, seedTenants, type TenantFixture } from '#test/tenants.ts'
import { addRowsOfAllTables } from './rows.ts'
import { tenantSnapshot } from './snapshot.ts'
import { otherSpecimens, specimens } from './specimens/all.ts'
import type { SealedName } from './specimens/specimen.ts'

export const endpointOf = (name: SealedName): Endpoint => everyCall[name]
/** Every call of a session but the one that ends it. */
export const calls = (Object.keys(specimens) as SealedName[]).filter((name) => name !== 'logout')

export interface World {
  readonly server: TestPlatform
  readonly clock: ManualClock
  readonly alpha: TenantFixture
  readonly bravo: TenantFixture
  readonly clients: {
    readonly manager: TestClient
    readonly worker: TestClient
    readonly bare: TestClient
    readonly root: TestClient
  }
}

/** A whole server with two tenants that must not see each other, and people of the first. */
export async function createWorld(): Promise<World> {
  let tenants: readonly [TenantFixture, TenantFixture] | undefined
  // It stands still, so that the same call has the same answer.
  const clock = createManualClock(TEST_START_MS)
  const server = await testPlatform({
    env: { SERVICES: 'api', SCREEN_CACHE_SECONDS: '0' },
    clock,
    seed: async (kit) => {
      tenants = await seedTenants(kit)
    },
  })
  if (tenants === undefined) throw new Error('the seed did not run')
  const [alpha, bravo] = tenants
  for (const tenant of tenants) await addRowsOfAllTables(server, tenant)
  const clients = {
    manager: await server.login(alpha.manager),
    worker: await server.login(alpha.worker),
    bare: await server.login(alpha.bare),
    root: await server.login(rootPhone),
  }
  return { server, clock, alpha, bravo, clients }
}

const folder = fileURLToPath(new URL('../../../../.cache/isolation', import.meta.url))

/** Counts the cases, prints them at the end of the file, and stores them for `npm run test:isolation`, which adds them up. */
export function createTally(name: string) {
  const tally = { cases: 0, leaks: 0 }
  afterAll(() => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/${name}.json`, JSON.stringify(tally))
    process.stdout.write(`isolation, ${name}: ${tally.cases} cases, ${tally.leaks} leaks\n`)
  })
  return tally
}
export type Tally = ReturnType<typeof createTally>

export interface Outcome {
  readonly result: CallResult
  /** Bravo's marker stands in the answer. */
  readonly isTold: boolean
  /** A row of bravo is another than before. */
  readonly isChanged: boolean
}

const lastSnapshots = new WeakMap<World, string>()

/** Calls as a person of tenant alpha, and looks whether anything of bravo was told or changed. */
export async function attempt(
  world: World,
  client: TestClient,
  name: SealedName,
  input: unknown,
  options?: CallOptions,
): Promise<Outcome> {
  const { server, bravo } = world
  const before = lastSnapshots.get(world) ?? (await tenantSnapshot(server.owner, bravo.agentId))
  const result = await client.call(endpointOf(name), input, options)
  const after = await tenantSnapshot(server.owner, bravo.agentId)
  lastSnapshots.set(world, after)
  return { result, isTold: JSON.stringify(result.body).includes(bravo.marker), isChanged: after !== before }
}

/** Names that are made anew with each answer. */
const fresh = /"(?:exportId|batchId|id|fileName|url|token|code)":"[^"]*"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** An answer's text for comparing. */
export const steady = (body: unknown): string => JSON.stringify(body).replaceAll(fresh, '')

/** Answers to the questions that change nothing, about one's own things and foreign ones; for comparing. */
export async function answersOf(world: World, name: SealedName): Promise<string[]> {
  if (endpointOf(name).method !== 'GET') return []
  const { alpha, bravo, clients } = world
  const answers: string[] = []
  for (const role of ['manager', 'worker'] as const) {
    const others = otherSpecimens[name] ?? []
    for (const tenant of [alpha, bravo]) {
      for (const input of [inputFor(name, tenant, alpha[role]), ...others.map((make) => make(tenant))]) {
        const { body } = await clients[role].call(endpointOf(name), input)
        answers.push(steady(body))
      }
    }
  }
  return answers
}

/** What must hold of every call by a person of tenant alpha: nothing of bravo is told or changed. */
export function createReach(world: World, tally: Tally) {
  return async (client: TestClient, name: SealedName, input: unknown, options?: CallOptions): Promise<CallResult> => {
    tally.cases += 1
    const { result, isTold, isChanged } = await attempt(world, client, name, input, options)
    if (isTold || isChanged) tally.leaks += 1
    expect({ isTold, isChanged }, `${name} ${JSON.stringify(input)}`).toEqual({ isTold: false, isChanged: false })
    return result
  }
}

export function inputFor(name: SealedName, of: TenantFixture, phone: string): unknown {
  const make: (tenant: TenantFixture, phone: string) => unknown = Reflect.get(specimens, name)
  return make(of, phone)
}

/** Makes every row policy let everything pass, so that the filters of the queries stand alone. */
export async function openPolicies({ server }: World): Promise<void> {
  const tables = await policedTables(server)
  if (tables.length < 10) throw new Error('the row policies were not found')
  for (const table of tables) await openPolicy(server, table)
}

export async function policedTables({ owner }: TestPlatform): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_policies where policyname = 'tenant' and schemaname = 'public'
    order by 1`.execute(owner)
  return rows.map(({ name }) => name)
}

export async function openPolicy({ owner }: TestPlatform, table: string): Promise<void> {
  await sql`alter policy tenant on ${sql.table(table)} using (true) with check (true)`.execute(owner)
}
