import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createPeopleWorld, refusalOf } from './world.fixture.ts'

const world = await createPeopleWorld()
const { handlers, roles, people, calls, call, addRole, addPerson, lines, owner, identity } = world
const pages = { filter: {}, sort: 'created', pageSize: 20 } as const
const content = { name: '新人', level: 4 as const, roleId: roles.rider, allAreas: false, areaIds: [31] }
const stateOf = async (id: number) =>
  (await owner.selectFrom('operator').selectAll().where('id', '=', id).executeTakeFirstOrThrow()).state

describe('reading', () => {
  it('lists one side with counts of the levels, and hides numbers', async () => {
    const own = (await handlers.listUsers(pages, calls.manager)).data
    expect(own.list.map((row) => row.name)).toEqual(['郑', '吴', '周'])
    expect((await handlers.userLevels({}, calls.manager)).data.list).toEqual([
      { level: 1, count: 1 },
      { level: 2, count: 1 },
      { level: 4, count: 1 },
    ])
    expect(own.list[0]).toMatchObject({ phone: '139****0004', allAreas: false, areas: [{ id: 31, name: '东湖新城' }] })
    expect(own.list[2]).toMatchObject({ isSelf: true, exceeds: false, hasTotp: false })
    const level = (await handlers.listUsers({ ...pages, filter: { levels: [4] } }, calls.manager)).data
    expect(level).toMatchObject({ count: 1, list: [{ name: '郑' }] })
    const below = (await handlers.agentAccounts({ ...pages, filter: { agentId: 4 } }, calls.root)).data
    expect(below.list.map((row) => row.name)).toEqual(['王'])
    expect((await handlers.agentAccounts(pages, calls.manager)).data.count).toBe(0)
  })

  it('finds by part of a name, whole number, role and area', async () => {
    const find = async (filter: object) =>
      (await handlers.listUsers({ ...pages, filter }, calls.manager)).data.list.map((row) => row.name)
    expect(await find({ keyword: '郑' })).toEqual(['郑'])
    expect(await find({ phone: '13900000004' })).toEqual(['郑'])
    expect(await find({ keyword: '0000004' })).toEqual([])
    expect(await find({ roleId: roles.rider })).toEqual(['郑'])
    expect(await find({ areaId: 32 })).toEqual(['吴', '周'])
    // Of another company: not even the number is found.
    expect(await find({ phone: '13900000005' })).toEqual([])
  })

  it('tells the whole number of one person, and of nobody outside', async () => {
    expect((await handlers.personInfo({ operatorId: people.worker }, calls.manager)).data.phone).toBe('13900000004')
    expect(await refusalOf(handlers.personInfo({ operatorId: people.other }, calls.manager))).toBe('not_found')
    expect(await refusalOf(handlers.userUses({ operatorId: people.other }, calls.manager))).toBe('not_found')
  })
})

