import { useState, type ReactNode } from 'react'
import { boxOf } from '@saddle/contract/geography/shape.ts'
import { t } from '#kit/i18n/index.ts'
import { parseCorners, textOf, type Corner } from '#kit/map/draw/corners.ts'
import { polygonOf, shapeOf, type Sketch } from '#kit/map/draw/sketch.ts'
import type { Drawing } from '#kit/map/draw/useDrawing.ts'
import { gcj02Of, wgs84Of } from '#kit/map/gcj02.ts'
import type { MapBounds } from '#kit/map/view.ts'
import { Button } from '#kit/plain/Button.tsx'
import type { Datum } from '../fences/words.ts'
import type { Plan } from './plan.ts'

const decimals = 1e6
const rounded = (value: number): number => Math.round(value * decimals) / decimals
const shown = ([lng, lat]: Corner, datum: Datum): Corner => {
  const place = datum === 'gcj02' ? gcj02Of({ lng, lat }) : { lng, lat }
  return [rounded(place.lng), rounded(place.lat)]
}
const stored = ([lng, lat]: Corner, datum: Datum): Corner => {
  const place = datum === 'gcj02' ? wgs84Of({ lng, lat }) : { lng, lat }
  return [place.lng, place.lat]
}

interface Props {
  readonly drawing: Drawing<Plan>
  readonly datum: Datum
  readonly onFocus: (bounds: MapBounds) => void
}

/** For whoever cannot drag, and for shapes that come from elsewhere. */
export function CornerText({ drawing, datum, onFocus }: Props): ReactNode {
  const [typed, setTyped] = useState<string | null>(null)
  const { plan } = drawing
  const given = typed === null ? null : sketchFrom(typed, datum)
  const system = datum === 'gcj02' ? 'GCJ-02' : 'WGS-84'
  return (
    <details className="fences-text">
      <summary>{t('坐标（{{system}}）', { system })}</summary>
      <textarea
        rows={5}
        spellCheck={false}
        aria-label={t('每行一个“经度,纬度”；圆写作“经度,纬度,半径（米）”')}
        value={typed ?? textFor(plan.sketch, datum)}
        onChange={(event) => setTyped(event.target.value)}
      />
      {typed !== null && given === null && (
        <p className="fences-note" data-tone="bad">
          {t('每行一个“经度,纬度”，至少三行；圆写作一行“经度,纬度,半径（米）”')}
        </p>
      )}
      <Button
        disabled={given === null}
        onClick={() => {
          if (given === null) return
          drawing.change({ ...plan, sketch: withHolesOf(plan.sketch, given) })
          onFocus(boxOf(shapeOf(given)))
          setTyped(null)
        }}
      >
        {t('应用坐标')}
      </Button>
    </details>
  )
}

/** The text tells of the line around; what was cut out inside stays. */
const withHolesOf = (before: Sketch | null, given: Sketch): Sketch =>
  given.kind === 'polygon' && before?.kind === 'polygon'
    ? { ...given, lines: [...given.lines, ...before.lines.slice(1)] }
    : given

function textFor(sketch: Sketch | null, datum: Datum): string {
  if (sketch === null) return ''
  if (sketch.kind === 'circle') return [...shown(sketch.centre, datum), sketch.radiusM].join(',')
  return textOf((sketch.lines[0] ?? []).map((corner) => shown(corner, datum)))
}

const circle = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[,，]\s*(-?\d{1,2}(?:\.\d+)?)\s*[,，]\s*(\d{1,4}(?:\.\d+)?)\s*$/

function sketchFrom(text: string, datum: Datum): Sketch | null {
  const [, lng, lat, radius] = circle.exec(text) ?? []
  if (lng !== undefined && lat !== undefined && radius !== undefined) {
    return { kind: 'circle', centre: stored([Number(lng), Number(lat)], datum), radiusM: Number(radius) }
  }
  const corners = parseCorners(text)
  return corners === null ? null : polygonOf(corners.map((corner) => stored(corner, datum)))
}
