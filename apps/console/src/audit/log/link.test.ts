import { expect, test } from 'vitest'
import { subjectLink } from './link.ts'

test('a thing is linked when it is there and the reader may open its page', () => {
  const held = new Set(['all', '03', '0302', '10', '1001'])
  const role = { subjectKind: 'role', subjectId: '5', subjectName: '调度' }
  expect(subjectLink(role, held)).toBe('/permissions/role-detail?id=5')
  expect(subjectLink(role, new Set(['all']))).toBeNull()
  expect(subjectLink({ ...role, subjectName: null }, held)).toBeNull()
  expect(subjectLink({ ...role, subjectKind: 'endpoint' }, held)).toBeNull()
  expect(subjectLink({ ...role, subjectKind: 'constructor' }, held)).toBeNull()
})
