import type { overviewEndpoints } from '@saddle/contract/reports/overview.ts'
import { addDays } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Run } from '../figures/read.ts'
import { selectNow } from '../figures/store.ts'
import { readOverview } from './read.ts'
import { selectDemoPast } from './store.ts'

/** The overview of those who run areas: what has changed, and what made the difference. */
export function createOverviewHandlers(kit: Pick<Kit, 'db' | 'clock' | 'config'>): Handlers<typeof overviewEndpoints> {
  return {
    readOverview: async ({ day, basis }, { scope, caller: { agentId } }) => {
      const nowMs = kit.clock.now()
      const run: Run = (query) => kit.db.read(scope, (k) => query.compile(k))
      const [now] = await run(selectNow({ agentId, at: new Date(nowMs) }))
      if (now === undefined) throw new Error('the calendar has no today')
      const isToday = day === 'today'
      const data = await readOverview({
        run,
        scope,
        agentId,
        day: isToday ? now.today : addDays(now.today, -1),
        basis,
        until: isToday ? now.hour : null,
        nowMs,
      })
      return { suc: true, data }
    },
    readDemoProgress: async () => {
      const rows = kit.config.demo ? await kit.db.systemRead((k) => selectDemoPast.compile(k)) : []
      return { suc: true, data: { percent: rows[0]?.percent ?? null } }
    },
  }
}
