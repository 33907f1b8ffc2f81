import { useCallback, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { MapLinkState } from './useMapLink.ts'
import { readMode, writeMode, type MapMode } from './mode.ts'

const names = ['layers', 'battery', 'idle', 'area', 'model', 'at'] as const

/** The map's mode, held by the address; the same object while its content is equal. */
export function useMapMode(edit: MapLinkState['edit']): {
  readonly mode: MapMode
  readonly setMode: (change: Partial<MapMode>) => void
} {
  const [params] = useSearchParams()
  const text = names.map((name) => params.get(name) ?? '').join('|')
  const [known, setKnown] = useState(() => ({ text, mode: readMode(params) }))
  const now = known.text === text ? known : { text, mode: readMode(params) }
  if (now !== known) setKnown(now)
  const setMode = useCallback((change: Partial<MapMode>) => edit((before) => writeMode(before, change)), [edit])
  return { mode: now.mode, setMode }
}
