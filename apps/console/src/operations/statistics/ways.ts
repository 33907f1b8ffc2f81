import type { LatLng } from '@saddle/geo/earth.ts'

/** Moves from one place to another. */
export interface Way {
  readonly from: string
  readonly to: string
  readonly count: number
  readonly fromAt: LatLng | null
  readonly toAt: LatLng | null
}

export type DrawnWay = Way & { readonly fromAt: LatLng; readonly toAt: LatLng }

/** Between two known places; those within one have no line. */
export const isDrawn = (way: Way): way is DrawnWay => way.fromAt !== null && way.toAt !== null && way.from !== way.to
