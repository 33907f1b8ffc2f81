import { z } from 'zod'
import { idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { scopeListMax } from '#contract/constants.ts'
import {
  taskKinds,
  taskOutcomes,
  taskPriorities,
  taskReviews,
  taskSources,
  taskStates,
  taskTriggers,
} from './taskWords.ts'

const prioritySchema = z.literal(taskPriorities)

/** Conditions that a task must all meet; one that is absent asks for nothing. */
export const taskFilterSchema = z.strictObject({
  /** Start of the vehicle's number. */
  keyword: searchTextSchema.min(1).max(40).optional(),
  vehicleId: idSchema.optional(),
  kinds: z.array(z.enum(taskKinds)).min(1).max(taskKinds.length).optional(),
  states: z.array(z.enum(taskStates)).min(1).max(taskStates.length).optional(),
  sources: z.array(z.enum(taskSources)).min(1).max(taskSources.length).optional(),
  triggers: z.array(z.enum(taskTriggers)).min(1).max(taskTriggers.length).optional(),
  priorities: z.array(prioritySchema).min(1).max(taskPriorities.length).optional(),
  reviews: z.array(z.enum(taskReviews)).min(1).max(taskReviews.length).optional(),
  outcomes: z.array(z.enum(taskOutcomes)).min(1).max(taskOutcomes.length).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  assigneeId: idSchema.optional(),
  /** Only the caller's own. */
  mine: z.boolean().optional(),
  /** Start of the name of who has it or did it. */
  person: searchTextSchema.min(1).max(40).optional(),
  /** Not finished, and later than it was to be. */
  overdue: z.boolean().optional(),
  /** By the time of opening. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  /** By the time at which it was done or cancelled. */
  doneFrom: instantSchema.optional(),
  doneTo: instantSchema.optional(),
})
export type TaskFilter = z.output<typeof taskFilterSchema>
