import { useEffect, useRef, useState } from 'react'
import { dayMs } from '@saddle/contract/time.ts'
import { currentSession } from '#kit/session/store.ts'
import { readStored, removeStored, writeStored } from '#kit/storage.ts'

/** Drafts expire after a day, because nobody remembers the context by then. */
const keptMs = dayMs

export interface Draft<T> {
  /** The earlier draft, until it is restored or discarded. */
  readonly offered: T | null
  /** Returns the offered draft. */
  readonly takeUp: () => T | null
  /** Deletes the offered and the stored draft. */
  readonly discard: () => void
}

/** Drafts belong to a person: the next user of this browser does not see them. */
const keyOf = (form: string): string => `draft:${currentSession()?.objectId ?? ''}:${form}`

/**
 * Keeps edited form values in this browser for this person while they differ from the initial ones, so that
 * leaving by accident loses nothing. `form` names the form and its subject. Logging out discards it, and so does
 * `discard`, which a form calls after success. `values` must hold nothing secret.
 */
export function useDraft<T>(
  form: string,
  values: T,
  isDirty: boolean,
  isFit: (value: unknown) => value is T,
): Draft<T> {
  const [offered, setOffered] = useState<T | null>(() => {
    const stored = readStored(keyOf(form))
    return isFit(stored) ? stored : null
  })
  const text = JSON.stringify(values)
  const last = useRef(form)
  useEffect(() => {
    // The form now belongs to another call, and its typed values were dropped.
    if (last.current !== form) removeStored(keyOf(last.current))
    last.current = form
  }, [form])
  useEffect(() => {
    if (isDirty) writeStored(keyOf(form), JSON.parse(text) as unknown, keptMs)
  }, [form, text, isDirty])
  return {
    offered,
    takeUp: () => {
      setOffered(null)
      return offered
    },
    discard: () => {
      setOffered(null)
      removeStored(keyOf(form))
    },
  }
}
