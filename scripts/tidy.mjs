#!/usr/bin/env node
/**
 * Checks import rules, banned code, replaced names, row types, names that differ between contract, server and console, and
 * domain cycles. Prints each fault; exit code 1 when there is one.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { formFaults, staleFormExceptions } from './lib/forms.mjs'
import { glossaryFaults } from './lib/glossary.mjs'
import { rowTypeFaults, staleRowTypes } from './lib/rowTypes.mjs'
import { sideFaults } from './lib/sides.mjs'
import { domainCycles, faultsOf } from './lib/walls.mjs'

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
const paths = listed
  .split('\0')
  .filter((path) => /\.(ts|tsx|mjs|js|sql|md|json|css|html|sh)$/.test(path) && existsSync(path))
const files = paths
  .filter((path) => path !== 'package-lock.json')
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const found = files.flatMap((file) => [
  ...faultsOf(file),
  ...formFaults(file),
  ...glossaryFaults(file),
  ...rowTypeFaults(file),
])
const faults = found.map(({ path, line, why }) => `${path}:${line} ${why}`)
faults.push(...staleFormExceptions(files), ...staleRowTypes(files), ...sideFaults(files))
faults.push(...domainCycles(files).map((cycle) => `domains in a circle: ${cycle}`))
for (const fault of faults) console.log(fault)
console.log(`tidy: ${files.length} files, ${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)
