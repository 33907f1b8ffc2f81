import { parseArgs } from 'node:util'
import { citySeed } from './plan.ts'
import { writeCity } from './tiles.ts'

/** `city -- --out <dir> [--seed n]`: draws the offline tiles of the demo city. */
const { values } = parseArgs({ options: { out: { type: 'string' }, seed: { type: 'string' } } })
const seed = Number(values.seed ?? citySeed)
if (values.out === undefined || !Number.isSafeInteger(seed)) {
  process.stderr.write('usage: npm run city -- --out <directory> [--seed <whole number>]\n')
  process.exitCode = 1
} else {
  const started = performance.now()
  const { written, version } = await writeCity({ out: values.out, seed })
  const took = Math.round(performance.now() - started)
  process.stdout.write(
    written === 0
      ? `city ${version} is up to date (${took} ms)\n`
      : `city ${version}: ${written} tiles written in ${took} ms\n`,
  )
}
