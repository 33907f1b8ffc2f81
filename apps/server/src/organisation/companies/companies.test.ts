import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { hourMs } from '@saddle/contract/time.ts'
import { companyWorld } from '#organisation/companies.fixture.ts'

const { kit, owner, ids, handlers, calls, recordsOf } = await companyWorld()
const { agentTree, adminAgentTree, createAgent, changeAgent, agentUses } = handlers

const treeOf = async (call: Parameters<typeof agentTree>[1], withAreas = false, withFigures = false) =>
  (await agentTree({ withAreas, withFigures }, call)).data.list

describe('the tree', () => {
  it('has the companies of the scope with their figures, and their areas where asked for', async () => {
    const list = await treeOf(calls.platform(), false, true)
    expect(list.map(({ id, parentId, figures }) => ({ id, parentId, figures }))).toEqual([
      { id: 2, parentId: null, figures: { areas: 0, accounts: 1, roles: 0, vehicles: 0 } },
      { id: 3, parentId: 2, figures: { areas: 2, accounts: 2, roles: 0, vehicles: 0 } },
      { id: 4, parentId: 2, figures: { areas: 1, accounts: 0, roles: 0, vehicles: 0 } },
    ])
    expect(list[1]).toMatchObject({ devicePolicy: 'open', financeTotpFrom: null, areaList: [], state: 'enabled' })
    expect((await treeOf(calls.platform()))[1]?.figures).toBeNull()
    const [, donghu] = await treeOf(calls.platform(), true)
    expect(donghu?.areaList).toEqual([
      { id: 31, name: '东湖新城', state: 'enabled' },
      { id: 32, name: '大学城', state: 'enabled' },
    ])
  })

  it('ends at the grant and at the selection', async () => {
    expect((await treeOf(calls.manager())).map((node) => node.id)).toEqual([3])
    expect((await treeOf(calls.platform({ agentIds: [4] }))).map((node) => node.id)).toEqual([4])
    expect(await treeOf(calls.platform({ agentIds: [] }))).toEqual([])
    const [held] = await treeOf(calls.worker(), true, true)
    expect(held).toMatchObject({ figures: { areas: 1 }, areaList: [{ id: 31 }] })
  })

  it('is whole for the platform alone, whatever codes others hold', async () => {
    const { data } = await adminAgentTree({}, calls.platform({ agentIds: [4] }))
    expect(data.list.map((node) => node.id)).toEqual([2, 3, 4])
    await expect(adminAgentTree({}, calls.manager())).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a new company', () => {
  it('stands below a company of the scope, with a line, and is told to those above', async () => {
    const { data } = await createAgent({ parentId: 3, company: '东湖南区' }, calls.manager())
    expect(data).toMatchObject({ parentId: 3, company: '东湖南区', state: 'enabled' })
    expect(await recordsOf('agent', data.id)).toEqual([
      {
        agent_id: data.id,
        action: 'agent.create',
        operator_id: ids.manager,
        before: null,
        after: { company: '东湖南区', parentId: 3 },
      },
    ])
    const { rows } = await sql<{ kind: string; subject_id: number }>`
      select kind, subject_id from access_change order by id desc limit 1`.execute(owner)
    expect(rows).toEqual([{ kind: 'agent', subject_id: data.id }])
  })

  it('cannot be put below somebody else', async () => {
    const before = await owner.selectFrom('agent').select('id').execute()
    await expect(createAgent({ parentId: 4, company: '西山分部' }, calls.manager())).rejects.toMatchObject({
      code: 'foreign_scope',
    })
    expect(await owner.selectFrom('agent').select('id').execute()).toEqual(before)
  })
})

describe('changing a company', () => {
  it('sets what was named and says so, and nothing where nothing is different', async () => {
    const from = Date.UTC(2026, 11, 1)
    const { data } = await changeAgent(
      { id: 4, company: '西山出行', devicePolicy: 'approval', financeTotpFrom: from },
      calls.platform(),
    )
    expect(data).toMatchObject({ company: '西山出行', devicePolicy: 'approval', financeTotpFrom: from })
    await changeAgent({ id: 4, company: '西山出行', financeTotpFrom: from }, calls.platform())
    const lines = await recordsOf('agent', 4)
    expect(lines.map(({ before, after }) => ({ before, after }))).toEqual([
      {
        before: { company: '西山_出行100%', devicePolicy: 'open', financeTotpFrom: null },
        after: { company: '西山出行', devicePolicy: 'approval', financeTotpFrom: from },
      },
    ])
    expect((await changeAgent({ id: 4, financeTotpFrom: null }, calls.platform())).data.financeTotpFrom).toBeNull()
  })

  it('is refused outside of the scope, also when the header has narrowed it', async () => {
    for (const call of [calls.manager(), calls.platform({ agentIds: [3] })]) {
      await expect(changeAgent({ id: 4, company: '改名' }, call)).rejects.toMatchObject({ code: 'foreign_scope' })
    }
    const row = await owner.selectFrom('agent').select('company').where('id', '=', 4).executeTakeFirst()
    expect(row?.company).toBe('西山出行')
  })

  it('never stops one’s own company or the platform', async () => {
    await expect(changeAgent({ id: 3, state: 'disabled' }, calls.manager())).rejects.toMatchObject({
      code: 'own_company',
    })
    await expect(changeAgent({ id: 2, state: 'disabled' }, calls.platform())).rejects.toMatchObject({
      code: 'own_company',
    })
  })

  it('stops a company and ends the sessions of its people, and starts it again', async () => {
    const at = new Date(kit.clock.now())
    await owner
      .insertInto('session')
      .values({
        handle: 'h'.repeat(43),
        sid_hash: 's',
        csrf_hash: 'c',
        operator_id: ids.manager,
        login_kind: 'sms',
        created_at: at,
        last_seen_at: at,
        expires_at: new Date(at.getTime() + hourMs),
        user_agent: '',
        address: '',
      })
      .execute()
    const { data: uses } = await agentUses({ id: 3 }, calls.platform())
    expect(uses).toEqual({
      refusal: null,
      list: [
        { kind: 'accounts', count: 2 },
        { kind: 'sessions', count: 1 },
        { kind: 'areas', count: 2 },
      ],
    })
    await changeAgent({ id: 3, state: 'disabled' }, calls.platform())
    const session = await owner.selectFrom('session').select('revoked_at').executeTakeFirst()
    expect(session?.revoked_at).not.toBeNull()
    expect((await changeAgent({ id: 3, state: 'enabled' }, calls.platform())).data.state).toBe('enabled')
  })

  it('tells why a company cannot be stopped', async () => {
    expect((await agentUses({ id: 3 }, calls.manager())).data.refusal).toContain('本公司')
    await expect(agentUses({ id: 4 }, calls.manager())).rejects.toMatchObject({ code: 'foreign_scope' })
  })
})

describe('moving a company', () => {
  const grant = { agentIds: [2, 3, 4], areaIds: [] }

  it('is not for the root, one’s own company, or to a foreign place', async () => {
    await expect(changeAgent({ id: 2, parentId: 3 }, calls.platform())).rejects.toMatchObject({ code: 'own_company' })
    const own = calls.manager({ agentIds: [3, 4] })
    await expect(
      changeAgent({ id: 3, parentId: 4 }, { ...own, grant: { ...own.grant, agentIds: [3, 4] } }),
    ).rejects.toMatchObject({ code: 'own_company' })
    await expect(changeAgent({ id: 3, parentId: 4 }, calls.manager())).rejects.toMatchObject({ code: 'foreign_scope' })
  })

  it('never closes a ring, also when the header hides what lies between', async () => {
    const { data: child } = await createAgent({ parentId: 4, company: '西山一队' }, calls.platform())
    const { data: grandchild } = await createAgent({ parentId: 4, company: '西山一队甲组' }, calls.platform())
    const all = [...grant.agentIds, child.id, grandchild.id]
    const call = (agentIds: number[]) => {
      const wide = calls.platform({ agentIds })
      return { ...wide, grant: { ...wide.grant, agentIds: all } }
    }
    await changeAgent({ id: grandchild.id, parentId: child.id }, call(all))
    for (const seen of [all, [4, grandchild.id]]) {
      const ring = changeAgent({ id: 4, parentId: grandchild.id }, call(seen))
      await expect(ring).rejects.toMatchObject({ code: 'company_below_itself' })
    }
    await expect(changeAgent({ id: 4, parentId: 4 }, call(all))).rejects.toMatchObject({ code: 'company_below_itself' })
    const { data } = await changeAgent({ id: child.id, parentId: 3 }, call(all))
    expect(data.parentId).toBe(3)
    const both = await Promise.allSettled([
      changeAgent({ id: 3, parentId: 4 }, call(all)),
      changeAgent({ id: 4, parentId: 3 }, call(all)),
    ])
    expect(both.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})
