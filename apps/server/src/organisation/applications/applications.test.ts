import { describe, expect, it } from 'vitest'
import { createSeededRandom } from '#kit/random.ts'
import { createOrganisation } from '#organisation/public.ts'
import { companyWorld } from '#organisation/companies.fixture.ts'
import { publicCall, sessionCall } from '#test/kit.ts'
import { applicationNumber, applicationRate } from './rules.ts'

const { kit, owner, handlers } = await companyWorld()
const { db } = kit
const { applyToJoin, listApplications } = handlers

const application = {
  company: '南浦单车有限公司',
  contact: '周明远',
  phone: '13700000001',
  city: '南浦市',
  plannedVehicles: 800,
  remark: '',
}
const from = (address: string) => publicCall({ address })
const platform = sessionCall({ operatorId: 1, agentId: 2, grant: { agentIds: [2, 3, 4], areaIds: [] } })
const firstPage = { filter: {}, sort: 'created', pageSize: 20 } as const

describe('an application', () => {
  it('is stored, with phone and contact unreadable in the table, and listed for the platform', async () => {
    const answer = await applyToJoin(application, from('192.0.2.10'))
    expect(answer.data.applicationNumber).toMatch(/^JM20261121-[0-9A-HJKMNP-TV-Z]{8}$/)
    const stored = await owner.selectFrom('franchise_application').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toMatch(/13700000001|周明远/)
    const { data } = await listApplications(firstPage, platform)
    expect(data).toEqual({
      count: 1,
      isCountCut: false,
      nextCursor: null,
      list: [
        {
          ...application,
          applicationNumber: answer.data.applicationNumber,
          state: 'submitted',
          createdAt: kit.clock.now(),
          decidedBy: null,
          decidedAt: null,
          refusal: null,
          agentId: null,
        },
      ],
    })
  })

  it('is refused while another one of the same phone waits, also when both come at once', async () => {
    const phone = '13700000002'
    const both = await Promise.allSettled([
      applyToJoin({ ...application, phone }, from('192.0.2.11')),
      applyToJoin({ ...application, phone, company: '另一家' }, from('192.0.2.12')),
    ])
    expect(both.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(applyToJoin({ ...application, phone }, from('192.0.2.13'))).rejects.toMatchObject({
      code: 'application_duplicate',
    })
  })

  it('may be sent again once the first one is decided', async () => {
    const phone = '13700000003'
    await applyToJoin({ ...application, phone }, from('192.0.2.14'))
    await owner
      .updateTable('franchise_application')
      .set({ state: 'refused', refusal: '资料不全', decided_at: new Date(kit.clock.now()), decided_by: '平台' })
      .execute()
    await applyToJoin({ ...application, phone }, from('192.0.2.14'))
    const { data } = await listApplications(firstPage, platform)
    expect(data.list.filter((row) => row.phone === phone).map((row) => row.state)).toEqual(['submitted', 'refused'])
  })

  it('cannot be sent without end from one address', async () => {
    const sent = Array.from({ length: applicationRate.perAddressPerHour }, (_, index) =>
      applyToJoin({ ...application, phone: `137100000${10 + index}` }, from('198.51.100.1')),
    )
    await Promise.all(sent)
    const oneMore = applyToJoin({ ...application, phone: '13719999999' }, from('198.51.100.1'))
    await expect(oneMore).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  it('cannot be sent without end from many addresses either', async () => {
    const own = createOrganisation({ ...kit, db: { ...db, systemRead: async () => [] } }).handlers
    const send = (index: number) => own.applyToJoin(application, from(`203.0.113.${index}`))
    for (let index = 0; index < applicationRate.totalPerHour; index += 1) {
      await expect(send(index)).rejects.toMatchObject({ code: 'application_duplicate' })
    }
    await expect(send(1_000)).rejects.toMatchObject({ code: 'too_many_requests' })
  })
})

describe('the list', () => {
  it('is the platform’s alone, whatever codes a franchisee holds', async () => {
    const franchisee = sessionCall({
      operatorId: 2,
      agentId: 3,
      grant: { agentIds: [3], areaIds: [] },
      permissions: ['110101'],
    })
    await expect(listApplications(firstPage, franchisee)).rejects.toMatchObject({ code: 'forbidden' })
    const read = db.read({ agentIds: [2, 3, 4], areaIds: [], operatorId: 1 }, (k) =>
      k.selectFrom('franchise_application').select('id').compile(),
    )
    await expect(read).rejects.toThrow('permission denied')
  })

  it('pages, the newest first', async () => {
    const all = await listApplications({ ...firstPage, pageSize: 200 }, platform)
    const first = await listApplications({ ...firstPage, pageSize: 3 }, platform)
    const cursor = first.data.nextCursor ?? undefined
    const second = await listApplications({ ...firstPage, pageSize: 3, cursor }, platform)
    expect(first.data.count).toBe(all.data.list.length)
    expect([...first.data.list, ...second.data.list]).toEqual(all.data.list.slice(0, 6))
  })
})

it('numbers carry the business day, not that of UTC', () => {
  const random = createSeededRandom(1)
  expect(applicationNumber({ nowMs: Date.UTC(2026, 10, 21, 15, 59), random })).toMatch(/^JM20261121-/)
  expect(applicationNumber({ nowMs: Date.UTC(2026, 10, 21, 16), random })).toMatch(/^JM20261122-/)
})
