import type { parkApplicationEndpoints } from '@saddle/contract/operations/parkApplications.ts'
import type { repairConfigEndpoints } from '@saddle/contract/operations/repairConfig.ts'
import type { taskRuleEndpoints } from '@saddle/contract/operations/taskRules.ts'
import type { workAreaEndpoints } from '@saddle/contract/operations/workAreas.ts'
import type { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import type { rebalancingEndpoints } from '@saddle/contract/operations/rebalancing.ts'
import type { ticketEndpoints } from '@saddle/contract/operations/tickets.ts'
import type { Audit } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import { createWorkAreaHandlers } from './workAreas/handlers.ts'
import { createParkApplicationHandlers } from './parkApplications/handlers.ts'
import { createRebalancingHandlers } from './rebalancing/handlers.ts'
import { createRepairHandlers } from './repairConfig/handlers.ts'
import { createRuleHandlers } from './taskRules/handlers.ts'
import { runTaskRules, type PassResult } from './taskRules/pass.ts'
import { startTaskRules } from './taskRules/watch.ts'
import { createStatisticsHandlers, type StatisticsCalls } from './statistics/handlers.ts'
import { createTaskHandlers } from './tasks/handlers.ts'
import { createTicketHandlers } from './tickets/handlers.ts'

export type OperationsEndpoints = typeof ticketEndpoints &
  typeof taskEndpoints &
  typeof taskRuleEndpoints &
  typeof repairConfigEndpoints &
  typeof workAreaEndpoints &
  typeof rebalancingEndpoints &
  typeof parkApplicationEndpoints &
  StatisticsCalls
export { reportFault } from './tasks/fault.ts'

export { openTasks, type NewTask } from './tasks/open.ts'

export type Operations = {
  readonly handlers: Handlers<OperationsEndpoints>
  /** Goes by the areas' rules once. For the worker; safe on several at once. */
  runRules(): Promise<PassResult>
  /** Does so again and again; returns what ends it and resolves when the running turn has ended. */
  startBackground(): () => Promise<void>
}

/** The work of field staff on vehicles. */
export function createOperations(
  kit: Kit,
  others: { readonly audit: Audit; readonly fleet: Fleet; readonly geography: Geography; readonly photos: Photos },
): Operations {
  const parts = { kit, ...others }
  return {
    handlers: {
      ...createTicketHandlers(parts),
      ...createTaskHandlers(parts),
      ...createRuleHandlers(parts),
      ...createRepairHandlers(parts),
      ...createWorkAreaHandlers(parts),
      ...createRebalancingHandlers(parts),
      ...createParkApplicationHandlers(parts),
      ...createStatisticsHandlers(parts),
    },
    runRules: () => runTaskRules(parts),
    startBackground: () => startTaskRules(parts),
  }
}
