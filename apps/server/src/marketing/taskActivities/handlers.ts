import { AppError } from '@saddle/contract/errors.ts'
import { taskTermsSchema, type taskActivityEndpoints } from '@saddle/contract/marketing/taskActivities.ts'
import type { Handlers } from '#kit/call.ts'
import type { ActivityDeps } from '../activities/deps.ts'
import { serveActivities } from '../activities/handlers.ts'
import type { Rewards } from '../rewards/rewards.ts'
import { previewTask } from './preview.ts'

/** Custom activities. */
export function createTaskActivityHandlers(
  deps: ActivityDeps & { readonly rewards: Rewards },
): Handlers<typeof taskActivityEndpoints> {
  const served = serveActivities(deps, {
    kind: 'task',
    terms: taskTermsSchema,
    fileName: 'task-activities',
    check: async (tx, { agentId, terms }) => {
      const rewards = terms.levels.flatMap((level) => level.rewards)
      await deps.rewards.price(tx, { agentId, rewards, at: new Date(deps.kit.clock.now()) })
    },
    preview: (asked) => previewTask(deps, asked),
  })
  return {
    listTaskActivities: served.list,
    sumTaskActivities: served.sums,
    exportTaskActivities: served.file,
    createTaskActivity: served.create,
    changeTaskActivity: served.change,
    switchTaskActivity: served.switchState,
    taskActivityVersions: served.versions,
    previewTaskActivity: async ({ agentId, common, terms, weeks }, { scope }) => {
      if (!scope.agentIds.includes(agentId)) throw new AppError('not_found')
      const own = { ...scope, agentIds: [agentId] }
      return { suc: true, data: await previewTask(deps, { scope: own, agentId, common, terms, weeks }) }
    },
  }
}
