// `npm test`: set-up, then every test; arguments go to vitest. The very last line is a count that a machine can read.
// With --long only the tests that take their counts from lib/thorough.mjs run, with the counts of the longer checks; with --full
// with those that are run by hand. Paths choose others.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { chromiumAdvice, findOrInstallChromium } from './lib/chromium.mjs'
import { NODE, projectEnvironment, ROOT } from './lib/node24.mjs'
import { install, orOneLine, setUp } from './lib/setup.mjs'

const RESULT_FILE = join(ROOT, '.cache', `vitest-${process.pid}.json`)
const LONG_VARIABLE = 'SADDLE_LONG'
const SHOWN_SLOW = 20
const THOROUGH = 'lib/thorough.mjs'

function runVitest(args, env) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const unhandledErrors = join(ROOT, 'scripts', 'lib', 'unhandledErrors.mjs')
  const reporters = ['default', 'json', unhandledErrors].map((name) => `--reporter=${name}`)
  const child = spawn(NODE, [vitest, 'run', ...reporters, `--outputFile.json=${RESULT_FILE}`, ...args], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`vitest cannot be run: ${error.message}`)
      resolve(1)
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** The failures, one line each, at the end: long output is often cut off at its start. */
function failures(testResults) {
  return testResults.flatMap((file) => {
    const path = relative(ROOT, file.name)
    const tests = file.assertionResults.filter((test) => test.status === 'failed')
    if (tests.length === 0) return file.status === 'failed' ? [`${path}: ${firstLine(file.message)}`] : []
    return tests.map((test) => `${path} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`)
  })
}

function firstLine(message) {
  return (message ?? '').split('\n', 1)[0].slice(0, 300)
}

/** The files that took longest, with their seconds: what to look at when a run takes too long. */
function slowest(testResults) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ path: relative(ROOT, name), seconds: (endTime - startTime) / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SHOWN_SLOW)
    .map(({ path, seconds }) => `slow: ${seconds.toFixed(0)} s ${path}`)
}

/** Prints the last line and returns the exit code. A file that could not even be loaded counts as one failed test. */
function summarise(code) {
  if (!existsSync(RESULT_FILE)) {
    console.log('vitest: 0 passed, 1 failed')
    return code === 0 ? 1 : code
  }
  const result = JSON.parse(readFileSync(RESULT_FILE, 'utf8'))
  rmSync(RESULT_FILE)
  for (const line of slowest(result.testResults)) console.log(line)
  for (const line of failures(result.testResults)) console.log(`failed: ${line}`)
  const brokenFiles = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length
  const skipped = (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0)
  const failed = (result.numFailedTests ?? 0) + brokenFiles
  // An error outside of any test (an unhandled rejection) fails the run without failing a test.
  const shown = failed === 0 && code !== 0 ? 1 : failed
  console.log(
    `vitest: ${result.numPassedTests ?? 0} passed, ${shown} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  )
  return shown > 0 && code === 0 ? 1 : code
}

function longTests(folder = ROOT) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist', '.cache', '.git', 'data'].includes(entry.name) ? [] : longTests(path)
    return /\.test\.(ts|tsx|mjs)$/.test(entry.name) && readFileSync(path, 'utf8').includes(THOROUGH) ? [path] : []
  })
}

/** Tests that need neither a built console nor a browser. */
const WITHOUT_CONSOLE =
  /^(?:packages|scripts|bench|apps\/console|apps\/simulator)(?:\/|$)|^apps\/server\/src\/(?!app(?:\/|$))/

await orOneLine(async () => {
  const args = process.argv.slice(2).filter((argument) => argument !== '--long' && argument !== '--full')
  const isFull = process.argv.includes('--full')
  const isLong = isFull || process.argv.includes('--long')
  const paths = args.filter((argument) => existsSync(join(ROOT, argument)))
  const needsConsole = paths.length === 0 || paths.some((path) => !WITHOUT_CONSOLE.test(path))
  if (needsConsole) setUp()
  else install()
  const chromium = needsConsole ? findOrInstallChromium() : null
  if (needsConsole && chromium === null) console.error(chromiumAdvice())
  const env = projectEnvironment({
    ...(chromium === null ? {} : { CHROMIUM_PATH: chromium }),
    ...(isLong ? { [LONG_VARIABLE]: isFull ? 'full' : '1' } : {}),
  })
  const files = isLong && paths.length === 0 ? longTests() : []
  if (isLong && paths.length + files.length === 0) {
    console.log('vitest: 0 passed, 0 failed')
    return
  }
  process.exitCode = summarise(await runVitest([...files, ...args], env))
})
