import { describe, expect, it } from 'vitest'
import { conditionCount, listLink, readFilter, readSort, tidy, writeQuestion } from './link.ts'

describe('a question in an address', () => {
  it('comes back as it was asked', () => {
    const filter = { states: ['available' as const], batteryTo: 20, alarms: [] }
    const params = writeQuestion(new URLSearchParams('tab=1'), { filter, sort: { by: 'battery', direction: 'desc' } })
    expect(readFilter(params)).toEqual(filter)
    expect(readSort(params)).toEqual({ by: 'battery', direction: 'desc' })
    expect(params.get('tab')).toBe('1')
  })

  it('leaves the address when it asks for nothing', () => {
    const params = writeQuestion(new URLSearchParams('filter={}&sort=battery.desc'), {
      filter: { keyword: '', models: [] },
      sort: { by: 'number', direction: 'asc' },
    })
    expect(params.toString()).toBe('')
    expect(conditionCount({ keyword: '', online: false })).toBe(1)
    expect(tidy({ tasks: [] })).toEqual({ tasks: [] })
  })

  it.each(['{', '{"states":["flying"]}', '{"unknown":1}', '[]'])('opens an old link %s with everything', (text) => {
    expect(readFilter(new URLSearchParams({ filter: text }))).toEqual({})
    expect(readSort(new URLSearchParams('sort=price.up'))).toEqual({ by: 'number', direction: 'asc' })
  })

  it('leads from a figure to its list', () => {
    const link = listLink({ batteryTo: 19 })
    expect(readFilter(new URLSearchParams(link.split('?')[1]))).toEqual({ batteryTo: 19 })
  })
})
