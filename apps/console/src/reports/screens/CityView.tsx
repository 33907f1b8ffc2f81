import { useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { OperationsScreen } from '@saddle/contract/reports/screens.ts'
import type { MapBounds, MapViewpoint } from '#kit/map/view.ts'
import { animateFlows, arcsOf, drawGround } from './cityDrawing.ts'
import { projectionOf, stillFits, viewpointFor } from './projection.ts'
import { StageScale, stageSize } from './stageSize.ts'

type CityMap = OperationsScreen['map']

/** The part of the stage that no panel covers: all vehicles lie in it, and the lights move in it. */
const box = { left: 500, top: 130, width: 920, height: 760 } as const
const moving = { x: 480, y: 112, width: 960, height: 800 } as const
/** More pixels than this times the stage cost more than they show. */
const scaleMax = 2
const figuresFirstMs = 300

/**
 * The city behind the panels: a picture of the map, the density of vehicles over it and lights that move along the rides of the
 * last hour. The map itself is drawn once and let go.
 */
export function CityView({ map, label }: { readonly map: CityMap; readonly label: string }): ReactNode {
  const scale = Math.min(scaleMax, Math.max(1, useContext(StageScale)) * Math.min(devicePixelRatio, scaleMax))
  const bounds = useKeptBounds(map.bounds)
  const viewpoint = useMemo(() => (bounds === null ? null : viewpointFor(bounds, { size: stageSize, box })), [bounds])
  const project = useMemo(() => (viewpoint === null ? null : projectionOf(viewpoint, stageSize)), [viewpoint])
  const picture = usePicture(viewpoint, scale)
  const ground = useRef<HTMLCanvasElement>(null)
  const flows = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    const context = ground.current?.getContext('2d', { alpha: false }) ?? null
    if (context !== null && project !== null) drawGround(context, { map, project, picture, scale, ...stageSize })
  }, [map, project, picture, scale])

  useEffect(() => {
    // Not said to be opaque: what lies behind an opaque layer is cut out, and a cut within a pixel of the display is a light line.
    const context = flows.current?.getContext('2d') ?? null
    if (context === null || project === null || ground.current === null) return
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    return animateFlows(context, {
      arcs: arcsOf(map, project),
      ground: ground.current,
      scale,
      x: moving.x,
      y: moving.y,
    })
  }, [map, project, scale])

  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  return (
    <section className="wall-city" aria-label={label} data-drawn={picture !== null}>
      <canvas ref={ground} width={stageSize.width * scale} height={stageSize.height * scale} />
      {!isStill && (
        <canvas
          ref={flows}
          className="wall-flows"
          width={moving.width * scale}
          height={moving.height * scale}
          style={{ left: moving.x, top: moving.y, width: moving.width, height: moving.height }}
        />
      )}
    </section>
  )
}

/**
 * The basemap of a view as a picture; null until it is drawn, and where there is none. A hidden tab keeps it, and one of another
 * size stays until the next one is drawn.
 */
function usePicture(viewpoint: MapViewpoint | null, scale: number): HTMLCanvasElement | null {
  const [drawn, setDrawn] = useState<{
    readonly view: string
    readonly scale: number
    readonly picture: HTMLCanvasElement
  } | null>(null)
  const view = JSON.stringify(viewpoint)
  const isOfView = drawn?.view === view
  const isDrawn = isOfView && drawn.scale === scale
  useEffect(() => {
    if (viewpoint === null || isDrawn) return
    const stop = new AbortController()
    const draw = async (): Promise<void> => {
      const { drawMapPicture } = await import('#kit/map/mapPicture.ts')
      const picture = await drawMapPicture({
        theme: 'dark',
        viewpoint,
        ...stageSize,
        pixelRatio: scale,
        signal: stop.signal,
      })
      if (picture !== null && !stop.signal.aborted) setDrawn({ view, scale, picture })
    }
    // The figures come first.
    const timer = setTimeout(() => void draw().catch(() => null), figuresFirstMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [viewpoint, scale, view, isDrawn])
  return isOfView ? drawn.picture : null
}

/** The bounds that the map was drawn for, until vehicles leave them. */
function useKeptBounds(now: MapBounds | null): MapBounds | null {
  const [kept, setKept] = useState(now)
  if (now !== null && (kept === null || !stillFits(kept, now))) {
    setKept(now)
    return now
  }
  return kept
}
