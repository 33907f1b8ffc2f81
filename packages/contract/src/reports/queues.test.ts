import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isSealed } from '#contract/endpoint.ts'
import { menuRow } from '#contract/menu.ts'
import { queues, type Queue } from './queues.ts'

describe('what waits for a person', () => {
  it.each(queues.map((queue: Queue) => [queue.title, queue] as const))('%s is a list that a page shows', (_, queue) => {
    const { call, filter, path } = queue
    expect(menuRow(path)?.permission).not.toBeNull()
    expect(isSealed(call)).toBe(true)
    // Also that the conditions are known: every list refuses others.
    expect(z.parse(call.input, { filter, pageSize: 1 })).toMatchObject({ filter, pageSize: 1 })
  })

  it('is named once', () => {
    expect(new Set(queues.map(({ title }) => title)).size).toBe(queues.length)
  })
})
