import { permissionCodes, type Permission } from '@saddle/contract/permissions.ts'
import { describe, expect, it } from 'vitest'
import { createPeopleWorld, refusalOf } from '#organisation/people/world.fixture.ts'
import { changedCodes, namesText, roleCodes } from './rules.ts'

const { handlers, roles, people, calls, addRole, addPerson, lines, owner } = await createPeopleWorld()
const content = (codes: Permission[], name = '新角色') => ({ name, description: '', codes })
const pages = { filter: {}, sort: 'company', pageSize: 20 } as const

describe('rules', () => {
  it('keep codes once each in the order of the tree, and never `all`', () => {
    expect(roleCodes(['0301', 'all', '03', '0301', 'made up'])).toEqual(['03', '0301'])
    expect(changedCodes(['a', 'b'], ['b', 'c'])).toEqual(['a', 'c'])
    expect(namesText(['甲', '乙'], '人')).toBe('甲、乙')
    expect(namesText(['1', '2', '3', '4', '5', '6'], '人', 8)).toBe('1、2、3、4、5 等 8 人')
  })
})

describe('reading', () => {
  it('lists the own company, and those below it on their own side', async () => {
    const own = await handlers.listRoles(pages, calls.root)
    expect(own.data.list.map((row) => row.name)).toEqual(['平台管理员'])
    expect(own.data.list[0]).toMatchObject({ company: '平台公司', codeCount: 9, userCount: 1, isOwn: true })
    const below = await handlers.listAgentRoles(pages, calls.root)
    expect(below.data.list.map((row) => row.agentId)).toEqual([3, 3, 3, 4])
    expect(below.data.count).toBe(4)
    const found = await handlers.listRoles(
      { ...pages, filter: { keyword: '运', code: '0301', states: ['enabled'] } },
      calls.manager,
    )
    expect(found.data).toMatchObject({ count: 1, list: [{ name: '运维', exceeds: false }] })
    expect((await handlers.listRoles(pages, calls.clerk)).data.list.map((row) => [row.name, row.exceeds])).toEqual([
      ['人事', false],
      ['经理', true],
      ['运维', true],
    ])
  })

  it('tells codes and who has the role, and nothing of a foreign one', async () => {
    const { data } = await handlers.roleInfo({ id: roles.rider }, calls.manager)
    expect(data.codes.toSorted()).toEqual(['03', '0301'])
    expect(data.users).toEqual([
      { operatorId: people.worker, name: '郑', phone: expect.stringMatching(/^139\*{4}\d{4}$/), state: 'enabled' },
    ])
    expect(await refusalOf(handlers.roleInfo({ id: roles.other }, calls.manager))).toBe('not_found')
    // A role below is on the other side, also for those above.
    expect(await refusalOf(handlers.roleInfo({ id: roles.other }, calls.root))).toBe('not_found')
    expect((await handlers.agentRole({ id: roles.other }, calls.root)).data.name).toBe('乙经理')
  })

  it('shows the tree with what may be handed out, and what somebody holds', async () => {
    const { list } = (await handlers.permissionTree({}, calls.clerk)).data
    expect(list).toHaveLength(permissionCodes.length - 1)
    expect(list.filter((row) => row.grantable).map((row) => row.code)).toEqual(['10', '1001', '1002'])
    const of = await handlers.permissionTreeOfOperator({ operatorId: people.worker }, calls.clerk)
    expect(of.data.role).toEqual({ id: roles.rider, name: '运维', state: 'enabled' })
    expect(of.data.list.filter((row) => row.held).map((row) => row.code)).toEqual(['03', '0301'])
    const foreign = handlers.permissionTreeOfOperator({ operatorId: people.other }, calls.clerk)
    expect(await refusalOf(foreign)).toBe('not_found')
  })

  it('offers enabled roles of one company and says which the caller may give', async () => {
    const { list } = (await handlers.enabledRoles({}, calls.clerk)).data
    expect(list.map((role) => [role.name, role.grantable])).toEqual([
      ['人事', true],
      ['经理', false],
      ['运维', false],
    ])
    expect((await handlers.enabledRoles({ agentId: 4 }, calls.root)).data.list).toHaveLength(1)
    expect(await refusalOf(handlers.enabledRoles({ agentId: 4 }, calls.manager))).toBe('foreign_scope')
  })
})

