import { expect, test } from 'vitest'
import { silentLog } from '#kit/log.ts'
import { createBackground } from './background.ts'

test('runs jobs without being waited for, survives their errors and can be waited for', async () => {
  const background = createBackground({ log: silentLog })
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  expect(background.run('slow', () => gate.promise.then(() => void done.push('slow')))).toBe(true)
  expect(background.run('failing', () => Promise.reject(new Error('no')))).toBe(true)
  expect(done).toEqual([])
  gate.resolve()
  await background.idle()
  expect(done).toEqual(['slow'])
})

test('takes no more than its bound', async () => {
  const background = createBackground({ log: silentLog })
  const gate = Promise.withResolvers<void>()
  const taken = Array.from({ length: 501 }, () => background.run('job', () => gate.promise))
  expect(taken.filter(Boolean)).toHaveLength(500)
  gate.resolve()
  await background.idle()
  expect(background.run('job', async () => {})).toBe(true)
})
