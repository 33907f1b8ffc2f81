import { describe, expect, it } from 'vitest'
import { keywordOf, readKeyword } from './question.ts'

describe('the question about orders', () => {
  it('knows a phone, an order and a vehicle apart', () => {
    expect(readKeyword(' 13800138000 ')).toEqual({ phone: '13800138000' })
    expect(readKeyword('2611210000000042')).toEqual({ number: '2611210000000042' })
    expect(readKeyword('SD100001')).toEqual({ vehicleNumber: 'SD100001' })
    expect(readKeyword('  ')).toEqual({})
    for (const word of ['13800138000', '2611210000000042', 'SD100001', ''])
      expect(keywordOf(readKeyword(word))).toBe(word)
  })

  it('finds a number that was pasted with invisible characters in it', () => {
    expect(readKeyword('\u200b2611210000000042\ufeff')).toEqual({ number: '2611210000000042' })
    expect(readKeyword('\u200bSD100001')).toEqual({ vehicleNumber: 'SD100001' })
  })
})
