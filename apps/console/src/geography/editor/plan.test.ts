import { expect, it } from 'vitest'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { draftsOf, emptyPlan, formOf, photosOver, planOf, rebased } from './plan.ts'

const base: Fence = {
  id: 1,
  lineId: 1,
  agentId: 3,
  areaId: 31,
  kind: 'parking',
  name: '东门',
  centre: { lat: 31.3, lng: 120.6 },
  ring: null,
  holes: [],
  radiusM: 20,
  capacity: 10,
  hours: null,
  photoIds: ['a', 'b'],
  version: 1,
  validFrom: 0,
  authorName: '周可',
  note: '',
}
const picked = (key: string) => ({ key, name: key, base64: '' })

it('keeps what was changed here, and takes over what somebody else changed meanwhile', () => {
  const mine = { ...formOf(base), capacity: '25', photoIds: ['b'], photos: [picked('p')], note: '扩容' }
  const newer = { ...base, version: 2, name: '东门 A', capacity: 12, photoIds: ['a', 'b', 'c'] }
  expect(rebased(mine, { base, newer })).toEqual({
    name: '东门 A',
    capacity: '25',
    hours: null,
    note: '扩容',
    photoIds: ['b', 'c'],
    photos: [picked('p')],
  })
})

it('is not saved with more photos than a place has, as may come of two who add some', () => {
  const newer = { ...base, version: 2, photoIds: ['a', 'b', 'c'] }
  const form = rebased({ ...formOf(base), photos: [picked('p')] }, { base, newer })
  expect([photosOver(formOf(base)), photosOver(form)]).toEqual([0, 1])
  expect(draftsOf(planOf(base), form)).toBeNull()
  expect(draftsOf(planOf(base), formOf(newer))).toHaveLength(1)
  expect(draftsOf(emptyPlan, formOf(newer))).toBeNull()
})
