// Posts charges to the ledger at DATABASE_URL until it is killed, and writes the reference of each one that was
// acknowledged. For the test that kills it: `node postCharges.ts <first order>`.
import { createLedger } from '#finance/ledger/ledger.ts'
import { systemClock } from '#kit/clock.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'

const db = openDatabase({ url: process.env['DATABASE_URL'] ?? '', log: silentLog })
const ledger = createLedger({ db, clock: systemClock, log: silentLog })
let order = Number(process.argv[2])

async function charge(caller: number): Promise<void> {
  for (;;) {
    order += 1
    const reference = `order:${order}`
    const entry = {
      agentId: 1 + (order % 2),
      kind: 'ride_charge',
      reference,
      lines: [
        { account: { kind: 'rider_balance', ownerId: 1 + (order % 20) }, amountCents: -3 },
        { account: { kind: 'agent_revenue' }, amountCents: 2 },
        { account: { kind: 'platform_fee' }, amountCents: 1 },
      ],
    } as const
    // Some go in a transaction of their own, with a pause in which the kill may come.
    if (caller % 8 === 0) await db.system((tx) => ledger.post(entry, tx))
    else await ledger.post(entry)
    process.stdout.write(`${reference}\n`)
  }
}

await Promise.all(Array.from({ length: 200 }, (_, caller) => charge(caller)))
