import { openDatabase } from '#kit/db/pool.ts'
import { createManualClock } from '#kit/clock.ts'
import { createAudit } from '#audit/public.ts'
import { createNotices } from '#notices/public.ts'
import { silentLog } from '#kit/log.ts'
import { testKit } from './kit.ts'

// Spreads and sends notices until it is killed. Arguments: the time, the data folder.
const [nowMs = '0', dataDir = ''] = process.argv.slice(2)
const db = openDatabase({ url: process.env['DATABASE_URL'] ?? '', log: silentLog })
const kit = { ...testKit(db, { DATA_DIR: dataDir }), clock: createManualClock(Number(nowMs)) }
const notices = createNotices(kit, { audit: createAudit(kit), openPhone: (sealed) => sealed, sendText: null })
process.stdout.write('begun\n')
for (;;) {
  await notices.spread()
  await notices.send()
}
