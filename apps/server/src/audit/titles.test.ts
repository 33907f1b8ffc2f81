import { feedbackActs } from '@saddle/contract/support/feedback.ts'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { adSteps } from '@saddle/contract/marketing/ads.ts'
import { objectionActs } from '@saddle/contract/finance/objections.ts'
import { campaignActs } from '@saddle/contract/marketing/campaigns.ts'
import { auditActionTitles } from '@saddle/contract/audit/actions.ts'
import { auditSubjectTitles } from '@saddle/contract/audit/subjects.ts'
import { commandKinds } from '@saddle/contract/fleet/commands.ts'
import { taskSteps } from '@saddle/contract/operations/taskWords.ts'
import { enabledStates } from '@saddle/contract/organisation/roles.ts'
import { reviewDecisions } from '@saddle/contract/riding/returns.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const lines = globSync('{src,demo}/**/*.ts', { cwd: root })
  .filter((path) => !/\.(test|fixture)\.ts$|db\/types\.ts$/.test(path))
  .flatMap((path) =>
    readFileSync(`${root}${path}`, 'utf8')
      .split('\n')
      .map((text) => ({ path, text })),
  )

/** What stands in the place of the gap of a template: `vehicle.${order.kind}`. */
const gaps: Readonly<Record<string, readonly string[]>> = {
  'order.kind': commandKinds,
  state: enabledStates,
  'next.state': enabledStates,
  decision: reviewDecisions,
  'money_action.state': ['rejected', 'withdrawn'],
  'invoice.action': ['issue', 'refuse', 'restore', 'flush', 'reveal'],
  'ticket.action': ['open', 'assign', 'start', 'reply', 'note', 'find', 'close', 'reopen'],
  'feedback.step.act': ['open', ...feedbackActs],
  'objection.act': ['submit', ...objectionActs],
  'withdrawal.end': ['paid', 'returned', 'reversed', 'conflict'],
  'withdrawal.change': ['terms', 'allow', 'stop'],
  'act.state': ['submitted', 'withdrawn', 'approved', 'rejected'],
  'ad.step': adSteps,
  'campaign.act': campaignActs,
  'activity.step': ['start', 'pause', 'resume', 'end'],
  'channel_difference.action': ['propose', 'confirm', 'reject'],
  'act.action': [...taskSteps, 'changed', 'reopened'],
}

function actionsOf(text: string): string[] {
  // Said by its name, or handed to a function that writes the line; a column of that name is no action.
  if (!/\baction\b|\b(?:step|write)\(/.test(text) || text.includes("'line.action'")) return []
  const plain = [...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action ?? '')
  const made = [...text.matchAll(/`([a-z_]+\.[a-z_]*)\$\{([\w.]+)\}`/g)].flatMap(([, start = '', gap = '']) => {
    const values = gaps[`${start}${gap}`] ?? gaps[gap]
    if (values === undefined) throw new Error(`what can \${${gap}} be in an action? ${text.trim()}`)
    return values.map((value) => start + value)
  })
  return [...plain, ...made]
}

const written = lines.flatMap(({ path, text }) => actionsOf(text).map((action) => ({ path, action })))

it('has words for every action that the server writes', () => {
  expect(written.length).toBeGreaterThan(50)
  expect(written.filter(({ action }) => !Object.hasOwn(auditActionTitles, action))).toEqual([])
})

it('has words for every kind of thing', () => {
  const kinds = lines.flatMap(({ path, text }) =>
    [...text.matchAll(/subjectKind: '([a-z_]+)'/g)].map(([, kind]) => ({ path, kind: kind ?? '' })),
  )
  expect(kinds.length).toBeGreaterThan(30)
  expect(kinds.filter(({ kind }) => !Object.hasOwn(auditSubjectTitles, kind))).toEqual([])
})

it('has no words for what nobody writes', () => {
  const refusals = ['foreign_scope', 'forbidden']
  const known = new Set([...written.map(({ action }) => action), ...refusals])
  expect(Object.keys(auditActionTitles).filter((action) => !known.has(action))).toEqual([])
})
