import { yuanText } from '@saddle/contract/money.ts'
import { moneyLine, proveMoney } from '#finance/public.ts'
import { runCommand } from '#kit/commandCli.ts'
import { withConfiguredDatabase } from '#kit/db/configured.ts'
import { reconcileRides, reconciliationLine } from './reconcile.ts'

/**
 * `npm run --silent ledger:reconcile`: orders, ledger and day figures of the configured database against each other, and
 * payments, refunds and deposits against the ledger; exit code 1 when they differ. With `--days` it prints the figures of each day.
 */
async function main(): Promise<number> {
  return withConfiguredDatabase(async (db) => {
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
  })
}

await runCommand(main)
