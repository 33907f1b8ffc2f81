// Checks the English catalogue: every Chinese sentence of the console and of the contract's labels has an English text,
// no entry is unused, placeholders agree, keys are sorted, a number never stands before a noun of one form.
// `--list` prints what is missing as JSON, `--sort` sorts, `--roles` lists sentences that stand in more than one role.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const cataloguePath = join(root, 'packages/contract/src/english.json')
const chinese = /\p{Script=Han}/u
/** Words that the glossary has replaced on the screen (docs/glossary.md); amounts are written ¥12.00. */
const replacedWords =
  /\b(?:yuan|blacklist|no-stop|parking places?|riding cards?|discount cards?|red-flush\w*|whoever)\b/i
/** Names of languages are written in the language itself. */
const untranslated = new Set(['中文'])
/** Keys that carry a context, and contexts of sentences that are only known when the console runs (labels). */
const contextual = new Set()
const labelContexts = new Set()
/** Counters that Chinese puts behind a number and English leaves out. */
const counters = new Set(['个', '个任务', '人', '张', '次', '辆', '项'])
/** Summaries of endpoints are for developers and are never shown in the console. */
const notShown = new Set(['summary'])

const sources = globSync(['apps/console/src/**/*.{ts,tsx}', 'packages/contract/src/**/*.ts'], { cwd: root }).filter(
  (path) => !/\.(test|fixture)\.tsx?$/.test(path) && !path.startsWith('packages/contract/src/demo/'),
)

const problems = []
const used = new Map()
/** Which roles a sentence has on the screen: button, column, label of a state or kind. */
const rolesOf = new Map()
for (const path of sources) collect(path)
const catalogue = JSON.parse(readFileSync(cataloguePath, 'utf8'))
const missing = [...used.keys()].filter((key) => !formsOf(key).some((form) => Object.hasOwn(catalogue, form)))

if (process.argv.includes('--list')) {
  process.stdout.write(`${JSON.stringify(Object.fromEntries(missing.map((key) => [key, used.get(key)])), null, 2)}\n`)
} else if (process.argv.includes('--sort')) {
  const sorted = Object.fromEntries(Object.entries(catalogue).toSorted(([left], [right]) => (left < right ? -1 : 1)))
  writeFileSync(cataloguePath, `${JSON.stringify(sorted, null, 2)}\n`)
} else if (process.argv.includes('--roles')) {
  for (const key of Object.keys(Object.fromEntries(rolesOf))) {
    const roles = [...rolesOf.get(key)].join(', ')
    if (roles.includes(',')) console.log(`${key}: ${roles}: ${catalogue[key] ?? ''}`)
  }
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
  noteRole(node)
  if (node.type === 'CallExpression' && node.callee.name === 't' && node.arguments.length > 0) noteCall(node, path)
  if (node.type === 'Literal' && typeof node.value === 'string') note(node.value, path)
  if (node.type === 'TemplateElement' && chinese.test(node.value.raw)) {
    problems.push(`${path}: a sentence is glued together, use {{placeholders}}: ${node.value.raw}`)
  }
  if (node.type === 'JSXText' && chinese.test(node.value)) {
    problems.push(`${path}: text outside t(): ${node.value.trim()}`)
  }
  for (const [name, part] of Object.entries(node)) if (name !== 'parent') walk(part, path)
}

/** A call of `t`: its key is the sentence, and behind it the context that tells one sense of it from another. */
function noteCall({ arguments: [sentence, values] }, path) {
  const context = values?.properties?.find((property) => property.key?.name === 'context')?.value
  if (context !== undefined && context.type !== 'Literal') problems.push(`${path}: a context has to be a literal`)
  if (sentence.type !== 'Literal') {
    if (context !== undefined) labelContexts.add(context.value)
    return
  }
  const key = context === undefined ? sentence.value : `${sentence.value}_${context.value}`
  if (context !== undefined) contextual.add(key)
  used.set(key, path)
}

/** Notes sentences of buttons, column heads and labels of the contract. */
function noteRole(node) {
  const opening = node.type === 'JSXElement' ? node.openingElement.name.name : undefined
  if (opening?.endsWith('Button')) node.children.forEach((child) => addRole('button', child.expression))
  if (node.type === 'Property' && node.key?.name === 'title') addRole('title', node.value)
  if (node.type === 'VariableDeclarator' && node.id?.name?.endsWith('Labels')) {
    for (const { value } of node.init?.properties ?? []) addRole('label', value)
  }
}

function addRole(role, node) {
  const text = node?.type === 'CallExpression' && node.callee.name === 't' ? node.arguments[0] : node
  if (text?.type !== 'Literal' || typeof text.value !== 'string' || !chinese.test(text.value)) return
  rolesOf.set(text.value, (rolesOf.get(text.value) ?? new Set()).add(role))
}

function note(text, path) {
  if (chinese.test(text) && !untranslated.has(text) && !used.has(text)) used.set(text, path)
}

/** A sentence that counts may have an English singular of its own; one that only occurs with contexts has no other. */
function formsOf(key) {
  const forms = key.includes('{{count}}') ? [key, `${key}_other`] : [key]
  const withContexts = [...contextual].filter((other) => other.startsWith(`${key}_`))
  return [...forms, ...withContexts]
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
  const label = sentence.replace(/_[a-z]+$/, '')
  const isLabel = labelContexts.has(sentence.slice(label.length + 1)) && used.has(label)
  if (!used.has(sentence) && !isLabel) problems.push(`english.json: nobody says “${key}”`)
  if (typeof english !== 'string' || (english === '') !== counters.has(key))
    problems.push(`english.json: “${key}” is empty, or is a counter and is not`)
  else if (chinese.test(english)) problems.push(`english.json: “${key}” is still Chinese`)
  const [inKey, inText] = [sentence, String(english)].map((text) =>
    [...text.matchAll(/\{+\w+\}+/g)].map(String).toSorted(),
  )
  checkNumber(key, String(english))
  const replaced = replacedWords.exec(String(english).replaceAll(/\{\{[^}]*\}\}/g, ''))
  if (replaced !== null) problems.push(`english.json: “${key}” says “${replaced[0]}”, see docs/glossary.md`)
  // A singular may say “one” instead of the number.
  const differ = inKey.join() !== inText.join() && !key.endsWith('_one')
  if (differ) problems.push(`english.json: placeholders of “${key}” differ`)
}

/** “1 rides” must not occur: a noun behind `{{count}}` needs both forms of the sentence. */
function checkNumber(key, english) {
  if (/_(one|other)$/.test(key)) {
    const twin = key.endsWith('_one') ? key.replace(/_one$/, '_other') : key.replace(/_other$/, '_one')
    if (!Object.hasOwn(catalogue, twin)) problems.push(`english.json: “${key}” lacks “${twin}”`)
    return
  }
  const noun = /\{\{count\}\}\+? (?:[a-z-]+ ){0,3}?(?:[a-z]+s|people)\b/.exec(english)?.[0]
  if (noun !== undefined && !/\b(?:as|is|was|has)$/.test(noun))
    problems.push(`english.json: “${key}” needs _one and _other: ${noun}`)
}
