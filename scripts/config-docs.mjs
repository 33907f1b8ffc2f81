// Writes docs/configuration.md from the declaration of the server's variables.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { becomeProjectNode, ROOT } from './lib/node24.mjs'

if (!becomeProjectNode()) {
  const { configPage } = await import('../apps/server/src/kit/config.ts')
  writeFileSync(join(ROOT, 'docs', 'configuration.md'), configPage())
}
