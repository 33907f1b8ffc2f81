import { describe, expect, test } from 'vitest'
import { safeRedirect, withRedirect } from './redirect.ts'

const held = new Set(['all', '03', '0301'])

describe('a redirect after login', () => {
  test.each(['/log', '/vehicle/operation-map', '/vehicle/operation-map?vehicle=SD100001', '/vehicle'])(
    '%s is followed',
    (wanted) => expect(safeRedirect(wanted, held)).toBe(wanted),
  )

  test.each([
    null,
    '',
    'log',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    'https://evil.test/log',
    'javascript:alert(1)',
    '/log\n//evil.test',
    '/\t/evil.test',
    ' /log',
    '/nowhere',
    '/log/../../evil',
    '/./',
    '/marketing/coupon',
    '/login',
    '/login-home',
    '/404',
  ])('%j is not', (wanted) => expect(safeRedirect(wanted, held)).toBe('/'))
})

test('the login page learns what was wanted', () => {
  expect(withRedirect('/login', '/log?a=1&b=2')).toBe('/login?redirect=%2Flog%3Fa%3D1%26b%3D2')
  expect(withRedirect('/login', '/')).toBe('/login')
})
