import type { TaskKind } from './taskWords.ts'

/** By when work of a kind is to be done where an area says nothing else, in minutes. */
export const taskTargetMinutes: Readonly<Record<TaskKind, number>> = {
  battery_swap: 240,
  move: 240,
  repair: 1_440,
  inspect: 720,
  retrieve: 120,
  relocate: 240,
}
export const targetMinutesMax = 14 * 24 * 60
