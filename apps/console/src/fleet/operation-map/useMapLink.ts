import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigation, useSearchParams } from 'react-router'
import type { MapViewpoint } from '#kit/map/view.ts'
import { readLink, writeLink, type MapLink } from './link.ts'

export interface MapLinkState {
  readonly link: MapLink
  /** A view that something other than this page wrote to the address. */
  readonly outsideView: MapViewpoint | null
  /** Writes parts of the link in place of the present one, at once or after a pause. */
  readonly change: (change: Partial<MapLink>, pauseMs?: number) => void
}

/** The address bar has moved on to another page, which is not rendered yet. Without a hash the router keeps no address there. */
function isElsewhere(path: string): boolean {
  const [shown = ''] = location.hash.slice(1).split('?')
  return shown !== '' && shown !== path
}

/** The page's part of the address: what it says, and a way to keep it up to date. */
export function useMapLink(): MapLinkState {
  const [params, setParams] = useSearchParams()
  const { pathname } = useLocation()
  const goingTo = useNavigation().location?.pathname
  /** The user is navigating to another page whose code is still loading. */
  const isLeaving = useRef(false)
  const latest = useRef(params)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const shown = useRef(false)
  /** The view that this page wrote last, or began with. */
  const own = useRef(params.get('view'))
  const [outsideView, setOutsideView] = useState<MapViewpoint | null>(null)
  useEffect(() => {
    const text = params.get('view')
    if (text === own.current) return
    own.current = text
    setOutsideView(readLink(params).view)
  }, [params])
  const write = useRef(setParams)
  const path = useRef(pathname)
  useEffect(() => {
    latest.current = params
    write.current = setParams
    path.current = pathname
    isLeaving.current = goingTo !== undefined && goingTo !== pathname
  })
  useEffect(() => {
    shown.current = true
    return () => {
      // A hidden page must not change the address bar.
      shown.current = false
      clearTimeout(timer.current)
    }
  }, [])
  const change = useCallback((part: Partial<MapLink>, pauseMs?: number) => {
    if (!shown.current) return
    const put = () => {
      // Writing now would undo the user's navigation: one that this page knows of, or one that the address alone shows yet.
      if (isLeaving.current || isElsewhere(path.current)) return
      const next = writeLink(latest.current, part)
      if (next.toString() === latest.current.toString()) return
      latest.current = next
      own.current = next.get('view')
      write.current(next, { replace: true })
    }
    if (pauseMs === undefined) return put()
    clearTimeout(timer.current)
    timer.current = setTimeout(put, pauseMs)
  }, [])
  const text = params.toString()
  const [known, setKnown] = useState(() => ({ text, link: readLink(params) }))
  if (known.text === text) return { link: known.link, outsideView, change }
  const link = keepFilter(known.link, readLink(params))
  setKnown({ text, link })
  return { link, outsideView, change }
}

/** The filter keeps its identity while its content is equal, so that moving the map redraws nothing. */
function keepFilter(before: MapLink, next: MapLink): MapLink {
  const same = before.filter.flag === next.filter.flag && before.filter.states.join() === next.filter.states.join()
  return same ? { ...next, filter: before.filter } : next
}
