import type { Kit } from '#kit/kit.ts'
import { randomBelow } from '#kit/random.ts'

/** What a drawn question has found: how many cells it has, and which of them differ. */
export type Draw = { readonly cells: number; readonly faults: readonly string[] }

export const below = (random: Kit['random'], bound: number): number => randomBelow({ random, bound })

export function pick<T>(random: Kit['random'], all: readonly T[]): T {
  const found = all[below(random, all.length)]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}
