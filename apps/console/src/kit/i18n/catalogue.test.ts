import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../../scripts/i18n.mjs', import.meta.url))

test('every sentence of the console has its English, and no English stands alone', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(stdout).toContain(' 0 problems')
  expect(status).toBe(0)
})
