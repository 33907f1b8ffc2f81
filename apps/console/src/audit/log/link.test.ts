import { expect, test } from 'vitest'
import { placeOf, readFilter, spanOf, writeFilter } from './link.ts'

test('a question survives the address, and an address that makes no sense asks for nothing', () => {
  const filter = { operatorId: 7, actions: ['vehicle.lock'], from: 5 }
  expect(readFilter(writeFilter(filter))).toEqual(filter)
  expect(writeFilter({ subject: '' })).toBeNull()
  for (const text of [null, '', '{', '[]', '{"operatorId":"x"}', '{"unknown":1}']) expect(readFilter(text)).toEqual({})
})

test('a thing is linked when it is there and the reader may open its page', () => {
  const held = new Set(['all', '03', '0302', '10', '1001'])
  const role = { subjectKind: 'role', subjectId: '5', subjectName: '调度' }
  expect(placeOf(role, held)).toBe('/permissions/role-detail?id=5')
  expect(placeOf(role, new Set(['all']))).toBeNull()
  expect(placeOf({ ...role, subjectName: null }, held)).toBeNull()
  expect(placeOf({ ...role, subjectKind: 'endpoint' }, held)).toBeNull()
  expect(placeOf({ ...role, subjectKind: 'constructor' }, held)).toBeNull()
})

test('days are whole, by business time', () => {
  expect(spanOf({ from: '2026-11-21', to: '2026-11-21' })).toEqual({
    from: Date.UTC(2026, 10, 20, 16),
    to: Date.UTC(2026, 10, 21, 16),
  })
  expect(spanOf({ from: '', to: '2026-11-21' })).toEqual({ to: Date.UTC(2026, 10, 21, 16) })
})
