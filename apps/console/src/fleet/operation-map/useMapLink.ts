import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigation, useSearchParams } from 'react-router'
import type { MapViewpoint } from '#kit/map/view.ts'
import { readLink, writeLink, type MapLink } from './link.ts'

export interface MapLinkState {
  readonly link: MapLink
  /** A view that something other than this page wrote to the address. */
  readonly outsideView: MapViewpoint | null
  /** What something other than this page last wrote to the address, and at first what it says; a new object each time. */
  readonly outside: MapLink
  /** Writes parts of the link in place of the present one, at once or after a pause. */
  readonly change: (change: Partial<MapLink>, pauseMs?: number) => void
  /** Writes other parameters of the address, on top of what this page has written and the router has not shown yet. */
  readonly edit: (make: (params: URLSearchParams) => URLSearchParams) => void
}

/** Own writes that the router has not shown yet; it shows them one by one, or the last one alone. */
const writesMax = 50

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
  /** The parameters that this page wants: they only move forward, whatever a late render still shows. */
  const latest = useRef(params)
  const writes = useRef<string[]>([])
  const seen = useRef(params.toString())
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const shown = useRef(false)
  const [outside, setOutside] = useState(() => ({ link: readLink(params), view: null as MapViewpoint | null }))
  useEffect(() => {
    const now = params.toString()
    if (now === seen.current) return
    seen.current = now
    const own = writes.current.indexOf(now)
    if (own !== -1) {
      writes.current.splice(0, own + 1)
      return
    }
    writes.current = []
    const view = params.get('view') === latest.current.get('view') ? null : readLink(params).view
    latest.current = params
    setOutside({ link: readLink(params), view })
  }, [params])
  const write = useRef(setParams)
  const path = useRef(pathname)
  useEffect(() => {
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
  const edit = useCallback((make: (params: URLSearchParams) => URLSearchParams) => {
    // Writing now would undo the user's navigation: one that this page knows of, or one that the address alone shows yet.
    if (!shown.current || isLeaving.current || isElsewhere(path.current)) return
    const next = make(latest.current)
    const text = next.toString()
    if (text === latest.current.toString()) return
    latest.current = next
    writes.current = [...writes.current, text].slice(-writesMax)
    write.current(next, { replace: true })
  }, [])
  const change = useCallback(
    (part: Partial<MapLink>, pauseMs?: number) => {
      if (!shown.current) return
      const put = () => edit((now) => writeLink(now, part))
      if (pauseMs === undefined) return put()
      clearTimeout(timer.current)
      timer.current = setTimeout(put, pauseMs)
    },
    [edit],
  )
  const text = params.toString()
  const [known, setKnown] = useState(() => ({ text, link: readLink(params) }))
  const told = { outsideView: outside.view, outside: outside.link, change, edit }
  if (known.text === text) return { link: known.link, ...told }
  const link = keepFilter(known.link, readLink(params))
  setKnown({ text, link })
  return { link, ...told }
}

/** The filter keeps its identity while its content is equal, so that moving the map redraws nothing. */
function keepFilter(before: MapLink, next: MapLink): MapLink {
  const same =
    before.filter.flag === next.filter.flag &&
    before.filter.states.join() === next.filter.states.join() &&
    before.filter.alarms.join() === next.filter.alarms.join()
  return same ? { ...next, filter: before.filter } : next
}
