/** Whether a statement failed because a row with the same key was there already. */
export const isTaken = (error: unknown): boolean => stateOf(error) === '23505'

/** Whether a statement failed because another row still points at what it wanted to remove, or at nothing. */
export const isReferenced = (error: unknown): boolean => stateOf(error) === '23503'

function stateOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
