// `npm test`: set-up, then every test; arguments go to vitest. The very last line is a count that a machine can read.
// With --long only the tests that take their counts from lib/thorough.mjs run, with the counts of the longer checks; with --full
// with those that are run by hand. Paths choose others.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { chromiumAdvice, findOrInstallChromium } from './lib/chromium.mjs'
import { NODE, projectEnvironment, ROOT } from './lib/node24.mjs'
import { install, orOneLine, setUp } from './lib/setup.mjs'
import { countsOf, failureLines, filesToRepeat, joinRuns, runOf } from './lib/testRuns.mjs'
import { ERRORS_VARIABLE } from './lib/unhandledErrors.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const RESULT_FILE = join(ROOT, '.cache', `vitest-${process.pid}.json`)
const ERRORS_FILE = join(ROOT, '.cache', `vitest-${process.pid}-errors.json`)
const LONG_VARIABLE = 'SADDLE_LONG'
const SHOWN_SLOW = 20
const THOROUGH = 'lib/thorough.mjs'

/** Runs vitest and returns its exit code, whether a signal ended it and, unless it ended without results, its run. */
async function runVitest(args, env) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const unhandledErrors = join(ROOT, 'scripts', 'lib', 'unhandledErrors.mjs')
  const reporters = ['default', 'json', unhandledErrors].map((name) => `--reporter=${name}`)
  const child = spawn(NODE, [vitest, 'run', ...reporters, `--outputFile.json=${RESULT_FILE}`, ...args], {
    cwd: ROOT,
    env: { ...env, [ERRORS_VARIABLE]: ERRORS_FILE },
    stdio: 'inherit',
  })
  let isStopped = false
  const kill = (signal) => {
    isStopped = true
    child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, kill)
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`vitest cannot be run: ${error.message}`)
      resolve(1)
    })
    child.once('exit', (status) => resolve(status ?? 1))
  })
  for (const signal of SIGNALS) process.off(signal, kill)
  const json = takeJson(RESULT_FILE)
  const errors = takeJson(ERRORS_FILE) ?? []
  return { code, isStopped, run: json === null ? null : runOf(json, errors, (name) => relative(ROOT, name)) }
}

function takeJson(file) {
  if (!existsSync(file)) return null
  const value = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return value
}

/** The files that took longest, with their seconds: what to look at when a run takes too long. */
function slowest({ files }) {
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SHOWN_SLOW)
    .map(({ path, seconds }) => `slow: ${seconds.toFixed(0)} s ${path}`)
}

/**
 * Runs the tests. Of a run of everything (`repeats`), files that failed run once more by themselves: see decision 0111. Prints
 * the failures and the count, which is the very last line, and returns the exit code.
 */
async function runTests(args, env, repeats) {
  const { code, isStopped, run: first } = await runVitest(args, env)
  if (first === null) {
    console.log('vitest: 0 passed, 1 failed')
    return code === 0 ? 1 : code
  }
  const repeated = repeats && !isStopped ? filesToRepeat(first) : []
  const run = repeated.length === 0 ? first : joinRuns(first, await runAlone(repeated, env))
  for (const line of slowest(first)) console.log(line)
  const failures = failureLines(run)
  for (const line of failureLines(first)) if (!failures.includes(line)) console.log(`unsteady: ${line}`)
  for (const line of failures) console.log(`failed: ${line}`)
  const { passed, failed, skipped } = countsOf(run)
  // Vitest may also fail for reasons of its own.
  const shown = failed === 0 && code !== 0 && repeated.length === 0 ? 1 : failed
  console.log(`vitest: ${passed} passed, ${shown} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return shown > 0 ? 1 : 0
}

/** What some files bring when nothing runs beside them. */
async function runAlone(paths, env) {
  console.log(`Failed, and run once more by ${paths.length === 1 ? 'itself' : 'themselves'}: ${paths.join(', ')}`)
  const { run } = await runVitest(['--no-file-parallelism', ...paths], env)
  return run ?? { files: [], stray: ['vitest ended without results'] }
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
  process.exitCode = await runTests([...files, ...args], env, args.length === 0)
})
