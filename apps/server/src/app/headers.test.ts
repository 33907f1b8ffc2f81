import { expect, test } from 'vitest'
import { contentPolicy, safetyHeaders, workerPolicy } from './headers.ts'

test('the map worker may fetch tiles from where the page may, and nothing else', () => {
  expect(workerPolicy({ otherHosts: ['https://map.example'] })).toBe(
    "default-src 'none'; connect-src 'self' https://map.example; frame-ancestors 'none'",
  )
  expect(safetyHeaders['content-security-policy']).not.toContain('connect-src')
})

test('the page runs only scripts and styles of its own or with its nonce', () => {
  const policy = contentPolicy({ nonce: 'n1', otherHosts: [], scriptHosts: [] })
  expect(policy).toContain("script-src 'self' 'nonce-n1';")
  expect(policy).toContain("worker-src 'self' blob:")
  expect(policy).not.toContain('unsafe')
})
