import { expect, test } from 'vitest'
import { find, foundMax } from './find.ts'

const all = new Set(['all', '03', '0301', '0302', '10', '1001', '11', '1102'])
const same = (key: string): string => key

test('pages are found by title, path and group', () => {
  expect(find('车辆查询', all, same)[0]?.to).toBe('/vehicle/vehicle-query')
  expect(find('vehicle-q', all, same)[0]?.to).toBe('/vehicle/vehicle-query')
  expect(find('角色', all, same).map((each) => each.to)).toEqual(['/permissions/role', '/agent/role-management'])
  expect(find('车辆监控', all, same).map((each) => each.to)).toContain('/vehicle/operation-map')
})

test('only permitted pages are found, never hidden ones', () => {
  expect(find('换电统计', all, same)).toEqual([])
  expect(find('新增角色', all, same)).toEqual([])
})

test('a vehicle number leads to the map, if that is permitted', () => {
  expect(find('sd100001', all, same)[0]).toMatchObject({
    kind: 'vehicle',
    to: '/vehicle/operation-map?vehicle=SD100001',
    title: 'SD100001',
  })
  expect(find('sd100001', new Set(['all']), same)).toEqual([])
})

test('nothing typed lists pages, bounded', () => {
  const found = find('', all, same)
  expect(found.length).toBeGreaterThan(3)
  expect(found.length).toBeLessThanOrEqual(foundMax)
})
