import { expect, it } from 'vitest'
import { defaultAgentId } from '@saddle/contract/constants.ts'
import { feedbackStates, type FeedbackState } from '@saddle/contract/support/feedback.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { actsOf, dueAfter, dueAfterPause, dueByPriority, feedbackNumber, readFeedbackNumber } from './rules.ts'

const now = Date.UTC(2026, 5, 1, 4)
const all = new Set(['1801', '1802'])
const author = { operatorId: 7, agentId: 3, permissions: new Set(['1802']) }
const colleague = { operatorId: 8, agentId: 3, permissions: all }
const parent = { operatorId: 9, agentId: 4, permissions: all }
const platform = { operatorId: 1, agentId: defaultAgentId, permissions: all }
const ticket = (state: FeedbackState) => ({
  state,
  agentId: 3,
  authorId: 7,
  rating: null,
  resolvedAt: state === 'resolved' || state === 'closed' ? now - hourMs : null,
  changedAt: now - hourMs,
})

it('lets the company say and withdraw, its author rate, and the platform do the rest', () => {
  expect(actsOf(ticket('open'), author, now)).toEqual(['say', 'close'])
  expect(actsOf(ticket('open'), colleague, now)).toEqual(['say', 'close'])
  expect(actsOf(ticket('resolved'), author, now)).toEqual(['reopen', 'rate'])
  expect(actsOf(ticket('resolved'), colleague, now)).toEqual(['reopen'])
  expect(actsOf(ticket('waiting'), platform, now)).not.toContain('ask')
  for (const state of feedbackStates) {
    expect(actsOf(ticket(state), parent, now)).toEqual([])
    expect(actsOf(ticket(state), platform, now)).toContain('note')
    expect(actsOf(ticket(state), author, now)).not.toContain('note')
  }
})

it('lets nobody reopen what was closed long ago, nor rate what was rated or withdrawn', () => {
  const closed = ticket('closed')
  expect(actsOf(closed, author, now)).toEqual(['reopen', 'rate'])
  expect(actsOf({ ...closed, changedAt: now - 31 * dayMs }, author, now)).toEqual(['rate'])
  expect(actsOf({ ...closed, rating: 4 }, author, now)).toEqual(['reopen'])
  expect(actsOf({ ...closed, resolvedAt: null }, author, now)).toEqual(['reopen'])
})

it('gives a ticket its time by priority, without the time in which its author was asked', () => {
  const due = dueAfter('normal', now)
  expect(due).toBe(now + dayMs)
  expect(dueByPriority(due, 'normal', 'urgent')).toBe(dueAfter('urgent', now))
  expect(dueAfterPause(due, now + hourMs, now + 3 * hourMs)).toBe(due + 2 * hourMs)
})

it('names a ticket by day and id', () => {
  const number = feedbackNumber({ id: 1001, openedAt: now })
  expect(number).toBe('FK26060100001001')
  const read = readFeedbackNumber(number)
  expect(read?.id).toBe(1001)
  expect((read?.from ?? 0) <= now && now < (read?.to ?? 0)).toBe(true)
  expect(readFeedbackNumber('FK26999900001001')).toBeNull()
})
