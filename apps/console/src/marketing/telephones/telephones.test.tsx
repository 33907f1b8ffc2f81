import { expect, it } from 'vitest'
import { clockText, minuteOfClock, spanText } from './telephoneFields.tsx'
import { holidaysOf } from './TelephonesPage.tsx'

it('hours are read and written as people do', () => {
  expect([clockText(540), clockText(1_440), minuteOfClock('9:05'), minuteOfClock('24:00')]).toEqual([
    '09:00',
    '24:00',
    545,
    1_440,
  ])
  expect([minuteOfClock('9'), minuteOfClock('24:01'), minuteOfClock('12:60')]).toEqual([null, null, null])
  expect(spanText({ weekdays: [1, 2, 3, 4, 5, 6, 7], from: 1_320, to: 360 })).toBe('每天 22:00–次日 06:00')
  expect(spanText({ weekdays: [1, 5], from: 540, to: 1_080 })).toBe('周一、周五 09:00–18:00')
})

it('holidays are a date and a name on each line', () => {
  expect(holidaysOf('2027-02-06 春节\n\n 2027-01-01  元旦')).toEqual({
    value: [
      { day: '2027-02-06', name: '春节' },
      { day: '2027-01-01', name: '元旦' },
    ],
  })
  expect(holidaysOf('2027-02-06')).toEqual({ fault: '“2027-02-06”应为日期加名称，如 2027-02-06 春节' })
})
