import { minuteMs } from '@saddle/contract/time.ts'
import type { Meter, meterEndpoints } from '@saddle/contract/finance/meters.ts'
import type { serviceBillEndpoints } from '@saddle/contract/finance/serviceBills.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startJob } from '#kit/job.ts'
import type { Kit } from '#kit/kit.ts'
import { countDays, createTallies, type Tallies } from '../meters/count.ts'
import type { MeterSource } from '../meters/deps.ts'
import { createMeterHandlers } from '../meters/handlers.ts'
import { createServiceBillHandlers } from './handlers.ts'
import { issueBills } from './issue.ts'
import { selectFaults } from './store.ts'

const flushEveryMs = minuteMs
const billEveryMs = 10 * minuteMs

export type ServiceBills = {
  readonly handlers: Handlers<typeof serviceBillEndpoints & typeof meterEndpoints>
  /** Counts one use of a meter that leaves no rows of its own. */
  readonly tally: Tallies['add']
  /** Reads meters for the days that are over, and makes the bills of months that are. For the worker. */
  makeBills(): Promise<{ readonly days: number; readonly bills: number }>
  startBackground(): () => Promise<void>
  close(): Promise<void>
}

/** What companies use of the platform, and the monthly bills of it. */
export function createServiceBills(
  kit: Kit,
  others: {
    readonly audit: Audit
    readonly books: { hold(name: string, reconciler: () => Promise<readonly string[]>): void }
    readonly sources: Readonly<Record<Exclude<Meter, 'sms' | 'map_call'>, MeterSource>>
  },
): ServiceBills {
  const { audit, books } = others
  const tallies = createTallies({ kit })
  const sources = new Map<Meter, MeterSource>([
    ['vehicle_day', others.sources.vehicle_day],
    ['device_data', others.sources.device_data],
    ['certification', others.sources.certification],
    ['sms', tallies.source('sms')],
    ['map_call', tallies.source('map_call')],
  ])
  const deps = { kit, audit, sources }
  books.hold('service bills', async () => {
    const rows = await kit.db.systemRead((k) => selectFaults().compile(k))
    return rows.map(({ number }) => `the lines of ${number} do not sum to it`)
  })
  const makeBills = async () => ({ days: await countDays(deps), bills: await issueBills(deps) })
  const flush = startJob({
    log: kit.log,
    everyMs: flushEveryMs,
    run: tallies.flush,
    failure: 'writing down what companies used failed',
    isFirstLater: true,
  })
  return {
    handlers: { ...createServiceBillHandlers(deps), ...createMeterHandlers(deps) },
    tally: tallies.add,
    makeBills,
    startBackground: () => {
      const job = startJob({
        log: kit.log,
        everyMs: billEveryMs,
        run: makeBills,
        failure: 'making the bills of services failed',
        isFirstLater: true,
      })
      return () => job.stop()
    },
    close: async () => {
      await flush.stop()
      await tallies.flush()
    },
  }
}
