// Starts an embedded PostgreSQL, says where, and holds it until it is killed: for tests that kill it.
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { silentLog } from '#kit/log.ts'

const [dataDir] = process.argv.slice(2)
if (dataDir === undefined) throw new Error('usage: hold-postgres.ts <data folder>')
const postgres = await startEmbedded({ dataDir, log: silentLog })
process.on('SIGTERM', () => void postgres.stop().then(() => process.exit(0)))
console.log(postgres.url)
