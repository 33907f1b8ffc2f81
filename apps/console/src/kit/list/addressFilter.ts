import { useState } from 'react'
import { useSearchParams } from 'react-router'

type Filter = Readonly<Record<string, unknown>>

/** The parser of a filter: a schema of the contract with only optional conditions. */
export interface FilterSchema<F extends Filter> {
  safeParse(value: unknown): { readonly success: true; readonly data: F } | { readonly success: false }
}

/** The filter in an address; empty if it is invalid. */
export function readFilter<F extends Filter>(schema: FilterSchema<F>, text: string | null): Partial<F> {
  let value: unknown
  try {
    value = JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
  const read = schema.safeParse(value)
  return read.success ? read.data : {}
}

/** The part of a filter that the address shows: no secret conditions; null if there are none. */
export function writeFilter<F extends Filter>(filter: Partial<F>, secret: readonly (keyof F)[]): string | null {
  const shown = Object.entries(filter).filter(([name]) => !secret.includes(name))
  const text = JSON.stringify(Object.fromEntries(shown))
  return text === '{}' ? null : text
}

/** Changes some conditions of the filter; `undefined` removes a condition. */
export function changeFilter<F extends Filter>(filter: F, part: Partial<Record<keyof F, unknown>>): F {
  const entries = Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined)
  // Every value comes from the filter or from the field of this condition.
  return Object.fromEntries(entries) as F
}

/**
 * A filter kept in the address, so that links contain it and going back restores it. Conditions in
 * `secret`, such as a phone number, stay out of the address, and so out of history, bookmarks and screenshots.
 */
export function useAddressFilter<F extends Filter>(
  schema: FilterSchema<F>,
  { secret = [] }: { readonly secret?: readonly (keyof F)[] } = {},
): readonly [filter: Partial<F>, setFilter: (filter: Partial<F>) => void] {
  const [params, setParams] = useSearchParams()
  const text = params.get('filter')
  const [known, setKnown] = useState(() => ({ text, filter: readFilter(schema, text) }))
  let { filter } = known
  if (known.text !== text) {
    filter = readFilter(schema, text)
    setKnown({ text, filter })
  }
  const change = (next: Partial<F>) => {
    const written = writeFilter(next, secret)
    setKnown({ text: written, filter: next })
    setParams((old) => {
      const others = new URLSearchParams(old)
      if (written === null) others.delete('filter')
      else others.set('filter', written)
      return others
    })
  }
  return [filter, change]
}
