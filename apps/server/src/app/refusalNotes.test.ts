import { expect, it } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { createAudit } from '#audit/public.ts'
import type { Caller } from '#kit/call.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'
import { createRefusalNotes } from './refusalNotes.ts'

const tenants: TenantFixture[] = []
const server = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const alpha = tenants[0]!
const bravo = tenants[1]!
const { kit, owner } = server
const recordsOf = async (action: 'forbidden' | 'foreign_scope') => {
  const rows = await owner.selectFrom('audit_record').selectAll().where('action', '=', action).orderBy('id').execute()
  return rows.map(({ subject_id, after }) => ({ call: subject_id, after: after as Record<string, unknown> | null }))
}

it('says in one line how many refusals had no room, and of which calls', async () => {
  const notes = createRefusalNotes({ kit, audit: createAudit(kit) })
  const caller = { operatorId: alpha.workerId, agentId: alpha.agentId } as Caller
  const call = { address: '192.0.2.1', requestId: 'r' } as Parameters<typeof notes.onRefusal>[0]['call']
  const refuse = (endpoint: Endpoint, times: number): void => {
    for (let index = 0; index < times; index += 1) {
      notes.onRefusal({ error: new AppError('forbidden'), call, endpoint, caller })
    }
  }
  refuse(endpoints.me, 25)
  refuse(endpoints.listServiceAreas, 5)
  await notes.summarise()
  await expect.poll(async () => (await recordsOf('forbidden')).length).toBe(21)
  const summary = (await recordsOf('forbidden')).find(({ after }) => after !== null)
  const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
  expect(summary?.after).toEqual({ more: 10, calls: [nameOf(endpoints.me), nameOf(endpoints.listServiceAreas)] })
  await notes.close()
  expect(await recordsOf('forbidden')).toHaveLength(21)
})

it('refuses a filter that names an area of nobody or of others beside the own, and leaves a line', async () => {
  const manager = await server.login(alpha.manager)
  const ask = async (areaIds: number[]): Promise<number> =>
    (await manager.call(endpoints.exportOrders, { filter: { areaIds } })).status
  expect(await ask([...alpha.areaIds])).toBe(200)
  const made = Array.from({ length: 1_990 }, (_, index) => 1_000_000 + index)
  for (const areaIds of [
    [...alpha.areaIds, ...made],
    [alpha.areaIds[0], bravo.areaIds[0]],
  ]) {
    const before = (await recordsOf('foreign_scope')).length
    expect(await ask(areaIds)).toBe(403)
    await expect.poll(async () => (await recordsOf('foreign_scope')).length).toBe(before + 1)
  }
})
