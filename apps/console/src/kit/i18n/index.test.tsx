import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setLanguage, t } from './index.ts'

describe('English', () => {
  beforeAll(() => setLanguage('en'))
  afterAll(() => setLanguage('zh'))

  it('chooses the form of the noun by the number', () => {
    expect(t('{{count}} 辆', { count: 1 })).toBe('1 vehicle')
    expect(t('{{count}} 辆', { count: 2 })).toBe('2 vehicles')
    expect(t('{{count}} 次', { count: 1 })).toBe('1 time')
  })

  it('chooses the form of each noun where a sentence has several numbers', () => {
    const ride = (minutes: number) => t('每次前 {{minutes}} 分钟免费', { minutes })
    expect(ride(1)).toBe('First 1 minute of each ride free')
    expect(ride(30)).toBe('First 30 minutes of each ride free')
  })

  it('tells senses of one Chinese word apart', () => {
    expect(t('断电')).toBe('Power off')
    expect(t('断电', { context: 'alarm' })).toBe('Power lost')
    expect(t('低电量', { context: 'alarm' })).toBe('Low battery')
  })

  it('leaves out the counters that only Chinese needs', () => {
    expect(t('辆')).toBe('')
  })
})

describe('Chinese', () => {
  it('is the sentence itself, whatever the context or the number', () => {
    expect(t('断电', { context: 'alarm' })).toBe('断电')
    expect(t('{{count}} 辆', { count: 1 })).toBe('1 辆')
    expect(t('{{count}} 辆', { count: 2_000 })).toBe('2,000 辆')
    expect(t('辆')).toBe('辆')
  })
})
