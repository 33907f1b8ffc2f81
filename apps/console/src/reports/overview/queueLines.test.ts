import { expect, test } from 'vitest'
import { queuePath, queuesOf } from './queueLines.ts'

const titlesOf = (codes: readonly string[], wants = true): readonly string[] =>
  queuesOf(new Set(['all', ...codes]), () => wants).map(({ title }) => title)

test('people are told of the lists that they may open', () => {
  expect(titlesOf([])).toEqual(['可以下载的导出文件'])
  const ofWorker = ['我的任务', '超时的任务', '待领取的任务', '可以下载的导出文件']
  expect(titlesOf(['09', '0909'])).toEqual(ofWorker)
  expect(titlesOf(['09', '0909', '090901'])).toContain('待处理的现场反馈')
  expect(titlesOf(['09', '0909', '090902'])).toContain('待审核的任务')
  expect(titlesOf(['07', '20'])).toContain('待开的发票')
})

test('and not of what they do not want to be told of', () => {
  expect(titlesOf(['09', '0909', '090902'], false)).not.toContain('待审核的任务')
})

test('a queue opens its page with its conditions', () => {
  const [, late] = queuesOf(new Set(['all', '09', '0909']), () => true)
  expect(late && queuePath(late)).toBe(`/data/operation-tasks?filter=${encodeURIComponent('{"overdue":true}')}`)
})
