/** Whether a statement failed because a row with the same key was there already. */
export const isTaken = (error: unknown): boolean => stateOf(error) === '23505'

/** Whether a statement failed because another row still points at what it wanted to remove, or at nothing. */
export const isReferenced = (error: unknown): boolean => stateOf(error) === '23503'

function stateOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/**
 * The database could not be asked, or the line to it broke: no connection was free in time, it starts, stops, is gone or
 * full. Whether the last statement was carried out may be unknown.
 */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError'
}

export function isDatabaseAway(error: unknown): boolean {
  return error instanceof DatabaseAwayError || isServersState(stateOf(error))
}

/** Whether an error is one that node-postgres reports when a connection breaks during a statement. */
export function isLineFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isSockets = 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write')
  return isSockets || /^(?:Connection terminated|Client has encountered a connection error)/.test(error.message)
}

/** Connection exceptions, too many connections, no memory or disk, operator intervention, a statement that took too long. */
const isServersState = (state: unknown): boolean => typeof state === 'string' && /^(?:08|53|57)[\dA-Z]{3}$/.test(state)
