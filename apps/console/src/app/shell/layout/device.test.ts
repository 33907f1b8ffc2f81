import { expect, test } from 'vitest'
import { deviceOf, headerHidden, sidebarOpenOn } from './device.ts'

test('device by width', () => {
  expect([320, 576, 577, 1199, 1200].map(deviceOf)).toEqual(['mobile', 'mobile', 'tablet', 'tablet', 'desktop'])
})

test('the sidebar is open on desktop and mobile, closed on a tablet', () => {
  expect(sidebarOpenOn('desktop')).toBe(true)
  expect(sidebarOpenOn('tablet')).toBe(false)
  expect(sidebarOpenOn('mobile')).toBe(true)
})

test('the header hides past 100 px on the way down only', () => {
  expect(headerHidden({ autoHide: true, offsetPx: 100, previousPx: 0 })).toBe(false)
  expect(headerHidden({ autoHide: true, offsetPx: 101, previousPx: 0 })).toBe(true)
  expect(headerHidden({ autoHide: true, offsetPx: 300, previousPx: 400 })).toBe(false)
  expect(headerHidden({ autoHide: false, offsetPx: 300, previousPx: 0 })).toBe(false)
})