describe('creating', () => {
  it('adds somebody with role and areas, and writes it down without the number', async () => {
    const { data } = await handlers.createUser({ phone: '13700000001', ...content }, calls.manager)
    expect(data).toMatchObject({ agentId: 3, phone: '137****0001', level: 4, areas: [{ id: 31 }], version: 1 })
    const line = (await lines('operator.create')).at(-1)
    expect(line).toMatchObject({ subject_id: String(data.operatorId), after: { areas: [31], phone: '137****0001' } })
    expect(JSON.stringify(line)).not.toContain('13700000001')
  })

  it('refuses a number that is somebody’s, without telling whose', async () => {
    const taken = handlers.createUser({ phone: '13900000005', ...content }, calls.manager)
    await expect(taken).rejects.toMatchObject({ code: 'phone_taken', message: '该手机号已被使用，请更换' })
  })

  it('gives nothing that the giver does not have', async () => {
    const give = (changes: object, who = calls.manager) =>
      refusalOf(handlers.createUser({ phone: '13700000009', ...content, ...changes }, who))
    expect(await give({}, calls.clerk)).toBe('grant_exceeds')
    expect(await give({ level: 1, roleId: null }, calls.clerk)).toBe('grant_exceeds')
    expect(await give({ areaIds: [41] })).toBe('foreign_scope')
    expect(await give({ roleId: roles.other })).toBe('bad_request')
    const closed = await addRole(3, '停用的', ['03'])
    await handlers.setRoleState({ id: closed, state: 'disabled' }, calls.manager)
    expect(await give({ roleId: closed })).toBe('bad_request')
    // Somebody of one area gives neither another area nor all of them.
    await owner.updateTable('operator').set({ role_id: roles.manager }).where('id', '=', people.worker).execute()
    expect(await give({ areaIds: [32] }, calls.worker)).toBe('foreign_scope')
    expect(await give({ allAreas: true }, calls.worker)).toBe('grant_exceeds')
    await owner.updateTable('operator').set({ role_id: roles.rider }).where('id', '=', people.worker).execute()
    expect(await give({ areaIds: [] })).toBe('areas_required')
    const elsewhere = handlers.createAgentAccount({ agentId: 4, phone: '13700000009', ...content }, calls.manager)
    expect(await refusalOf(elsewhere)).toBe('foreign_scope')
  })

  it('holds somebody of the platform to areas of companies below, whatever the header shows', async () => {
    const given = { ...content, level: 2 as const, roleId: roles.platform, areaIds: [31, 41] }
    const { data } = await handlers.createUser({ phone: '13700000004', ...given }, calls.root)
    expect(data.areas.map((area) => area.id).toSorted()).toEqual([31, 41])
    const narrowed = { ...calls.root, scope: { ...calls.root.scope, agentIds: [2, 3], areaIds: [31] } }
    const change = { operatorId: data.operatorId, version: 1, ...given, areaIds: [32, 41] }
    const changed = await handlers.changeUser(change, narrowed)
    expect(changed.data.areas.map((area) => area.id).toSorted()).toEqual([32, 41])
    const elsewhere = { ...calls.root, scope: { ...calls.root.scope, agentIds: [3] } }
    expect(await refusalOf(handlers.changeUser({ ...change, version: 2 }, elsewhere))).toBe('not_found')
  })

  it('opens accounts below, with roles and areas of that company', async () => {
    const below = { ...content, roleId: roles.other, areaIds: [41] }
    const { data } = await handlers.createAgentAccount({ agentId: 4, phone: '13700000002', ...below }, calls.root)
    expect(data).toMatchObject({ agentId: 4, areas: [{ id: 41 }] })
    const foreign = { agentId: 4, phone: '13700000003', ...below, areaIds: [31] }
    expect(await refusalOf(handlers.createAgentAccount(foreign, calls.root))).toBe('foreign_scope')
  })
})

