import { readFileSync } from 'node:fs'
import { yuanText } from '@saddle/contract/money.ts'
import { verifyStatement } from './statementRules.ts'

/**
 * `npm run --silent statement:verify -- <file> [hash]`: proves the file of a statement without the database; with the hash
 * that the platform shows, also that it is that statement. Exit code 1 when something is wrong.
 */
function main(): number {
  const [file, hash] = process.argv.slice(2)
  if (file === undefined) {
    console.error('statement: name the file')
    return 2
  }
  const verdict = verifyStatement(readFileSync(file, 'utf8'), hash)
  for (const fault of verdict.faults) console.log(`statement: ${fault}`)
  const result = verdict.faults.length === 0 ? 'proved' : `${verdict.faults.length} faults`
  console.log(`statement: ${verdict.bills} bills, ${yuanText(verdict.paidCents)}, ${verdict.hash}, ${result}`)
  return verdict.faults.length === 0 ? 0 : 1
}

process.exitCode = main()
