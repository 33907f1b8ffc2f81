import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { createOrganisation } from '#organisation/public.ts'
import { insertTestTenants } from '#organisation/organisation.fixture.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'

const { db, owner } = await testDatabase()
const organisation = createOrganisation(testKit(db))
const scopeOf3 = { agentIds: [3], areaIds: [31], operatorId: 30 }

beforeAll(() => insertTestTenants(owner))

async function below(agentId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select agent_and_below(${agentId}) as id`.execute(owner)
  return rows.map((row) => row.id)
}

describe('the tree of agents', () => {
  it('has one root', async () => {
    const second = db.system((tx) => organisation.addAgent(tx, { parentId: null, company: '第二个平台' }))
    await expect(second).rejects.toThrow(/agent_one_root/)
  })

  it('is read from any agent down, at any depth', async () => {
    const child = await db.system((tx) => organisation.addAgent(tx, { parentId: 3, company: '东湖南区' }))
    const grandchild = await db.system((tx) => organisation.addAgent(tx, { parentId: child, company: '东湖南区一队' }))
    expect(await below(2)).toEqual([2, 3, 4, child, grandchild])
    expect(await below(3)).toEqual([3, child, grandchild])
    expect(await below(4)).toEqual([4])
    expect(await below(999)).toEqual([])
  })

  it('ends although somebody made a ring of it', async () => {
    await owner.updateTable('agent').set({ parent_id: 4 }).where('id', '=', 3).execute()
    await owner.updateTable('agent').set({ parent_id: 3 }).where('id', '=', 4).execute()
    expect(await below(4)).toEqual(expect.arrayContaining([3, 4]))
    await owner.updateTable('agent').set({ parent_id: 2 }).where('id', 'in', [3, 4]).execute()
  })
})

describe('rows of tenants', () => {
  it('cannot point into another tenant', async () => {
    const roleOf4 = await db.system((tx) => organisation.addRole(tx, { agentId: 4, name: '运维', codes: ['0301'] }))
    const borrowed = owner
      .insertInto('role_permission')
      .values({ role_id: roleOf4, agent_id: 3, code: '0302' })
      .execute()
    await expect(borrowed).rejects.toThrow(/foreign key/)
  })

  it('are seen, added and changed only inside the scope', async () => {
    const seen = await db.read(scopeOf3, (k) => k.selectFrom('service_area').select('id').compile())
    expect(seen).toEqual([{ id: 31 }])
    const foreign = db.withScope(scopeOf3, (tx) => organisation.addRole(tx, { agentId: 4, name: '混入', codes: [] }))
    await expect(foreign).rejects.toThrow(/row-level security/)
    await db.withScope(scopeOf3, (tx) => organisation.addRole(tx, { agentId: 3, name: '调度', codes: ['0301'] }))
    await db.withScope(scopeOf3, async (tx) => {
      await tx.updateTable('agent').set({ company: '被改名' }).execute()
      await tx.deleteFrom('role_permission').execute()
    })
    const companies = await owner
      .selectFrom('agent')
      .select(['id', 'company'])
      .where('company', '=', '被改名')
      .execute()
    expect(companies.map((row) => row.id)).toEqual([3])
    const codes = await owner.selectFrom('role_permission').select('agent_id').execute()
    expect(codes).toEqual([{ agent_id: 4 }])
  })
})
