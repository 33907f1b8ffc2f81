import { describe, expect, it } from 'vitest'
import { isAnswered, isTelephoneNumber, linesAt, linesOfArea, telephoneSpanSchema, weekOf } from './telephones.ts'

/** Monday 23 November 2026, by business time. */
const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 10, 22 + day, hour - 8, minute)
const workdays = [1, 2, 3, 4, 5]
const line = (part: object = {}) => ({
  id: 1,
  areaIds: [] as number[],
  spans: [{ weekdays: workdays, from: 9 * 60, to: 18 * 60 }],
  isClosedOnHolidays: false,
  priority: 5,
  state: 'on' as const,
  ...part,
})
const holidays: ReadonlySet<string> = new Set(['2026-11-24'])

describe('a number', () => {
  it.each(['13912345678', '010-61234567', '0755-86123456', '4001234567', '400-123-4567', '95588', '10086', '12345'])(
    '%s can be called in China',
    (number) => expect(isTelephoneNumber(number)).toBe(true),
  )
  it.each([
    '',
    '1391234567',
    '12912345678',
    '86123456',
    '010-1234567890',
    '+8613912345678',
    '400-12-34567',
    '0755 86123456',
    '95',
  ])('“%s” cannot', (number) => expect(isTelephoneNumber(number)).toBe(false))
})

describe('the hours of a line', () => {
  it('hold from the first minute to before the last, on their days', () => {
    expect(isAnswered(line(), { at: at(1, 9), holidays })).toBe(true)
    expect(isAnswered(line(), { at: at(1, 8, 59), holidays })).toBe(false)
    expect(isAnswered(line(), { at: at(1, 17, 59), holidays })).toBe(true)
    expect(isAnswered(line(), { at: at(1, 18), holidays })).toBe(false)
    expect(isAnswered(line(), { at: at(6, 12), holidays }), 'Saturday').toBe(false)
  })

  it('go on beyond midnight, and belong to the day on which they began', () => {
    const night = line({ spans: [{ weekdays: [7], from: 22 * 60, to: 6 * 60 }] })
    expect(isAnswered(night, { at: at(7, 23), holidays })).toBe(true)
    expect(isAnswered(night, { at: at(8, 5), holidays }), 'Monday morning').toBe(true)
    expect(isAnswered(night, { at: at(8, 6), holidays })).toBe(false)
    expect(isAnswered(night, { at: at(8, 23), holidays }), 'Monday night').toBe(false)
    const whole = line({ spans: [{ weekdays: [1], from: 0, to: 1_440 }] })
    expect([0, 12, 23].map((hour) => isAnswered(whole, { at: at(1, hour), holidays }))).toEqual([true, true, true])
    expect(isAnswered(whole, { at: at(2, 0), holidays })).toBe(false)
  })

  it('end on holidays where the line says so', () => {
    expect(isAnswered(line({ isClosedOnHolidays: true }), { at: at(2, 12), holidays })).toBe(false)
    expect(isAnswered(line(), { at: at(2, 12), holidays })).toBe(true)
    const night = line({ isClosedOnHolidays: true, spans: [{ weekdays: [1], from: 1_320, to: 360 }] })
    expect(isAnswered(night, { at: at(2, 1), holidays }), 'the night before the holiday goes on').toBe(true)
  })

  it('cannot be of no length', () => {
    expect(telephoneSpanSchema.safeParse({ weekdays: [1], from: 60, to: 60 }).success).toBe(false)
  })
})

describe('what riders of an area see', () => {
  const own = line({ id: 2, areaIds: [31] })
  const urgent = line({ id: 3, priority: 1, spans: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 1_440 }] })
  const other = line({ id: 4, areaIds: [32] })
  const off = line({ id: 5, state: 'off' })

  it('goes by priority, and the area’s own line comes before one of all areas', () => {
    const ids = (areaId: number | null) => linesOfArea([line(), own, other, off], areaId).map(({ id }) => id)
    expect(ids(31)).toEqual([2, 1])
    expect(ids(null)).toEqual([1])
    expect(linesAt([line(), own, urgent], { areaId: 31, at: at(1, 12), holidays }).open.map(({ id }) => id)).toEqual([
      3, 2, 1,
    ])
  })

  it('tells when somebody answers next', () => {
    expect(linesAt([line()], { areaId: 31, at: at(5, 20), holidays })).toEqual({ open: [], nextAt: at(8, 9) })
    expect(linesAt([line()], { areaId: 31, at: at(1, 12), holidays }).nextAt).toBeNull()
    expect(linesAt([other], { areaId: 31, at: at(1, 12), holidays })).toEqual({ open: [], nextAt: null })
  })
})

describe('the week of an area', () => {
  it('is covered, uncovered or covered twice, in stretches of a day at most', () => {
    const late = line({ id: 2, spans: [{ weekdays: [1], from: 17 * 60, to: 2 * 60 }] })
    const week = weekOf([line(), late], 31)
    expect(week[0]).toEqual({ from: 0, to: 540, lineIds: [] })
    expect(week.filter(({ lineIds }) => lineIds.length > 1)).toEqual([{ from: 1_020, to: 1_080, lineIds: [1, 2] }])
    expect(
      week.find(({ from }) => from === 1_440),
      'after midnight',
    ).toEqual({ from: 1_440, to: 1_560, lineIds: [2] })
    expect(week.at(-1)?.to).toBe(7 * 1_440)
    const sum = week.reduce((total, { from, to }) => total + to - from, 0)
    expect(sum).toBe(7 * 1_440)
  })

  it('goes around from Sunday night to Monday morning', () => {
    const week = weekOf([line({ spans: [{ weekdays: [7], from: 1_380, to: 60 }] })], null)
    expect(week.filter(({ lineIds }) => lineIds.length > 0)).toEqual([
      { from: 0, to: 60, lineIds: [1] },
      { from: 6 * 1_440 + 1_380, to: 7 * 1_440, lineIds: [1] },
    ])
  })
})
