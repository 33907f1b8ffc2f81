/** Tells webhooks in a process of its own, which a test kills: `node killed.fixture.ts <database> <now>`. */
import { createManualClock } from '#kit/clock.ts'
import { loadConfig } from '#kit/config.ts'
import { createKeyring } from '#kit/crypto.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'
import { kitSecret } from '#test/kit.ts'
import { sendDue } from './send.ts'

const [url = '', now = '0'] = process.argv.slice(2)
const db = openDatabase({ url, log: silentLog })
const kit = {
  db,
  clock: createManualClock(Number(now)),
  log: silentLog,
  secrets: createKeyring({ secret: kitSecret }),
  config: loadConfig({ NOTICE_LOCAL_WEBHOOKS: 'true' }),
}
await sendDue({ kit })
await db.close()
