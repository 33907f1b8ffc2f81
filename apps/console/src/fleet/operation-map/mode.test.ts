import { describe, expect, it } from 'vitest'
import { everything } from './filter.ts'
import { liveFilterOf, narrowings, readMode, writeMode } from './mode.ts'

describe('what else the map shows', () => {
  it('is kept in the address and read again', () => {
    const mode = {
      fences: true,
      heat: 'demand',
      batteryTo: 30,
      idleHours: 12,
      areaIds: [31, 32],
      models: ['SD-E2'],
      at: 1_795_000_000_000,
    } as const
    const params = writeMode(new URLSearchParams('view=1,2,3'), mode)
    expect(readMode(params)).toEqual(mode)
    expect(params.get('view')).toBe('1,2,3')
    expect(narrowings(mode)).toBe(4)
    expect(writeMode(params, { ...readMode(new URLSearchParams()) }).toString()).toBe('view=1%2C2%2C3')
  })

  it('leaves out what makes no sense', () => {
    const none = readMode(new URLSearchParams())
    expect(readMode(new URLSearchParams('layers=x&battery=101&idle=-1&area=a,b&at=soon'))).toEqual(none)
    expect(liveFilterOf(everything, none)).toBeUndefined()
  })

  it('goes to the server in its words', () => {
    const mode = { ...readMode(new URLSearchParams()), idleHours: 2, batteryTo: 0 }
    expect(liveFilterOf({ states: ['available'], flag: 'low', alarms: [] }, mode)).toEqual({
      states: ['available'],
      flag: 'low',
      batteryTo: 0,
      idleMinutes: 120,
    })
  })
})
