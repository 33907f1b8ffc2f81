import { AppError } from '@saddle/contract/errors.ts'

/** Sanity limit: higher than the number of ids that any call accepts. */
const eachMax = 2_000

export interface Each {
  readonly done: number[]
  readonly refused: { readonly id: number; readonly promot: string }[]
}

/**
 * Processes each id once and independently: a refused id does not stop the others. For a single id, the refusal is
 * thrown.
 */
export async function each(ids: readonly number[], work: (id: number) => Promise<void>): Promise<Each> {
  if (ids.length > eachMax) throw new RangeError(`${ids.length} ids are more than one call takes`)
  const answer: Each = { done: [], refused: [] }
  for (const id of new Set(ids)) {
    try {
      await work(id)
      answer.done.push(id)
    } catch (error) {
      if (!(error instanceof AppError) || ids.length === 1) throw error
      answer.refused.push({ id, promot: error.message })
    }
  }
  return answer
}
