import { expect, test } from 'vitest'
import { countsOf, failureLines, filesToRepeat, joinRuns, REPEATED_FILES, runOf } from './testRuns.mjs'

const passes = (fullName) => ({ fullName, status: 'passed' })
const fails = (fullName, message = 'AssertionError: no') => ({
  fullName,
  status: 'failed',
  failureMessages: [`${message}\n    at here`],
})
const file = (name, assertionResults, more = {}) => ({
  name: `/root/${name}`,
  status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  message: '',
  startTime: 1000,
  endTime: 3500,
  assertionResults,
  ...more,
})
const run = (testResults, errors = []) => runOf({ testResults }, errors, (name) => name.replace('/root/', ''))
const twoFailed = (count) =>
  run(Array.from({ length: count }, (_, index) => file(`${index}.test.ts`, [passes('a'), fails('b')])))

test('a run counts its tests, skipped ones and files that could not be loaded', () => {
  const mixed = run([
    file('a.test.ts', [passes('one'), fails('two'), { fullName: 'three', status: 'pending' }]),
    file('b.test.ts', [], { status: 'failed', message: 'SyntaxError: what\nmore' }),
  ])
  expect(countsOf(mixed)).toEqual({ passed: 1, failed: 2, skipped: 1 })
  expect(failureLines(mixed)).toEqual(['a.test.ts > two: AssertionError: no', 'b.test.ts: SyntaxError: what'])
  expect(mixed.files[0].seconds).toBe(2.5)
})

test('an error outside of any test fails the file that was running, or the run', () => {
  const found = run(
    [file('a.test.ts', [passes('one')])],
    [
      { path: '/root/a.test.ts', message: 'Error: late' },
      { path: null, message: 'Error: from nowhere' },
    ],
  )
  expect(countsOf(found)).toEqual({ passed: 1, failed: 2, skipped: 0 })
  expect(failureLines(found)).toEqual([
    'a.test.ts: outside of any test: Error: late',
    'outside of any test: Error: from nowhere',
  ])
  expect(filesToRepeat(found)).toEqual([])
})

test('failed files are run once more, unless many failed', () => {
  expect(filesToRepeat(run([file('a.test.ts', [passes('one')])]))).toEqual([])
  expect(filesToRepeat(twoFailed(REPEATED_FILES))).toHaveLength(REPEATED_FILES)
  expect(filesToRepeat(twoFailed(REPEATED_FILES + 1))).toEqual([])
})

test('what a file brings by itself counts: a test that fails again stays failed', () => {
  const first = twoFailed(2)
  const repeated = run([
    file('0.test.ts', [passes('a'), passes('b')]),
    file('1.test.ts', [passes('a'), fails('b', 'Error: still')]),
  ])
  const joined = joinRuns(first, repeated)
  expect(countsOf(joined)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  expect(failureLines(joined)).toEqual(['1.test.ts > b: Error: still'])
})

test('a file that is not there when it is run once more stays failed, and new errors fail the run', () => {
  const joined = joinRuns(twoFailed(1), run([], [{ path: null, message: 'Error: new' }]))
  expect(countsOf(joined)).toEqual({ passed: 1, failed: 2, skipped: 0 })
})
