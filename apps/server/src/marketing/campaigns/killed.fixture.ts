/** Sends a campaign in a process of its own, which a test kills: `node killed.fixture.ts <database> <campaign> <now> <riders>`. */
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'
import { sendChunk } from './send.ts'

const [url = '', id = '0', now = '0', riders = '0'] = process.argv.slice(2)
const db = openDatabase({ url, log: silentLog })
const clock = { now: () => Number(now) }
process.stdout.write('begun\n')
for (let step = 'more'; step === 'more';) step = await sendChunk({ db, clock }, Number(id), Number(riders))
process.stdout.write('ended\n')
await db.close()
