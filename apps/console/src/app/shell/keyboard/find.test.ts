import { expect, test } from 'vitest'
import { findNamed, findPages, type Spelled } from './find.ts'
import { actOf, hitLink } from './hits.ts'
import { isSpelled } from './initials.ts'

const all = new Set(['all', '03', '0301', '0302', '10', '1001', '11', '1102'])
const same = (key: string): string => key
const pathsOf = (text: string, held: ReadonlySet<string> = all, spelled: Spelled = null): string[] =>
  findPages({ text, held, t: same, isSpelled: spelled }).map(({ to }) => to)

test('pages are found by title, path and group', () => {
  expect(pathsOf('车辆查询')[0]).toBe('/vehicle/vehicle-query')
  expect(pathsOf('vehicle-q')[0]).toBe('/vehicle/vehicle-query')
  expect(pathsOf('角色')).toEqual(['/permissions/role', '/agent/role-management'])
  expect(pathsOf('车辆监控')).toContain('/vehicle/operation-map')
})

test('only permitted pages are found, never hidden ones', () => {
  expect(pathsOf('换电统计')).toEqual([])
  expect(pathsOf('新增角色')).toEqual([])
})

test('pages and names are found by the letters that spell them', () => {
  expect(pathsOf('clcx')).toEqual([])
  expect(pathsOf('clcx', all, isSpelled)).toContain('/vehicle/vehicle-query')
  expect(pathsOf('yunyingdt', all, isSpelled)).toContain('/vehicle/operation-map')
  const areas = [{ name: '老城服务区' }, { name: '江南服务区' }]
  expect(findNamed(areas, { text: 'lcfwq', isSpelled })).toEqual([{ name: '老城服务区' }])
  expect(findNamed(areas, { text: '江南', isSpelled: null })).toEqual([{ name: '江南服务区' }])
})

test('nothing typed lists pages, bounded', () => {
  expect(pathsOf('').length).toBeGreaterThan(3)
  expect(pathsOf('').length).toBeLessThanOrEqual(12)
})

test('a command and a vehicle are read in either order', () => {
  expect(actOf('开锁 SD100223', same)).toEqual({ kind: 'unlock', vehicle: 'SD100223' })
  expect(actOf('sd100223锁车', same)).toEqual({ kind: 'lock', vehicle: 'SD100223' })
  expect(actOf('寻车 0223', same)).toEqual({ kind: 'ring', vehicle: '0223' })
  expect(actOf('开锁', same)).toBeNull()
  expect(actOf('开锁统计', same)).toBeNull()
  expect(actOf('Unlock SD100223', (key) => (key === '开锁' ? 'Unlock' : key))?.kind).toBe('unlock')
})

test('a hit leads to the first page that the reader may open', () => {
  const vehicle = { kind: 'vehicle', id: 7, title: 'SD100001' } as const
  expect(hitLink(vehicle, all)).toBe('/vehicle/operation-map?vehicle=SD100001')
  expect(hitLink({ kind: 'place', id: 7, title: '松月巷' }, all)).toBeNull()
})
