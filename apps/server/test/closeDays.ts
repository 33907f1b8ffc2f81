// Divides, closes, settles and seals what is due in the database at DATABASE_URL, until it is done or killed. For the test
// that kills it: `node closeDays.ts <now in milliseconds>`.
import { createLedger } from '#finance/ledger/ledger.ts'
import { runSplits } from '#finance/splits/job.ts'
import { createManualClock } from '#kit/clock.ts'
import { loadConfig } from '#kit/config.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'

const db = openDatabase({ url: process.env['DATABASE_URL'] ?? '', log: silentLog, systemConnections: 2 })
const clock = createManualClock(Number(process.argv[2]))
const ledger = createLedger({ db, clock, log: silentLog })
process.stdout.write('begun\n')
await runSplits(
  {
    kit: { db, clock, log: silentLog, config: loadConfig({}) },
    ledger,
    channelDays: { of: async () => ({ state: 'matched', heldCents: 0, reasons: [] }) },
  },
  { beginsNew: true },
)
await ledger.close()
await db.close()
