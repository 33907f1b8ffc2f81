// Gzipped JavaScript that a person's browser fetches, from the build manifest's import graph:
// the login page alone, and everything up to the home page inside the shell. Exit code 1 above a budget.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../apps/console/dist')
const manifestPath = join(dist, '.vite/manifest.json')
if (!existsSync(manifestPath)) {
  console.error(`No build at ${dist}: build the console first.`)
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))

const login = ['index.html', 'src/identity/login/LoginPage.tsx']
/** What the submit button fetches. */
const client = '../../packages/client/src'
const submit = [`${client}/login.ts`, `${client}/cipher.ts`, `${client}/callToken.ts`]
const shell = ['src/app/shell/GlobalLayout.tsx', 'src/reports/overview/HomePage.tsx']

const rows = [
  { name: 'login page, first load', entries: login, budgetKb: 200 },
  { name: 'login page and submit', entries: [...login, ...submit], budgetKb: null },
  { name: 'login, shell and home', entries: [...login, ...submit, ...shell], budgetKb: 450 },
]

/** Files of the entries and of everything that they import statically. */
function filesOf(entries) {
  const seen = new Set()
  const queue = [...entries]
  for (const key of queue) {
    if (seen.has(key)) continue
    seen.add(key)
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`The build has no ${key}`)
    queue.push(...(chunk.imports ?? []))
  }
  return new Set([...seen].map((key) => manifest[key].file))
}

const sizes = new Map()
function gzipBytes(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
  return sizes.get(file)
}

let over = false
for (const { name, entries, budgetKb } of rows) {
  const files = [...filesOf(entries)]
  const kb = files.reduce((sum, file) => sum + gzipBytes(file), 0) / 1000
  over ||= budgetKb !== null && kb > budgetKb
  const budget = budgetKb === null ? '' : `, budget ${budgetKb} kB`
  console.log(`${name}: ${kb.toFixed(1)} kB gzip in ${files.length} files${budget}`)
}
if (process.argv.includes('--files')) {
  for (const file of filesOf(login)) console.log(`  ${(gzipBytes(file) / 1000).toFixed(1)} kB ${file}`)
}
process.exitCode = over ? 1 : 0
