// Checks the English catalogue: every Chinese sentence of the console and of the contract's labels has an English text,
// no entry is unused, placeholders agree, keys are sorted. `--list` prints what is missing as JSON, `--sort` sorts.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const cataloguePath = join(root, 'packages/contract/src/english.json')
const chinese = /\p{Script=Han}/u
/** Names of languages are written in the language itself. */
const untranslated = new Set(['中文'])
/** Summaries of endpoints are for developers and are never shown in the console. */
const notShown = new Set(['summary'])

const sources = globSync(['apps/console/src/**/*.{ts,tsx}', 'packages/contract/src/**/*.ts'], { cwd: root }).filter(
  (path) => !/\.(test|fixture)\.tsx?$/.test(path) && !path.startsWith('packages/contract/src/demo/'),
)

const problems = []
const used = new Map()
for (const path of sources) collect(path)
const catalogue = JSON.parse(readFileSync(cataloguePath, 'utf8'))
const missing = [...used.keys()].filter((key) => !formsOf(key).some((form) => Object.hasOwn(catalogue, form)))

if (process.argv.includes('--list')) {
  process.stdout.write(`${JSON.stringify(Object.fromEntries(missing.map((key) => [key, used.get(key)])), null, 2)}\n`)
} else if (process.argv.includes('--sort')) {
  const sorted = Object.fromEntries(Object.entries(catalogue).toSorted(([left], [right]) => (left < right ? -1 : 1)))
  writeFileSync(cataloguePath, `${JSON.stringify(sorted, null, 2)}\n`)
} else {
  report()
}

function collect(path) {
  const { program, errors } = parseSync(path, readFileSync(join(root, path), 'utf8'))
  for (const error of errors) problems.push(`${path}: ${error.message}`)
  walk(program, path)
}

function walk(node, path) {
  if (Array.isArray(node)) {
    for (const part of node) walk(part, path)
    return
  }
  if (typeof node !== 'object' || node === null) return
  if (node.type === 'Property' && notShown.has(node.key?.name)) return
  if (node.type === 'CallExpression' && node.callee.name === 't' && node.arguments[0]?.type === 'Literal') {
    used.set(node.arguments[0].value, path)
  }
  if (node.type === 'Literal' && typeof node.value === 'string') note(node.value, path)
  if (node.type === 'TemplateElement' && chinese.test(node.value.raw)) {
    problems.push(`${path}: a sentence is glued together, use {{placeholders}}: ${node.value.raw}`)
  }
  if (node.type === 'JSXText' && chinese.test(node.value)) {
    problems.push(`${path}: text outside t(): ${node.value.trim()}`)
  }
  for (const [name, part] of Object.entries(node)) if (name !== 'parent') walk(part, path)
}

function note(text, path) {
  if (chinese.test(text) && !untranslated.has(text) && !used.has(text)) used.set(text, path)
}

/** A sentence that counts may have an English singular of its own. */
function formsOf(key) {
  return key.includes('{{count}}') ? [key, `${key}_other`] : [key]
}

function report() {
  for (const key of missing) problems.push(`${used.get(key)}: no English for “${key}”`)
  const keys = Object.keys(catalogue)
  for (const key of keys) checkEntry(key, catalogue[key])
  if (keys.join('\n') !== keys.toSorted().join('\n')) problems.push('english.json is not sorted: run with --sort')
  for (const problem of problems) console.error(problem)
  console.log(`i18n: ${used.size} sentences, ${keys.length} English texts, ${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

function checkEntry(key, english) {
  const sentence = key.replace(/_(one|other)$/, '')
  if (!used.has(sentence)) problems.push(`english.json: nobody says “${key}”`)
  if (typeof english !== 'string' || english === '') problems.push(`english.json: “${key}” is empty`)
  else if (chinese.test(english)) problems.push(`english.json: “${key}” is still Chinese`)
  const [inKey, inText] = [sentence, String(english)].map((text) =>
    [...text.matchAll(/\{+\w+\}+/g)].map(String).toSorted(),
  )
  // A singular may say “one” instead of the number.
  const differ = inKey.join() !== inText.join() && !key.endsWith('_one')
  if (differ) problems.push(`english.json: placeholders of “${key}” differ`)
}
