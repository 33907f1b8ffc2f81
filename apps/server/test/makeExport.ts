// Makes the file that waits, and says how many rows it has read, until it is done or killed. For the test that kills it:
// `node makeExport.ts <now in milliseconds>`.
import { killedExports } from '#exports/killed.fixture.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'
import { testKit } from './kit.ts'

const db = openDatabase({ url: process.env['DATABASE_URL'] ?? '', log: silentLog, systemConnections: 2 })
const kit = testKit(db)
kit.clock.set(Number(process.argv[2]))
const { exports } = killedExports(kit, (rows) => process.stdout.write(`${rows}\n`))
const isMade = await exports.work()
process.stdout.write(isMade ? 'made\n' : 'none\n')
await db.close()
