import { describe, expect, it } from 'vitest'
import { dayOf, endOfDay, keywordOf, readFilter, readKeyword, startOfDay, writeFilter } from './question.ts'

describe('the question about orders', () => {
  it('knows a phone, an order and a vehicle apart', () => {
    expect(readKeyword(' 13800138000 ')).toEqual({ phone: '13800138000' })
    expect(readKeyword('2611210000000042')).toEqual({ number: '2611210000000042' })
    expect(readKeyword('SD100001')).toEqual({ vehicleNumber: 'SD100001' })
    expect(readKeyword('  ')).toEqual({})
    for (const word of ['13800138000', '2611210000000042', 'SD100001', ''])
      expect(keywordOf(readKeyword(word))).toBe(word)
  })

  it('is kept by the address, but for phone numbers', () => {
    const text = writeFilter({ phone: '13800138000', states: ['paid'], areaIds: [3] })
    expect(text).not.toContain('138')
    expect(readFilter(new URLSearchParams({ filter: text ?? '' }))).toEqual({ states: ['paid'], areaIds: [3] })
    expect(writeFilter({ phone: '13800138000' })).toBeNull()
    expect(readFilter(new URLSearchParams({ filter: '{"states":["nonsense"]}' }))).toEqual({})
    expect(readFilter(new URLSearchParams({ filter: 'x' }))).toEqual({})
  })

  it('takes days of Shanghai', () => {
    expect(startOfDay('2026-11-21')).toBe(Date.UTC(2026, 10, 20, 16))
    expect(endOfDay('2026-11-21')).toBe(Date.UTC(2026, 10, 21, 16))
    expect(startOfDay('')).toBeUndefined()
    expect(dayOf(Date.UTC(2026, 10, 20, 16))).toBe('2026-11-21')
    expect(dayOf(undefined)).toBe('')
  })
})
