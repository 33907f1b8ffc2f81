import { describe, expect, it } from 'vitest'
import { firstRoleCodes } from '@saddle/contract/organisation/companies.ts'
import { companyWorld } from '#organisation/companies.fixture.ts'
import { publicCall } from '#test/kit.ts'

const { kit, owner, ids, handlers, calls, addPerson, recordsOf } = await companyWorld()
const { applyToJoin, listApplications, acceptApplication, refuseApplication } = handlers

let applicants = 0
async function apply(): Promise<string> {
  applicants += 1
  const { data } = await applyToJoin(
    {
      company: `南浦单车${applicants}`,
      contact: '周明远',
      phone: `1370000000${applicants}`,
      city: '南浦市',
      plannedVehicles: 800,
      remark: '',
    },
    publicCall({ address: `192.0.2.${applicants}` }),
  )
  return data.applicationNumber
}

const ring: [number, number][] = [
  [122, 30],
  [122.1, 30],
  [122.1, 30.1],
  [122, 30],
]
const acceptance = (applicationNumber: string, phone: string) => ({
  applicationNumber,
  parentId: 2,
  company: '南浦单车有限公司',
  manager: { phone, name: '周明远' },
  area: { name: '南浦城区', ring },
})
const firstPage = { sort: 'created', pageSize: 20 } as const
const countAll = async () => {
  const counts = await Promise.all(
    (['agent', 'role', 'operator', 'service_area', 'fence'] as const).map((table) =>
      owner
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    ),
  )
  return counts.map((row) => row.n)
}

describe('accepting', () => {
  it('opens company, first role, first account and area in one step, each with its line', async () => {
    const number = await apply()
    const { data } = await acceptApplication(acceptance(number, '13711110001'), calls.platform())
    const operator = await owner.selectFrom('operator').selectAll().where('id', '=', data.operatorId).executeTakeFirst()
    expect(operator).toMatchObject({ agent_id: data.agentId, role_id: data.roleId, level: 1, all_areas: true })
    const codes = await owner.selectFrom('role_permission').select('code').where('role_id', '=', data.roleId).execute()
    expect(codes.map((row) => row.code).toSorted()).toEqual([...firstRoleCodes].toSorted())
    expect(codes.map((row) => row.code)).not.toContain('110101')
    const { data: listed } = await listApplications(
      { ...firstPage, filter: { states: ['accepted'] } },
      calls.platform(),
    )
    expect(listed).toMatchObject({
      count: 1,
      list: [{ applicationNumber: number, agentId: data.agentId, decidedBy: '测试员', decidedAt: kit.clock.now() }],
    })
    expect(await recordsOf('application', number)).toMatchObject([{ agent_id: 2, operator_id: ids.platform }])
    const ofNew = await owner
      .selectFrom('audit_record')
      .select('action')
      .where('agent_id', '=', data.agentId)
      .orderBy('sequence')
      .execute()
    expect(ofNew.map((row) => row.action)).toEqual(['agent.create', 'role.create', 'operator.create', 'area.create'])
    const fence = await owner.selectFrom('fence').select('name').where('area_id', '=', data.areaId).execute()
    expect(fence).toEqual([{ name: '南浦城区' }])
  })

  it('hands on no code that the one who accepts does not hold', async () => {
    const number = await apply()
    const held = calls.platform({}, ['110101', '1101', '0301'])
    const { data } = await acceptApplication(acceptance(number, '13711110002'), held)
    const codes = await owner.selectFrom('role_permission').select('code').where('role_id', '=', data.roleId).execute()
    expect(codes.map((row) => row.code).toSorted()).toEqual(['0301', '1101'])
  })

  it('happens once, also when two decide at the same moment', async () => {
    const number = await apply()
    const both = await Promise.allSettled([
      acceptApplication(acceptance(number, '13711110003'), calls.platform()),
      acceptApplication(acceptance(number, '13711110004'), calls.platform()),
      refuseApplication({ applicationNumber: number, reason: '资料不全' }, calls.platform()),
    ])
    expect(both.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    for (const outcome of both) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'application_decided' })
    }
  })

  it('is not for somebody of the platform who is held to named areas', async () => {
    const number = await apply()
    const held = await addPerson(2, '13800000008', [31])
    const call = calls.platform()
    const theirs = { ...call, caller: { ...call.caller, operatorId: held } }
    await expect(acceptApplication(acceptance(number, '13711110008'), theirs)).rejects.toMatchObject({
      code: 'areas_held',
    })
  })

  it('leaves nothing behind when a part of it cannot be', async () => {
    const number = await apply()
    const before = await countAll()
    const wrong = [
      { input: acceptance(number, '13800000002'), code: 'phone_taken' },
      { input: { ...acceptance(number, '13711110005'), parentId: 99 }, code: 'foreign_scope' },
      {
        input: {
          ...acceptance(number, '13711110005'),
          area: { name: '一条线', ring: [...ring.slice(0, 2), ...ring.slice(0, 2)] },
        },
        code: 'boundary_invalid',
      },
      { input: acceptance('JM20261121-00000000', '13711110005'), code: 'not_found' },
    ]
    for (const { input, code } of wrong) {
      await expect(acceptApplication(input, calls.platform())).rejects.toMatchObject({ code })
    }
    expect(await countAll()).toEqual(before)
    const { data } = await listApplications({ ...firstPage, filter: { states: ['submitted'] } }, calls.platform())
    expect(data.list.map((row) => row.applicationNumber)).toContain(number)
  })

  it('is the platform’s alone, whatever codes a franchisee holds', async () => {
    const number = await apply()
    await expect(acceptApplication(acceptance(number, '13711110006'), calls.manager())).rejects.toMatchObject({
      code: 'forbidden',
    })
    const refusal = refuseApplication({ applicationNumber: number, reason: '资料不全' }, calls.manager())
    await expect(refusal).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('refusing', () => {
  it('says why, for the list and for the trail, and cannot be taken back', async () => {
    const number = await apply()
    await refuseApplication({ applicationNumber: number, reason: '暂不开放该城市' }, calls.platform())
    const { data } = await listApplications({ ...firstPage, filter: { states: ['refused'] } }, calls.platform())
    expect(data.list.find((row) => row.applicationNumber === number)).toMatchObject({
      refusal: '暂不开放该城市',
      agentId: null,
      decidedBy: '测试员',
    })
    expect(await recordsOf('application', number)).toMatchObject([
      { action: 'application.refuse', after: { reason: '暂不开放该城市' } },
    ])
    await expect(acceptApplication(acceptance(number, '13711110007'), calls.platform())).rejects.toMatchObject({
      code: 'application_decided',
    })
    await expect(
      refuseApplication({ applicationNumber: 'JM20261121-00000000', reason: '没有' }, calls.platform()),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})
