// `npm run test:isolation`: set-up, then only the tests that try to read other tenants' data. The last line says what
// was tried and what leaked, for people and machines.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { NODE, projectEnvironment, ROOT } from './lib/node24.mjs'
import { orOneLine, setUp } from './lib/setup.mjs'

/** Each test file writes its counts here. */
const TALLIES = join(ROOT, '.cache', 'isolation')
const TESTS = 'apps/server/test/isolation'

await orOneLine(() => {
  setUp()
  rmSync(TALLIES, { recursive: true, force: true })
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const { status } = spawnSync(
    NODE,
    [vitest, 'run', '--project', 'server', '--project', 'mutants', TESTS, ...process.argv.slice(2)],
    {
      cwd: ROOT,
      env: projectEnvironment(),
      stdio: 'inherit',
    },
  )
  const tallies = existsSync(TALLIES)
    ? readdirSync(TALLIES).map((file) => JSON.parse(readFileSync(join(TALLIES, file), 'utf8')))
    : []
  const sum = (name) => tallies.reduce((total, tally) => total + tally[name], 0)
  console.log(`isolation: ${sum('cases')} cases, ${sum('leaks')} leaks`)
  process.exitCode = status === 0 && sum('cases') > 0 && sum('leaks') === 0 ? 0 : 1
})
