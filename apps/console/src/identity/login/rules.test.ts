import { describe, expect, test } from 'vitest'
import { codeFault, phoneFault, phoneFaultForSending, secondsLeft, typeCode } from './rules.ts'

describe('phone', () => {
  test.each(['13000000000', '19999999999', '13800138000'])('%s is one', (phone) => {
    expect(phoneFault(phone)).toBeNull()
    expect(phoneFaultForSending(phone)).toBeNull()
  })
  test.each(['', '1380013800', '12800138000', '1380013800a', '138001380000', '23800138000'])('%j is none', (phone) =>
    expect(phoneFault(phone)).toBe('手机号码格式不正确'),
  )
  test('for a code, emptiness and wrong length have their own text', () => {
    expect(phoneFaultForSending('')).toBe('无效手机号')
    expect(phoneFaultForSending('1380013800')).toBe('无效手机号')
    expect(phoneFaultForSending('12800138000')).toBe('手机号码格式不正确')
  })
})

describe('code', () => {
  test('exactly six digits', () => {
    expect(codeFault('000000')).toBeNull()
    for (const wrong of ['', '12345', '1234567', '12345a', '１２３４５６']) expect(codeFault(wrong)).toBe('无效验证码')
  })
  test('anything but digits clears the field', () => {
    expect(typeCode('123')).toEqual({ value: '123', fault: null })
    expect(typeCode('')).toEqual({ value: '', fault: null })
    expect(typeCode('12a')).toEqual({ value: '', fault: '请输入数字' })
    expect(typeCode('１')).toEqual({ value: '', fault: '请输入数字' })
  })
})

test('the countdown goes by the clock and never below zero', () => {
  expect(secondsLeft(null, 0)).toBe(0)
  expect(secondsLeft(60_000, 0)).toBe(60)
  expect(secondsLeft(60_000, 1)).toBe(60)
  expect(secondsLeft(60_000, 1_000)).toBe(59)
  expect(secondsLeft(60_000, 90_000)).toBe(0)
})