describe('changing', () => {
  it('changes once per version and leaves areas alone that the caller does not see', async () => {
    const id = await addPerson(3, roles.rider, { areaIds: [31, 32], level: 4 })
    const held = await addPerson(3, roles.manager, { areaIds: [31] })
    const byHeld = call(held, 3, [3], [31])
    const change = { operatorId: id, version: 1, ...content, areaIds: [] }
    expect((await handlers.changeUser(change, byHeld)).data.areas).toEqual([])
    expect((await handlers.personInfo({ operatorId: id }, calls.manager)).data).toMatchObject({
      version: 2,
      areas: [{ id: 32, name: '大学城' }],
    })
    expect(await refusalOf(handlers.changeUser(change, calls.manager))).toBe('areas_required')
    const seen = { ...change, areaIds: [32] }
    expect(await refusalOf(handlers.changeUser(seen, calls.manager))).toBe('conflict')
    expect((await lines('operator.change')).at(-1)).toMatchObject({ subject_id: String(id), agent_id: 3 })
  })

  it('touches neither oneself nor who may do more, nor anybody elsewhere', async () => {
    const change = (operatorId: number, who: typeof calls.root) =>
      refusalOf(handlers.changeUser({ operatorId, version: 1, ...content }, who))
    expect(await change(people.manager, calls.manager)).toBe('own_access')
    expect(await change(people.manager, calls.clerk)).toBe('above_caller')
    expect(await change(people.other, calls.manager)).toBe('not_found')
    const disable = (operatorId: number, who: typeof calls.root) =>
      refusalOf(handlers.setUserState({ operatorId, state: 'disabled' }, who))
    expect(await disable(people.manager, calls.manager)).toBe('own_access')
    expect(await disable(people.manager, calls.clerk)).toBe('above_caller')
    expect(await disable(people.other, calls.manager)).toBe('not_found')
    // Not even by one of the platform, on the side that is not theirs.
    expect(await disable(people.other, calls.root)).toBe('not_found')
    expect((await handlers.userUses({ operatorId: people.manager }, calls.manager)).data.refusal).toContain('自己')
  })

  it('takes a lost second factor off, under the same rules', async () => {
    const reset = (operatorId: number, who: typeof calls.root) => handlers.resetSecondFactor({ operatorId }, who)
    const id = await addPerson(3, roles.rider)
    expect(await refusalOf(reset(id, calls.manager))).toBe('conflict')
    const at = new Date(world.kit.clock.now())
    for (const operatorId of [id, people.manager, people.other]) {
      const values = { operator_id: operatorId, secret_sealed: 'sealed', begun_at: at, enabled_at: at }
      await owner.insertInto('operator_totp').values(values).execute()
      await owner.updateTable('operator').set({ totp_enabled_at: at }).where('id', '=', operatorId).execute()
    }
    expect(await refusalOf(reset(people.manager, calls.manager))).toBe('own_access')
    expect(await refusalOf(reset(people.manager, calls.clerk))).toBe('above_caller')
    expect(await refusalOf(reset(people.other, calls.manager))).toBe('not_found')
    await reset(id, calls.manager)
    expect((await handlers.personInfo({ operatorId: id }, calls.manager)).data.hasTotp).toBe(false)
    const left = await owner.selectFrom('operator_totp').select('operator_id').orderBy('operator_id').execute()
    expect(left.map((row) => row.operator_id)).toEqual([people.manager, people.other])
    expect(await lines('totp.reset')).toMatchObject([{ subject_id: String(id), agent_id: 3 }])
  })

  it('lets nobody of one area switch off who reaches further', async () => {
    const held = await addPerson(3, roles.manager, { areaIds: [31] })
    const byHeld = call(held, 3, [3], [31])
    const disable = (operatorId: number) => handlers.setUserState({ operatorId, state: 'disabled' }, byHeld)
    expect(await refusalOf(disable(await addPerson(3, roles.rider)))).toBe('above_caller')
    // Not even named areas that the caller does not see.
    expect(await refusalOf(disable(await addPerson(3, roles.rider, { areaIds: [31, 32] })))).toBe('above_caller')
    expect((await disable(await addPerson(3, roles.rider, { areaIds: [31] }))).data.state).toBe('disabled')
  })

  it('keeps the last administrator, also when two go at each other at once', async () => {
    const last = { operatorId: people.other, state: 'disabled' as const }
    expect(await refusalOf(handlers.setAgentAccountState(last, calls.root))).toBe('last_administrator')
    expect(await refusalOf(handlers.removeAgentAccount({ operatorId: people.other }, calls.root))).toBe(
      'last_administrator',
    )
    const lowered = { operatorId: people.other, version: 1, ...content, level: 2 as const, roleId: roles.other }
    expect(await refusalOf(handlers.changeAgentAccount({ ...lowered, areaIds: [41] }, calls.root))).toBe(
      'last_administrator',
    )
    const second = await addPerson(4, roles.other, { level: 1 })
    const outcomes = await Promise.allSettled([
      handlers.setUserState({ operatorId: second, state: 'disabled' }, calls.other),
      handlers.setUserState({ operatorId: people.other, state: 'disabled' }, call(second, 4, [4], [41])),
    ])
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect([await stateOf(second), await stateOf(people.other)].toSorted()).toEqual(['disabled', 'enabled'])
    await owner.updateTable('operator').set({ state: 'enabled' }).where('id', 'in', [second, people.other]).execute()
  })

  it('leaves nobody logged in who was disabled', async () => {
    const id = await addPerson(3, roles.rider)
    await sql`
      insert into session (handle, sid_hash, csrf_hash, operator_id, login_kind, created_at, last_seen_at, expires_at,
        user_agent, address)
      values (${'h'.repeat(43)}, 'sid', 'csrf', ${id}, 'sms', now(), now(), now() + interval '1 day', 'test', '::1')`.execute(
      owner,
    )
    expect((await handlers.userUses({ operatorId: id }, calls.manager)).data).toMatchObject({
      sessions: 1,
      refusal: null,
    })
    await handlers.setUserState({ operatorId: id, state: 'disabled' }, calls.manager)
    await identity.idle()
    expect((await handlers.userUses({ operatorId: id }, calls.manager)).data.sessions).toBe(0)
    const again = await handlers.setUserState({ operatorId: id, state: 'enabled' }, calls.manager)
    expect(again.data.state).toBe('enabled')
  })
})

