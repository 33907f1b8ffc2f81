import { secureRandom } from '#kit/random.ts'
import { withConfiguredDatabase } from '#kit/db/configured.ts'
import { verdictLine, verifyReports } from './verify.ts'

const cellsPerReport = 200

/**
 * `npm run --silent report:verify`: recomputes random cells of every report of the configured database from orders and entries
 * of the ledger; exit code 1 when one differs.
 */
async function main(): Promise<number> {
  return withConfiguredDatabase(async (db) => {
    const verdict = await verifyReports({ db, random: secureRandom }, { cellsPerReport })
    for (const fault of verdict.faults) console.log(fault)
    console.log(verdictLine(verdict))
    return verdict.differ === 0 ? 0 : 1
  })
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
