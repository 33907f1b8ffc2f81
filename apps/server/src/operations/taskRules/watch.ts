import { fleetTopics } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'
import { tellOverdue } from '../tasks/tellTasks.ts'
import { runTaskRules, type RuleParts } from './pass.ts'

const everyMs = 30_000
/** An alarm that opens or closes is not waited for so long; a burst of them is one turn. */
const afterAlarmMs = 2_000

/** Goes by the rules again and again; returns what ends it and resolves when the running turn has ended. */
export function startTaskRules(parts: RuleParts & { readonly kit: Pick<Kit, 'db' | 'clock' | 'bus' | 'log'> }) {
  const { kit } = parts
  let early: NodeJS.Timeout | null = null
  const job = startJob({
    log: kit.log,
    everyMs,
    failure: 'going by the rules of tasks failed',
    run: async () => {
      const { opened, cancelled } = await runTaskRules(parts)
      await tellOverdue(kit)
      if (opened + cancelled > 0) kit.log.debug({ opened, cancelled }, 'the rules of tasks were gone by')
    },
  })
  const unsubscribe = kit.bus.subscribe(fleetTopics.alarm, () => {
    early ??= setTimeout(() => {
      early = null
      job.runNow()
    }, afterAlarmMs).unref()
  })
  return async (): Promise<void> => {
    unsubscribe()
    if (early !== null) clearTimeout(early)
    await job.stop()
  }
}
