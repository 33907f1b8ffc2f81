import { resolve } from 'node:path'
import { yuanText } from '@saddle/contract/money.ts'
import { moneyLine, proveMoney } from '#finance/public.ts'
import { loadConfig } from '#kit/config.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { createLog, silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { reconcileRides, reconciliationLine } from './reconcile.ts'

/**
 * `npm run --silent ledger:reconcile`: orders, ledger and day figures of the configured database against each other, and
 * payments, refunds and deposits against the ledger; exit code 1 when they differ. With `--days` it prints the figures of each day.
 */
async function main(): Promise<number> {
  const config = loadConfig(process.env, [])
  // The embedded one is started, or joined when the platform runs.
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: resolve(config.dataDir), log: createLog({ level: 'silent' }) })
      : null
  const db = openDatabase({ url: embedded?.url ?? config.databaseUrl ?? '', log: silentLog, systemConnections: 1 })
  try {
    const [found, money] = [await reconcileRides(db), await proveMoney(db)]
    if (process.argv.includes('--days')) {
      for (const { day, agent_id, rides, net_cents } of found.days) {
        console.log(`${day} franchisee ${agent_id}: ${rides} rides, ${yuanText(net_cents)}`)
      }
    }
    for (const { order_id, order_cents, ledger_cents, report_cents } of found.disagreements) {
      console.log(`order ${order_id}: order ${order_cents}, ledger ${ledger_cents}, lines ${report_cents} cents`)
    }
    for (const fault of money.faults) console.log(`money: ${fault}`)
    console.log(moneyLine(money))
    console.log(reconciliationLine(found))
    return found.disagreements.length + money.faults.length === 0 ? 0 : 1
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
