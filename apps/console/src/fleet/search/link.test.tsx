import { expect, test } from 'vitest'
import { readQuestion } from '#kit/list/question.ts'
import { listLink, vehicleLink } from './link.ts'
import { vehicleQuery } from './lists.ts'

const read = (link: string) => readQuestion(vehicleQuery, new URLSearchParams(link.split('?')[1]))

test('a figure leads to the list behind it', () => {
  const filter = { states: ['available' as const], batteryTo: 19, alarms: [] }
  expect(read(listLink(filter)).conditions).toEqual(filter)
  expect(listLink({})).toBe('/vehicle/vehicle-query?')
})

test('an address keeps conditions and order, and an old one opens with everything', () => {
  expect(read('?filter={"online":false}&sort=battery.desc')).toEqual({
    conditions: { online: false },
    sort: { by: 'battery', direction: 'desc' },
  })
  for (const text of ['{', '{"states":["flying"]}', '{"unknown":1}', '[]']) {
    expect(read(`?${new URLSearchParams({ filter: text, sort: 'price.up' }).toString()}`)).toEqual({
      conditions: {},
      sort: { by: 'number', direction: 'asc' },
    })
  }
})

test('the page of a vehicle knows which list it was opened from', () => {
  expect(vehicleLink({ number: 'SD100001' })).toBe('/vehicle-info?vehicle=SD100001')
  expect(vehicleLink({ number: 'SD100001' }, 'screening')).toBe('/vehicle-info?vehicle=SD100001&from=screening')
})
