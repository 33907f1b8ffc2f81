// `npm run check`: runs every check, prints one line per step, and shows the output of failed steps.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NODE, projectEnvironment, ROOT } from './lib/node24.mjs'
import { orOneLine, setUp } from './lib/setup.mjs'

const bin = (name) => join(ROOT, 'node_modules', '.bin', name)
const script = (name) => join(ROOT, 'scripts', name)

const STEPS = [
  { name: 'format', command: bin('oxfmt'), args: ['--check'] },
  { name: 'lint', command: bin('oxlint'), args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: bin('tsc'), args: ['-b'] },
  { name: 'dead code', command: bin('knip'), args: ['--no-progress'] },
  { name: 'tidy', command: NODE, args: [script('tidy.mjs')], needs: script('tidy.mjs') },
  { name: 'database types', command: NODE, args: [script('db-types.mjs'), '--verify'] },
]

function runStep({ name, command, args }) {
  const startedAt = performance.now()
  const result = spawnSync(command, args, {
    cwd: ROOT,
    env: projectEnvironment(),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)
  const isGood = result.status === 0
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`)
  if (!isGood) console.log(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`.trimEnd())
  return isGood
}

await orOneLine(() => {
  setUp()
  const failed = STEPS.filter((step) => step.needs === undefined || existsSync(step.needs)).filter(
    (step) => !runStep(step),
  )
  if (failed.length > 0) throw new Error(`check: failed: ${failed.map((step) => step.name).join(', ')}`)
  console.log('check: all good')
})
