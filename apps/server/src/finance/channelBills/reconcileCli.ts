import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { loadConfig } from '#kit/config.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { createLog, silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { financeLine, lastClosedDays, reconcileFinance, sumLine, type FinanceSpan } from './reconcile.ts'

/**
 * `npm run --silent finance:reconcile -- [--from YYYY-MM-DD] [--to YYYY-MM-DD]`: bills of payment channels, payments, ledger,
 * orders and the division of income of the configured database against each other; exit code 1 when something differs that
 * nothing explains.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } })
  const asked = z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() }).parse(values)
  const config = loadConfig(process.env, [])
  // The embedded one is started, or joined when the platform runs.
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: resolve(config.dataDir), log: createLog({ level: 'silent' }) })
      : null
  const db = openDatabase({ url: embedded?.url ?? config.databaseUrl ?? '', log: silentLog, systemConnections: 1 })
  try {
    const closed = await lastClosedDays(db)
    const last = asked.to ?? closed?.last
    const first = asked.from ?? closed?.first
    if (first === undefined || last === undefined || last < first) {
      console.log('finance: 0 days, 0 cents, 0 differences')
      return 0
    }
    const span: FinanceSpan = { first, last }
    const proof = await reconcileFinance(db, span)
    for (const name of proof.waiting) console.log(`waits to be resolved: ${name}`)
    for (const name of proof.differences) console.log(`differs: ${name}`)
    console.log(sumLine(proof))
    console.log(financeLine(proof))
    return proof.differences.length === 0 ? 0 : 1
  } finally {
    await db.close()
    await embedded?.stop()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
