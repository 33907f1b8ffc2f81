import { describe, expect, it } from 'vitest'
import { readLink, writeLink } from './link.ts'

const read = (text: string) => readLink(new URLSearchParams(text))

describe('link of the map', () => {
  it('reads vehicle, view and filter', () => {
    expect(read('vehicle=SD100001&view=120.7,31.3,14&show=on_trip,available&flag=low')).toEqual({
      vehicle: 'SD100001',
      view: { lng: 120.7, lat: 31.3, zoom: 14 },
      filter: { states: ['available', 'on_trip'], flag: 'low', alarms: [] },
    })
  })

  it('leaves out what makes no sense', () => {
    expect(read('vehicle=%3Cb%3E&view=here&show=flying&flag=blue')).toEqual({
      vehicle: null,
      view: null,
      filter: { states: [], flag: null, alarms: [] },
    })
  })

  it('changes only what it is told to and keeps the rest', () => {
    const before = new URLSearchParams('vehicle=SD100001&other=1&show=available')
    expect(writeLink(before, { vehicle: null }).toString()).toBe('other=1&show=available')
    const view = { lng: 120.123456, lat: 31.3, zoom: 13.456 }
    expect(writeLink(before, { view }).get('view')).toBe('120.12346,31.3,13.46')
    expect(writeLink(before, { filter: { states: [], flag: 'alarm', alarms: [] } }).toString()).toBe(
      'vehicle=SD100001&other=1&flag=alarm',
    )
    expect(before.get('vehicle')).toBe('SD100001')
  })

  it('reads what it wrote', () => {
    const link = {
      vehicle: 'SD1',
      view: { lng: 120.5, lat: 31.25, zoom: 12 },
      filter: { states: ['missing'], flag: 'alarm', alarms: [] },
    } as const
    expect(readLink(writeLink(new URLSearchParams(), link))).toEqual(link)
  })
})
