import { expect, it } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createProduction } from '#production/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { demoTenants, platformAgentId } from '../tenants.ts'
import { fillVoltage } from './voltage.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const audit = createAudit(kit)
const production = createProduction(kit, { audit, fleet: createFleet(kit, { audit }) })

it('puts a version of a voltage scheme in force and leaves a draft that was replayed, once', async () => {
  for (const { id, parentId, company } of demoTenants) {
    await owner.insertInto('agent').values({ id, parent_id: parentId, company }).execute()
  }
  const people = new Map([['13800138000', { operatorId: 1, agentId: platformAgentId, name: '林知远' }]])
  expect(await fillVoltage({ production, people })).toBe(true)
  expect(await fillVoltage({ production, people })).toBe(false)
  const versions = await owner
    .selectFrom('voltage_version as v')
    .innerJoin('voltage_replay as r', 'r.version_id', 'v.id')
    .select(['v.number', 'v.in_force_from', 'r.state'])
    .orderBy('v.number')
    .execute()
  expect(versions).toMatchObject([
    { number: 1, in_force_from: expect.any(Date), state: 'done' },
    { number: 2, in_force_from: null, state: 'done' },
  ])
})
