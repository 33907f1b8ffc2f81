import { sql } from 'kysely'
import { everyCall } from '@saddle/contract/endpoints.ts'
import type { TestClient } from '#test/client.ts'
import type { SealedName } from '#test/isolation/specimens/specimen.ts'
import { testPlatform } from '#test/platform.ts'
import { rootPhone, seedTenants, type TenantFixture } from '#test/tenants.ts'

type Answer = { readonly data: Readonly<Record<string, unknown>> }
export type ChangeWorld = Awaited<ReturnType<typeof changeWorld>>

export const numberIn = (data: Answer['data'], key: string): number => Number(data[key])

/** A platform with two tenants, and `act`, which makes a call and notes whether it left an audit record. */
export async function changeWorld() {
  let tenants: readonly [TenantFixture, TenantFixture] | undefined
  const server = await testPlatform({
    env: { SERVICES: 'api' },
    seed: async (kit) => {
      tenants = await seedTenants(kit)
    },
  })
  if (tenants === undefined) throw new Error('the seed did not run')
  const [of] = tenants
  const manager = await server.login(of.manager)
  const root = await server.login(rootPhone)
  const { kit, owner } = server

  const lineless: string[] = []
  const refused: string[] = []
  const made = new Set<SealedName>()

  async function act(client: TestClient, name: SealedName, input: unknown): Promise<Answer['data']> {
    const endpoint = everyCall[name]
    const last = sql<{ id: number }>`select coalesce(max(id), 0) as id from audit_record`
    const before = (await last.execute(owner)).rows[0]?.id
    const { status, body } = await client.call(endpoint, input)
    made.add(name)
    if (status !== 200) refused.push(`${name}: ${JSON.stringify(body)}`)
    if ((await last.execute(owner)).rows[0]?.id === before) lineless.push(name)
    return (body as Answer).data ?? {}
  }

  return { act, kit, lineless, made, manager, of, owner, refused, root, server }
}
