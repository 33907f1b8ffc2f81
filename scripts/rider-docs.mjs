// Writes the reference of docs/rider-api.md, from the mark on, from the contract's calls of riders' applications.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { becomeProjectNode, ROOT } from './lib/node24.mjs'

if (!becomeProjectNode()) {
  const { riderApiPage } = await import('../apps/server/src/app/riderApiPage.ts')
  const file = join(ROOT, 'docs', 'rider-api.md')
  writeFileSync(file, riderApiPage(readFileSync(file, 'utf8')))
}
