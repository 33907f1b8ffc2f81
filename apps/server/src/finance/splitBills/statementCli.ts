import { readFileSync } from 'node:fs'
import { yuanText } from '@saddle/contract/money.ts'
import { runCommand } from '#kit/commandCli.ts'
import { verifyStatementFile } from './statementPages.ts'

/**
 * `npm run --silent statement:verify -- <file> [hash]`: proves the file of a statement, CSV or PDF, without the database; with
 * the hash that the platform shows, also that it is that statement. Exit code 1 when something is wrong, 2 without a file.
 */
async function main(): Promise<number> {
  const [file, hash] = process.argv.slice(2)
  if (file === undefined) {
    console.error('usage: npm run --silent statement:verify -- <file> [hash]')
    return 2
  }
  const verdict = await verifyStatementFile(readFileSync(file), hash)
  for (const fault of verdict.faults) console.log(`statement: ${fault}`)
  const result = verdict.faults.length === 0 ? 'proved' : `${verdict.faults.length} faults`
  console.log(`statement: ${verdict.bills} bills, ${yuanText(verdict.paidCents)}, ${verdict.hash}, ${result}`)
  return verdict.faults.length === 0 ? 0 : 1
}

await runCommand(main)
