import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { businessDayEnd, businessDayOf, hourMs } from '@saddle/contract/time.ts'
import { createFinance } from '@saddle/server/finance/public.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { testKit } from '@saddle/server/test/kit.ts'
import type { RunningServer } from './server.ts'

/**
 * Compares the channel's bill of today, closes the day, settles it and seals statements: what the worker does by itself
 * tomorrow, by the same jobs with a clock that is there already. Resolves to the day.
 */
export async function closeToday({ databaseUrl }: RunningServer): Promise<string> {
  const day = businessDayOf(Date.now())
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-closing-'))
  const db = openDatabase({ url: databaseUrl, log: silentLog })
  const kit = testKit(db, { DEMO: 'true', DATA_DIR: dataDir })
  kit.clock.set(businessDayEnd(day) + 12 * hourMs)
  const finance = createFinance(kit)
  try {
    await finance.channelBills.run({ beginsNew: true })
    await finance.splits.run({ beginsNew: true })
  } finally {
    await finance.close()
    await db.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return day
}
