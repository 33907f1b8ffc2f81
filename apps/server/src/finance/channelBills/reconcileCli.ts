import { parseArgs } from 'node:util'
import { z } from 'zod'
import { runCommand } from '#kit/commandCli.ts'
import { withConfiguredDatabase } from '#kit/db/configured.ts'
import { financeLine, lastClosedDays, reconcileFinance, sumLine, type FinanceSpan } from './reconcile.ts'

const spanSchema = z
  .object({ from: z.iso.date().optional(), to: z.iso.date().optional() })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to)

/**
 * `npm run --silent finance:reconcile -- [--from YYYY-MM-DD] [--to YYYY-MM-DD]`: bills of payment channels, payments, ledger,
 * orders and the division of income of the configured database against each other; exit code 1 when something differs that
 * nothing explains.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } })
  const asked = spanSchema.safeParse(values)
  if (!asked.success) {
    console.error('usage: npm run --silent finance:reconcile -- [--from YYYY-MM-DD] [--to YYYY-MM-DD]')
    return 2
  }
  const { from, to } = asked.data
  return withConfiguredDatabase(async (db) => {
    const closed = await lastClosedDays(db)
    const last = to ?? closed?.last
    const first = from ?? closed?.first
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
  })
}

await runCommand(main)
