import type { Task } from '@saddle/contract/operations/tasks.ts'

/** A task as the person sees it: with what is still on its way to the server. */
export interface ShownTask {
  readonly task: Task
  readonly state: string
  readonly isWaiting: boolean
  readonly isRefused: boolean
  readonly metres: number | null
}
