import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import { clockOf } from '@saddle/contract/geography/exchange.ts'
import { fenceEndpoints } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints, type FenceDraft } from '@saddle/contract/geography/manage.ts'
import type { Datum } from '@saddle/geo/gcj02.ts'
import { boxOf, type Shape } from '@saddle/geo/shape.ts'
import { number } from '#kit/format.ts'
import type { MapBounds } from '#kit/map/view.ts'
import { t } from '#kit/i18n/index.ts'

export const titleOf = (kind: FenceKind, datum: Datum): string => {
  if (kind === 'service_area') return t('服务区围栏')
  if (kind === 'no_stop') return t('禁停区围栏')
  return datum === 'gcj02' ? t('停车点围栏(腾讯)') : t('停车点围栏')
}

export const kindWord = (kind: FenceKind): string => {
  if (kind === 'service_area') return t('服务区')
  return kind === 'no_stop' ? t('禁停区') : t('停车点')
}

export const shapeOf = ({ ring, holes, centre, radiusM }: Fence): Shape =>
  ring === null ? { centre, radiusM: radiusM ?? 0 } : { ring, holes }

export const boundsOf = (fence: Fence): MapBounds => boxOf(shapeOf(fence))

/** The fence's current values, to be sent again. */
export function draftOf(fence: Fence): FenceDraft {
  const { name, capacity, hours, ring, holes, centre, radiusM } = fence
  const shape = ring === null ? { centre, radiusM: radiusM ?? 0 } : { ring, holes }
  return { name, capacity, hours, shape }
}

export function hoursWord({ hours }: Pick<Fence, 'hours'>): string {
  return hours === null ? t('全天') : `${clockOf(hours.opensMinute)}–${clockOf(hours.closesMinute)}`
}

export function sizeWord(areaM2: number): string {
  return areaM2 >= 100_000 ? `${(areaM2 / 1e6).toFixed(2)} km²` : `${number(Math.round(areaM2))} m²`
}

/** Queries that a change makes stale. */
export const fenceReadings = [
  fenceManageEndpoints.listElectricFences,
  fenceManageEndpoints.electricFence,
  fenceEndpoints.listFences,
]
