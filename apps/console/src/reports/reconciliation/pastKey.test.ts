import { expect, test } from 'vitest'
import { pastKey } from './pastKey.ts'

test('a group stands beside the one as far from the beginning of the other span', () => {
  const days = { by: 'day', from: '2026-03-01', pastFrom: '2026-01-30' } as const
  expect([pastKey('2026-03-01', days), pastKey('2026-03-04', days)]).toEqual(['2026-01-30', '2026-02-02'])
  const months = { by: 'month', from: '2026-01-15', pastFrom: '2025-11-20' } as const
  expect([pastKey('2026-01', months), pastKey('2026-03', months)]).toEqual(['2025-11', '2026-01'])
  expect(pastKey('wechat', { by: 'channel', from: '2026-03-01', pastFrom: '2026-02-01' })).toBe('wechat')
})
