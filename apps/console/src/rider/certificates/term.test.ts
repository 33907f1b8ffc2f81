import { expect, it } from 'vitest'
import { schoolYearEnd } from './term.ts'

it('a certificate holds to the end of its school year', () => {
  expect(schoolYearEnd('2026-11-21')).toBe('2027-08-31')
  expect(schoolYearEnd('2026-07-31')).toBe('2026-08-31')
  expect(schoolYearEnd('2026-08-01')).toBe('2027-08-31')
})
