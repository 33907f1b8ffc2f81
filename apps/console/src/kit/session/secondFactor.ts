import { isApiError } from '#kit/api/error.ts'
import { createStore, useStore } from '#kit/store.ts'

/** `asked`: the person's code is waited for; `missing`: they have to set a second factor up. */
export type DueFactor = 'asked' | 'missing'

const due = createStore<DueFactor | null>(null)

/** What the session still owes before anything else is open to it; null: nothing that is known. */
export const dueFactor = (): DueFactor | null => due.get()
export const useDueFactor = (): DueFactor | null => useStore(due)

export function dueFactorOf(error: unknown): DueFactor | null {
  if (!isApiError(error)) return null
  if (error.code === 'totp_required') return 'asked'
  return error.code === 'totp_missing' ? 'missing' : null
}

/** Remembers what a refusal says of the second factor; null when it says nothing of it. */
export function noteDueFactor(error: unknown): DueFactor | null {
  const found = dueFactorOf(error)
  if (found !== null) due.set(found)
  return found
}

export function clearDueFactor(): void {
  due.set(null)
}
