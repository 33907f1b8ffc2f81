import { resolve } from 'node:path'
import { ConfigError, loadConfig } from '#kit/config.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { createLog, silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { moneyLine, proveMoney } from '../checks/money.ts'
import { verdictLine, verifyLedger } from './verify.ts'

/**
 * `npm run --silent ledger:verify`: proves the ledger of the configured database, and payments, refunds and deposits
 * against it; exit code 1 when something is broken.
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
    const [verdict, money] = [await verifyLedger(db), await proveMoney(db)]
    for (const fault of verdict.faults) console.log(`ledger: ${fault}`)
    for (const fault of money.faults) console.log(`money: ${fault}`)
    console.log(moneyLine(money))
    console.log(verdictLine(verdict))
    return verdict.faults.length + money.faults.length === 0 ? 0 : 1
  } finally {
    await db.close()
    await embedded?.stop()
  }
}

// An undefined table or role: this database was not migrated yet.
const NO_LEDGER = new Set(['42P01', '42704', '22023'])

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isEmpty = 'code' in error && typeof error.code === 'string' && NO_LEDGER.has(error.code)
  return isEmpty && !(error instanceof ConfigError)
    ? 'ledger: this database holds no ledger; start the platform on it once'
    : error.message
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(explain(error))
  process.exitCode = 2
}
