import { useEffect, useRef, useState } from 'react'
import { dayMs } from '@saddle/contract/time.ts'
import { currentSession } from '#kit/session/store.ts'
import { readStored, removeStored, writeStored } from '#kit/storage.ts'

/** After a day nobody remembers what they were about to do. */
const keptMs = dayMs

export interface Draft<T> {
  /** What was left here earlier, until it is taken up or discarded. */
  readonly offered: T | null
  /** Hands over what was offered. */
  readonly takeUp: () => T | null
  /** Forgets what was offered and what was kept. */
  readonly discard: () => void
}

/** Drafts belong to a person: the next one at this browser is not shown them. */
const keyOf = (form: string): string => `draft:${currentSession()?.objectId ?? ''}:${form}`

/**
 * Keeps what was typed into a form while it differs from how it began, in this browser and for this person, so that
 * leaving by accident loses nothing. `form` names the form and what it is about. Logging out discards it, and so does
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
    // The form has become that of another call, and what was typed has gone with it.
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
