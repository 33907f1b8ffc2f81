// `npm run bench` lists the benchmarks, `npm run bench -- <name> [options]` runs one of them.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const own = 'run.mjs'
const files = readdirSync(here, { recursive: true }).filter((file) => /^[a-z-]+(\/[a-z-]+)?\.(ts|mjs)$/.test(file))
const benches = new Map(
  files
    .filter((file) => file !== own && !file.startsWith('lib/'))
    .map((file) => [file.replace(/\.(ts|mjs)$/, ''), join(here, file)]),
)

/** The first sentence of the comment that the file begins with. */
function aboutOf(path) {
  const head = /^(?:\/\*\*.*?\*\/|(?:\/\/[^\n]*\n)+)/s.exec(readFileSync(path, 'utf8'))?.[0] ?? ''
  const text = head
    .replaceAll(/\/\*\*|\*\/|^\s*(\*|\/\/)/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.split(/\.\s|: `/)[0]
}

const [name, ...options] = process.argv.slice(2)
const path = benches.get(name)
if (path === undefined) {
  if (name !== undefined) console.error(`there is no benchmark ${name}`)
  console.log('npm run bench -- <name> [--quick]')
  for (const [each, file] of [...benches].toSorted()) console.log(`  ${each.padEnd(20)} ${aboutOf(file)}`)
  process.exitCode = name === undefined ? 0 : 1
} else {
  const args = ['--disable-warning=ExperimentalWarning', path, ...options]
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}
