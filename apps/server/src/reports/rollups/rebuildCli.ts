import { systemClock } from '#kit/clock.ts'
import { silentLog } from '#kit/log.ts'
import { withConfiguredDatabase } from '#kit/db/configured.ts'
import { rebuildFigures } from './rebuild.ts'

/** `npm run --silent report:rebuild`: makes all figures of reports of the configured database anew. */
try {
  await withConfiguredDatabase((db) => rebuildFigures({ db, log: silentLog, clock: systemClock }))
  console.log('report: figures are made anew')
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}
