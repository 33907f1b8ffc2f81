import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const NOT_SOURCES = new Set(['node_modules', 'dist', '.cache', 'coverage'])

/** One hash of the names and contents of all source files below the paths (tests excluded). */
export function hashSources(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of listSources(path)) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function listSources(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !NOT_SOURCES.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => listSources(join(path, entry.name)))
}

/** The stamp's text, or null when there is none. */
export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

export function writeStamp(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
}
