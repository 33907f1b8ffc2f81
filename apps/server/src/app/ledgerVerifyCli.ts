import { resolve } from 'node:path'
import {
  cardsThatDisagree,
  moneyLine,
  proveMoney,
  splitsThatDisagree,
  verdictLine,
  verifyLedger,
} from '#finance/public.ts'
import { systemClock } from '#kit/clock.ts'
import { ConfigError, loadConfig } from '#kit/config.ts'
import { openDatabase, type Database } from '#kit/db/pool.ts'
import { createLog, silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { activitiesThatDisagree, couponsThatDisagree } from '#marketing/public.ts'

/**
 * `npm run --silent ledger:verify`: proves the ledger of the configured database, payments, refunds and deposits against
 * it, what was issued and used of cards, coupons and activities, and how income was divided; exit code 1 when something is broken.
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
    const [verdict, money, benefits] = [await verifyLedger(db), await proveMoney(db), await benefitFaults(db)]
    for (const fault of verdict.faults) console.log(`ledger: ${fault}`)
    for (const fault of money.faults) console.log(`money: ${fault}`)
    for (const fault of benefits) console.log(`benefits: ${fault}`)
    const splits = await splitsThatDisagree(db)
    for (const fault of splits) console.log(`splits: ${fault}`)
    console.log(moneyLine(money))
    console.log(benefits.length === 0 ? 'benefits: cards, coupons and activities agree' : 'benefits: broken')
    console.log(splits.length === 0 ? 'splits: lines, bills, settlements and the ledger agree' : 'splits: broken')
    console.log(verdictLine(verdict))
    return verdict.faults.length + money.faults.length + benefits.length + splits.length === 0 ? 0 : 1
  } finally {
    await db.close()
    await embedded?.stop()
  }
}

const benefitFaults = async (db: Database): Promise<string[]> => [
  ...(await cardsThatDisagree(db, systemClock.now())),
  ...(await couponsThatDisagree(db)),
  ...(await activitiesThatDisagree(db)),
]

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
