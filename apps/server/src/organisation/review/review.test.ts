import { holderFilterSchema } from '@saddle/contract/organisation/review.ts'
import { describe, expect, it } from 'vitest'
import { createPeopleWorld, refusalOf } from '#organisation/people/world.fixture.ts'
import { blockedBy, grantsOf } from './rules.ts'

const { handlers, people, calls, roles, owner, lines } = await createPeopleWorld()
const role = { id: 1, name: '财务', state: 'enabled' as const }

describe('rules', () => {
  it('say what withholds a code', () => {
    const person = { role, codes: ['financial', 'financial_01', '03'] }
    const withheld = (account: Parameters<typeof grantsOf>[1]) =>
      grantsOf(person, account)
        .filter((grant) => grant.withheld !== null)
        .map((grant) => grant.code)
    expect(withheld(null)).toEqual(['financial_01'])
    expect(withheld({ status: 2, accountLevel: 2 })).toEqual([])
    expect(grantsOf(person, null)[0]).toMatchObject({ code: 'all', source: 'everybody', roleName: null })
  })

  it('say why nothing holds', () => {
    const person = { state: 'enabled' as const, role, isCompanyEnabled: true }
    expect(blockedBy(person)).toBeNull()
    expect(blockedBy({ ...person, state: 'disabled' })).toBe('账号已停用')
    expect(blockedBy({ ...person, role: null })).toBe('没有角色')
    expect(blockedBy({ ...person, role: { ...role, state: 'disabled' } })).toBe('角色已停用')
    expect(blockedBy({ ...person, isCompanyEnabled: false })).toBe('所在公司已停用')
  })
})

describe('review', () => {
  it('names each code and area of a person with its source', async () => {
    const { data } = await handlers.reviewPerson({ operatorId: people.worker }, calls.manager)
    expect(data).toMatchObject({ name: '郑', company: '东湖出行', blocked: null })
    expect(data.permissions.map(({ code, roleName }) => [code, roleName])).toEqual([
      ['all', null],
      ['03', '运维'],
      ['0301', '运维'],
    ])
    expect(data.areas).toEqual([{ id: 31, name: '东湖新城', agentId: 3, company: '东湖出行', source: 'named' }])
    const root = (await handlers.reviewPerson({ operatorId: people.root }, calls.root)).data
    expect(root.areas.map(({ id, source }) => [id, source])).toEqual([
      [31, 'below'],
      [32, 'below'],
      [41, 'below'],
    ])
    const manager = (await handlers.reviewPerson({ operatorId: people.manager }, calls.root)).data
    expect(manager.areas.map(({ source }) => source)).toEqual(['company', 'company'])
    expect(await refusalOf(handlers.reviewPerson({ operatorId: people.other }, calls.manager))).toBe('not_found')
  })

  it('names everybody who holds a code, and who of them cannot use it', async () => {
    await owner.updateTable('operator').set({ state: 'disabled' }).where('id', '=', people.other).execute()
    const ask = async (code: string, who = calls.root) =>
      (await handlers.listHolders({ filter: { code }, sort: 'name', pageSize: 20 }, who)).data
    const held = await ask('0301')
    expect(Object.fromEntries(held.list.map(({ name, active }) => [name, active]))).toEqual({
      林: true,
      周: true,
      郑: true,
      王: false,
    })
    expect(held.list.find(({ name }) => name === '郑')).toMatchObject({
      phone: '139****0004',
      roleId: roles.rider,
      allAreas: false,
      areaCount: 1,
    })
    expect((await ask('0301', calls.manager)).list.map(({ name }) => name).toSorted()).toEqual(['周', '郑'])
    const own = await handlers.listHolders({ filter: {}, sort: 'name', pageSize: 20 }, calls.root)
    expect(own.data).toMatchObject({ count: 0, list: [] })
    expect(holderFilterSchema.safeParse({ code: '0301' }).success).toBe(true)
    for (const code of ['made up', 'all']) expect(holderFilterSchema.safeParse({ code }).success).toBe(false)
  })

  it('exports both, and writes down that it did', async () => {
    const person = (await handlers.exportReview({ operatorId: people.worker }, calls.manager)).data
    expect(person.rows).toBe(4)
    expect(person.text).toContain('郑,权限,运营地图,0301,运维,')
    const english = await handlers.exportReview(
      { operatorId: people.worker, language: 'en', format: 'csv' },
      calls.manager,
    )
    expect(english.data.text).toContain('郑,Permissions,')
    const code = (await handlers.exportHolders({ filter: { code: '0301' }, sort: 'name' }, calls.root)).data
    expect(code).toMatchObject({ rows: 4, state: 'done' })
    expect(code.text).toContain('王,139****0005,西山_出行100%,乙经理,全部,否')
    expect((await lines('access.export')).map((line) => line.after)).toEqual([
      { operatorId: people.worker },
      { operatorId: people.worker },
      { filter: { code: '0301' }, byPhone: false },
    ])
    expect(await refusalOf(handlers.exportReview({ operatorId: people.other }, calls.manager))).toBe('not_found')
  })
})
