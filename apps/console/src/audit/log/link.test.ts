import { expect, test } from 'vitest'
import { subjectLink, valueLink } from './link.ts'

test('a thing is linked when it is there and the reader may open its page', () => {
  const held = new Set(['all', '03', '0302', '10', '1001'])
  const role = { subjectKind: 'role', subjectId: '5', subjectName: '调度' }
  expect(subjectLink(role, held)).toBe('/permissions/role-detail?id=5')
  expect(subjectLink(role, new Set(['all']))).toBeNull()
  expect(subjectLink({ ...role, subjectName: null }, held)).toBeNull()
  expect(subjectLink({ ...role, subjectKind: 'endpoint' }, held)).toBeNull()
  expect(subjectLink({ ...role, subjectKind: 'constructor' }, held)).toBeNull()
})

test('a vehicle and the ride of a command lead to their pages, other values nowhere', () => {
  const held = new Set(['all', '16', '1601'])
  expect(valueLink('vehicleId', 'SD100770', held)).toBe('/vehicle-info?vehicle=SD100770')
  expect(valueLink('vehicleIds', 'SD100770', held)).toBe('/vehicle-info?vehicle=SD100770')
  expect(valueLink('vehicleIds', 'SD100770、SD100771', held)).toBeNull()
  expect(valueLink('vehicleId', '#77', held)).toBeNull()
  expect(valueLink('reason', '骑行订单 61140', held)).toBe('/user-order-detail?order=61140')
  expect(valueLink('reason', '现场作业', held)).toBeNull()
  expect(valueLink('note', '骑行订单 61140', held)).toBeNull()
})
