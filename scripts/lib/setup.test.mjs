import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hashSources, readStamp, writeStamp } from './files.mjs'
import { exitCode } from './node24.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'saddle-files-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src', 'a.ts'), 'one')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('builds again when a source changed, moved, came or went, and not for tests or products', () => {
  const seen = [hashSources([folder])]
  const change = (path, text) => {
    writeFileSync(join(folder, path), text)
    seen.push(hashSources([folder]))
  }
  change('src/a.ts', 'two')
  change('src/b.ts', 'two')
  rmSync(join(folder, 'src', 'a.ts'))
  seen.push(hashSources([folder]))
  expect(new Set(seen).size).toBe(4)
  change('src/b.test.ts', 'test')
  for (const product of ['dist', 'node_modules']) {
    mkdirSync(join(folder, product))
    change(`${product}/c.ts`, 'product')
  }
  expect(new Set(seen).size).toBe(4)
})

it('keeps stamps', () => {
  expect(readStamp(join(folder, 'deep', 'stamp'))).toBe(null)
  writeStamp(join(folder, 'deep', 'stamp'), 'x')
  expect(readStamp(join(folder, 'deep', 'stamp'))).toBe('x')
})

it('passes exit codes on as a shell shows them', () => {
  expect([exitCode(3, null), exitCode(0, null), exitCode(null, 'SIGKILL'), exitCode(null, 'SIGINT')]).toEqual([
    3, 0, 137, 130,
  ])
})
