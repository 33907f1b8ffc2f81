import { AppError } from '@saddle/contract/errors.ts'
import { expect, it } from 'vitest'
import { languageOf, refusalText } from './language.ts'

it.each([
  [undefined, 'zh'],
  ['', 'zh'],
  ['en', 'en'],
  ['en-GB,en;q=0.9', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['zh;q=0.3, en-US;q=0.7', 'en'],
  ['fr, en;q=0', 'zh'],
  ['EN;q=banana', 'en'],
  ['english', 'zh'],
  [`${'x'.repeat(600)},en`, 'zh'],
])('%s asks for %s', (header, language) => {
  expect(languageOf(header)).toBe(language)
})

it('says a refusal in English with its values', () => {
  const error = new AppError('task_other_vehicle', { values: { number: 'SD100001' } })
  expect(refusalText(error, 'zh')).toBe('扫到的 SD100001 不是任务的车辆')
  expect(refusalText(error, 'en')).toContain('SD100001')
  expect(refusalText(error, 'en')).not.toMatch(/\p{Script=Han}/u)
  const detailed = new AppError('bad_request', { values: { detail: '格式不正确' } })
  expect(refusalText(detailed, 'en')).not.toContain('提交')
})
