import { expect, test } from 'vitest'
import { isWebAddress, paymentPasswordCalls } from './payment.ts'

test('the links need status 2 and a level', () => {
  expect(paymentPasswordCalls(null)).toBeNull()
  expect(paymentPasswordCalls({ status: 1, accountLevel: 1, accountType: 'person' })).toBeNull()
  expect(paymentPasswordCalls({ status: 2, accountLevel: null, accountType: 'person' })).toBeNull()
  expect(paymentPasswordCalls({ status: 2, accountLevel: 0, accountType: 'person' })).not.toBeNull()
})

test('a company uses the B variants', () => {
  expect(paymentPasswordCalls({ status: 2, accountLevel: 1, accountType: 'person' })).toEqual({
    modify: 'PWDMODIFY',
    reset: 'PWDFORGET',
  })
  expect(paymentPasswordCalls({ status: 2, accountLevel: 1, accountType: 'company' })).toEqual({
    modify: 'B_PWDMODIFY',
    reset: 'B_PWDFORGET',
  })
})

test('only web addresses are opened', () => {
  expect(isWebAddress('https://pay.example.com/x')).toBe(true)
  expect(isWebAddress('javascript:alert(1)')).toBe(false)
  expect(isWebAddress('nonsense')).toBe(false)
})
