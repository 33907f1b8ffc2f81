import { describe, expect, it } from 'vitest'
import { applicationSchema, applicationEndpoints } from './applications.ts'

const application = {
  company: ' 南浦单车有限公司 ',
  contact: '周明远',
  phone: '13700000001',
  city: '南浦市',
  plannedVehicles: 800,
}

describe('an application to join', () => {
  it('loses the blanks around it and may do without a remark', () => {
    expect(applicationSchema.parse(application)).toMatchObject({ company: '南浦单车有限公司', remark: '' })
  })

  it('is refused when something in it cannot be', () => {
    const wrong = [
      { company: '  ' },
      { company: '长'.repeat(81) },
      { company: '南浦\0单车' },
      { contact: '' },
      { phone: '12345678901' },
      { phone: '1370000000' },
      { city: 'x' },
      { plannedVehicles: 0 },
      { plannedVehicles: 1.5 },
      { plannedVehicles: 1_000_001 },
      { remark: '\0' },
      { remark: '长'.repeat(501) },
    ]
    expect(wrong.filter((change) => applicationSchema.safeParse({ ...application, ...change }).success)).toEqual([])
  })
})

it('pages of a list have bounds, also when they come as text', () => {
  const { input } = applicationEndpoints.listApplications
  expect(input.parse({ pageSize: '50' })).toMatchObject({ pageSize: 50 })
  expect(input.parse({})).toMatchObject({ pageSize: 50, filter: {} })
  const wrong = [{ pageSize: 0 }, { pageSize: 201 }, { pageSize: 'x' }, { cursor: 'x'.repeat(201) }]
  expect(wrong.filter((given) => input.safeParse(given).success)).toEqual([])
})
