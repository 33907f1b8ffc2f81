import { isApiError } from '#kit/api/error.ts'
import { createStore, useStore } from '#kit/store.ts'

/** `asked`: the person has to enter a code; `missing`: the person has to set up a second factor. */
export type DueFactor = 'asked' | 'missing'

const due = createStore<DueFactor | null>(null)

/** The step that the session still requires before anything else is allowed; null: none is known. */
export const dueFactor = (): DueFactor | null => due.get()
export const useDueFactor = (): DueFactor | null => useStore(due)

export function dueFactorOf(error: unknown): DueFactor | null {
  if (!isApiError(error)) return null
  if (error.code === 'totp_required') return 'asked'
  return error.code === 'totp_missing' ? 'missing' : null
}

/** Stores the second factor that a refusal asks for; null if the refusal is about something else. */
export function noteDueFactor(error: unknown): DueFactor | null {
  const found = dueFactorOf(error)
  if (found !== null) due.set(found)
  return found
}

export function clearDueFactor(): void {
  due.set(null)
}
