import type { screenFigureEndpoints } from '@saddle/contract/reports/screens.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Run } from '#reports/figures/read.ts'
import { createAnswerCache } from './cache.ts'
import type { ScreenReach } from './figures.ts'
import { readScreenNow, type ScreenNow } from './now.ts'
import { readOperations } from './operations.ts'
import { readRevenue } from './revenue.ts'

type Deps = Pick<Kit, 'db' | 'clock' | 'config'>

/** The two screens on walls: one bounded answer for each, read once for all screens of the same reach. */
export function createScreenHandlers(kit: Deps): Handlers<typeof screenFigureEndpoints> {
  return {
    readOperationsScreen: served(kit, readOperations),
    readRevenueScreen: served(kit, readRevenue),
  }
}

type Read<T> = (run: Run, reach: ScreenReach, now: ScreenNow) => Promise<T>

function served<T>({ db, clock, config }: Deps, read: Read<T>) {
  const cached = createAnswerCache<T>({ clock, keptMs: config.screenCacheSeconds * 1_000 })
  return async (_: unknown, call: SessionCall): Promise<{ suc: true; data: T }> => {
    const reach = reachOf(call)
    const run: Run = (query) => db.read({ ...call.scope, areaIds: reach.areaIds }, (k) => query.compile(k))
    const data = await cached(JSON.stringify(reach), async () => {
      const at = new Date(clock.now())
      return read(run, reach, await readScreenNow(run, { ...reach, at }))
    })
    return { suc: true, data }
  }
}

/** The areas of the call that were chosen for its screen; their ids were checked against the grant. */
function reachOf({ scope, token, caller, isNarrowed = false }: SessionCall): ScreenReach {
  const chosen = token.opAreaIdsBigScreen
  const areas = chosen === undefined ? null : new Set(chosen)
  return {
    agentIds: scope.agentIds,
    areaIds: scope.areaIds.filter((id) => areas === null || areas.has(id)),
    hasOfCompany: areas === null && !isNarrowed && token.opAreaIds === undefined,
    agentId: caller.agentId,
  }
}