describe('writing', () => {
  it('adds a role of codes that are held, and writes it down', async () => {
    const { data } = await handlers.createRole(content(['0301', '03']), calls.manager)
    expect(data).toMatchObject({ agentId: 3, codes: ['03', '0301'], version: 1, updatedBy: '测试员', userCount: 0 })
    expect((await lines('role.create')).at(-1)).toMatchObject({
      subject_id: String(data.id),
      agent_id: 3,
      after: { name: '新角色', codes: ['03', '0301'] },
    })
    expect(await refusalOf(handlers.createRole(content(['03']), calls.manager))).toBe('name_taken')
    expect(await refusalOf(handlers.createRole(content(['03'], '越权'), calls.clerk))).toBe('grant_exceeds')
    expect(await refusalOf(handlers.createAgentRole({ agentId: 4, ...content([]) }, calls.manager))).toBe(
      'foreign_scope',
    )
    expect((await handlers.createAgentRole({ agentId: 4, ...content(['03']) }, calls.root)).data.agentId).toBe(4)
  })

  it('changes a role once per version, and only by codes that are held', async () => {
    const id = await addRole(3, '变更', ['03', '1001'])
    const change = (codes: Permission[], version: number, call = calls.manager) =>
      handlers.changeRole({ id, version, ...content(codes, '变更') }, call)
    expect((await change(['03', '0301', '1001'], 1)).data).toMatchObject({ version: 2 })
    expect(await refusalOf(change(['03'], 1))).toBe('conflict')
    // The clerk holds 1001 but not 03: what a change takes away counts too.
    expect(await refusalOf(change(['0301', '1001'], 2, calls.clerk))).toBe('grant_exceeds')
    expect((await change(['03', '0301'], 2, calls.clerk)).data.codes.toSorted()).toEqual(['03', '0301'])
    expect(await refusalOf(change([], 3, calls.other))).toBe('not_found')
    expect((await lines('role.change')).at(-1)).toMatchObject({
      before: { codes: ['03', '0301', '1001'] },
      after: { codes: ['03', '0301'] },
    })
  })

  it('never changes, disables or deletes the own role', async () => {
    const own = { id: roles.manager }
    expect(await refusalOf(handlers.changeRole({ ...own, version: 1, ...content([]) }, calls.manager))).toBe(
      'own_access',
    )
    expect(await refusalOf(handlers.setRoleState({ ...own, state: 'disabled' }, calls.manager))).toBe('own_access')
    expect(await refusalOf(handlers.removeRole(own, calls.manager))).toBe('own_access')
  })

  it('does not let anybody switch off who may do more', async () => {
    const id = await addRole(3, '更高', ['03'])
    expect(await refusalOf(handlers.setRoleState({ id, state: 'disabled' }, calls.clerk))).toBe('above_caller')
    expect(await refusalOf(handlers.removeRole({ id }, calls.clerk))).toBe('above_caller')
    const { data } = await handlers.setRoleState({ id, state: 'disabled' }, calls.manager)
    expect(data).toMatchObject({ state: 'disabled', version: 2 })
    expect((await lines('role.disabled')).at(-1)).toMatchObject({ subject_id: String(id) })
  })

  it('refuses to delete a role in use and names who has it', async () => {
    const id = await addRole(3, '在用', ['03'])
    const person = await addPerson(3, id, { name: '孙小' })
    await expect(handlers.removeRole({ id }, calls.manager)).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining('孙小') as unknown,
    })
    await owner.updateTable('operator').set({ role_id: null }).where('id', '=', person).execute()
    await handlers.removeRole({ id }, calls.manager)
    expect(await refusalOf(handlers.roleInfo({ id }, calls.manager))).toBe('not_found')
    expect(await refusalOf(handlers.removeAgentRole({ id: roles.other }, calls.manager))).toBe('not_found')
  })

  it('does not disable the role of the last administrator', async () => {
    const disabled = { id: roles.other, version: 1, state: 'disabled' as const, ...content(['10'], '乙经理') }
    expect(await refusalOf(handlers.changeAgentRole(disabled, calls.root))).toBe('last_administrator')
    const second = await addRole(4, '副经理', ['10'])
    await addPerson(4, second, { level: 1 })
    expect((await handlers.changeAgentRole(disabled, calls.root)).data.state).toBe('disabled')
  })
})
