import { AppError } from '@saddle/contract/errors.ts'

/** More ids than any call takes. */
const eachMax = 2_000

export interface Each {
  readonly done: number[]
  readonly refused: { readonly id: number; readonly promot: string }[]
}

/**
 * Does the work for each id once and by itself: one that is refused holds up none of the others. Of a single id the
 * refusal is the answer.
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
