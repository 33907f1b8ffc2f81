import {
  cardsThatDisagree,
  moneyLine,
  proveMoney,
  splitsThatDisagree,
  verdictLine,
  verifyLedger,
  withdrawalsThatDisagree,
} from '#finance/public.ts'
import { systemClock } from '#kit/clock.ts'
import { runCommand } from '#kit/commandCli.ts'
import { withConfiguredDatabase } from '#kit/db/configured.ts'
import type { Database } from '#kit/db/pool.ts'
import { activitiesThatDisagree, couponsThatDisagree, ridersThatDisagree } from '#marketing/public.ts'

/**
 * `npm run --silent ledger:verify`: proves the ledger of the configured database, payments, refunds and deposits against
 * it, what was issued and used of cards, coupons and activities, the rides and money of riders by their orders, how income was
 * divided, and withdrawals; exit code 1 when something is broken.
 */
async function main(): Promise<number> {
  return withConfiguredDatabase(async (db) => {
    const [verdict, money, benefits] = [await verifyLedger(db), await proveMoney(db), await benefitFaults(db)]
    for (const fault of verdict.faults) console.log(`ledger: ${fault}`)
    for (const fault of money.faults) console.log(`money: ${fault}`)
    for (const fault of benefits) console.log(`benefits: ${fault}`)
    const splits = await splitsThatDisagree(db)
    for (const fault of splits) console.log(`splits: ${fault}`)
    const withdrawals = await withdrawalsThatDisagree(db)
    for (const fault of withdrawals) console.log(`withdrawals: ${fault}`)
    console.log(moneyLine(money))
    console.log(
      benefits.length === 0 ? 'benefits: cards, coupons, activities and the sums of riders agree' : 'benefits: broken',
    )
    console.log(splits.length === 0 ? 'splits: lines, bills, settlements and the ledger agree' : 'splits: broken')
    console.log(withdrawals.length === 0 ? 'withdrawals: agree with the ledger' : 'withdrawals: broken')
    // The last line is the verdict over all of it: a ledger that is sound in itself says less than the exit code.
    const faults = [verdict.faults, money.faults, benefits, splits, withdrawals].flat()
    console.log(verdictLine({ ...verdict, faults }))
    return faults.length === 0 ? 0 : 1
  })
}

const benefitFaults = async (db: Database): Promise<string[]> => [
  ...(await cardsThatDisagree(db, systemClock.now())),
  ...(await couponsThatDisagree(db)),
  ...(await ridersThatDisagree(db)),
  ...(await activitiesThatDisagree(db)),
]

await runCommand(main)