describe('leaving', () => {
  it('forgets the number, keeps the name, and frees the number for somebody else', async () => {
    const id = await addPerson(3, roles.rider, { phone: '13600000001', name: '离职者', areaIds: [31] })
    expect(await refusalOf(handlers.removeUser({ phone: '13600000001' }, calls.other))).toBe('not_found')
    await handlers.removeUser({ phone: '13600000001' }, calls.manager)
    const row = await owner.selectFrom('operator').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: '离职者', state: 'removed', phone_hash: null, phone_sealed: null, role_id: null })
    expect(await refusalOf(handlers.personInfo({ operatorId: id }, calls.manager))).toBe('not_found')
    const { data } = await handlers.createUser({ phone: '13600000001', ...content }, calls.manager)
    expect(data.operatorId).not.toBe(id)
    expect((await lines('operator.remove')).at(-1)).toMatchObject({ before: { name: '离职者', phone: '136****0001' } })
  })
})

describe('the service desk', () => {
  it('gives one account, once', async () => {
    const open = (who = calls.manager) => handlers.createSupportAccount({ operatorId: people.worker }, who)
    const { supportAccount } = (await open()).data
    expect(supportAccount).toMatch(/^desk-[\w-]{10}$/)
    expect((await open()).data.supportAccount).toBe(supportAccount)
    expect(await lines('operator.support_account')).toHaveLength(1)
    expect(await refusalOf(open(calls.other))).toBe('not_found')
  })
})

describe('franchisers', () => {
  it('are kept by number, per company', async () => {
    const ally = { phone: '13500000001', name: '股东甲', note: '三成' }
    const { data } = await handlers.createAlly(ally, calls.manager)
    expect(data).toMatchObject({ agentId: 3, company: '东湖出行', phone: '135****0001', createdBy: '测试员' })
    expect(await refusalOf(handlers.createAlly(ally, calls.manager))).toBe('phone_taken')
    await handlers.createAlly({ ...ally, agentId: 4 }, calls.root)
    expect(await refusalOf(handlers.createAlly({ ...ally, agentId: 4 }, calls.manager))).toBe('foreign_scope')
    const count = async (filter: object, who = calls.manager) =>
      (await handlers.listAllies({ ...pages, filter }, who)).data.count
    expect([
      await count({ keyword: '股东' }),
      await count({ phone: '13500000001' }),
      await count({ phone: '13500000002' }),
    ]).toEqual([1, 1, 0])
    expect(await count({}, calls.root)).toBe(2)
    expect(await count({}, calls.other)).toBe(1)
    await handlers.removeAlly({ phone: '13500000001' }, calls.manager)
    expect(await count({})).toBe(0)
    expect(await count({}, calls.other)).toBe(1)
    expect(await refusalOf(handlers.removeAlly({ phone: '13500000001' }, calls.manager))).toBe('not_found')
    expect(JSON.stringify(await lines('ally.create'))).not.toContain('13500000001')
  })
})
