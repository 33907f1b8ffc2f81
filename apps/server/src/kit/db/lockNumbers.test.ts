import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { lockNumbers } from './lockNumbers.ts'

const server = fileURLToPath(new URL('../../..', import.meta.url))

/** Numbers of this form that name a lock in a domain, the demo or the tests' set-up. */
function numbersElsewhere(): number[] {
  const found: number[] = []
  for (const folder of ['src', 'demo', 'test']) {
    for (const name of readdirSync(join(server, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('lockNumbers.ts')) continue
      const text = readFileSync(join(server, folder, name), 'utf8')
      for (const [, number = ''] of text.matchAll(/\bconst \w*lock\w* = (7_2\d\d_\d{3})\b/gi))
        found.push(Number(number.replaceAll('_', '')))
    }
  }
  return found
}

test('no two advisory locks have one number', () => {
  const elsewhere = numbersElsewhere()
  expect(elsewhere.length).toBeGreaterThan(3)
  const numbers = [...Object.values(lockNumbers), ...elsewhere]
  expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted())
})
