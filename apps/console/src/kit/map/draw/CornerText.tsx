import { useState, type ReactNode } from 'react'
import { gcj02Of, type Datum, wgs84Of } from '@saddle/geo/gcj02.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { parseCorners, textOf, type Corner } from './corners.ts'
import { polygonOf, type Sketch } from './sketch.ts'
import './draw.css'

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
  readonly sketch: Sketch | null
  readonly datum: Datum
  /** `false`: outlines only. */
  readonly allowsCircle: boolean
  readonly onChange: (next: Sketch) => void
}

/** Coordinates as text: for people who cannot drag, and for shapes from other software. */
export function CornerText({ sketch, datum, allowsCircle, onChange }: Props): ReactNode {
  const [typed, setTyped] = useState<string | null>(null)
  const given = typed === null ? null : sketchFrom(typed, { datum, allowsCircle })
  const system = datum === 'gcj02' ? 'GCJ-02' : 'WGS-84'
  const form = allowsCircle
    ? t('每行一个“经度,纬度”，至少三行；圆写作一行“经度,纬度,半径（米）”')
    : t('每行一个“经度,纬度”，至少三行；或粘贴 GeoJSON 多边形')
  return (
    <details className="draw-text">
      <summary>{t('坐标（{{system}}）', { system })}</summary>
      <textarea
        rows={6}
        spellCheck={false}
        aria-label={form}
        value={typed ?? textFor(sketch, datum)}
        onChange={(event) => setTyped(event.target.value)}
      />
      {typed !== null && given === null && (
        <p className="draw-note" data-tone="bad">
          {form}
        </p>
      )}
      <Button
        disabled={given === null}
        onClick={() => {
          if (given === null) return
          onChange(withHolesOf(sketch, given))
          setTyped(null)
        }}
      >
        {t('应用坐标')}
      </Button>
    </details>
  )
}

/** The text contains only the outline; the sketch keeps its holes. */
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

function sketchFrom(text: string, { datum, allowsCircle }: { datum: Datum; allowsCircle: boolean }): Sketch | null {
  const [, lng, lat, radius] = (allowsCircle ? circle.exec(text) : null) ?? []
  if (lng !== undefined && lat !== undefined && radius !== undefined) {
    return { kind: 'circle', centre: stored([Number(lng), Number(lat)], datum), radiusM: Number(radius) }
  }
  const corners = parseCorners(text)
  return corners === null ? null : polygonOf(corners.map((corner) => stored(corner, datum)))
}
