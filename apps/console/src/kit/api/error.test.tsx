import { afterEach, expect, test } from 'vitest'
import { setLanguage } from '#kit/i18n/index.ts'
import { ApiError, wordsOf } from './error.ts'

afterEach(() => setLanguage('zh'))

const badRequest = new ApiError({ code: 'bad_request', status: 400, promot: '提交的内容有误：city 过长' })

test('a failure speaks the server’s Chinese, or its own text when the server had none', () => {
  expect(wordsOf(badRequest)).toBe('提交的内容有误：city 过长')
  expect(wordsOf(new ApiError({ code: 'network', status: 0 }))).toBe('网络出现问题，请稍后再试')
})

test('in English the words change and the value stays', async () => {
  await setLanguage('en')
  expect(wordsOf(badRequest)).toBe('The submitted data is invalid: city 过长')
  expect(wordsOf(new ApiError({ code: 'phone_invalid', status: 400 }))).toBe('Invalid phone number')
  expect(wordsOf(new ApiError({ code: 'bad_request', status: 400, promot: '别的话' }))).toBe('别的话')
})
