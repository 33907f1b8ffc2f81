import { fenceEndpoints, type Fence } from '@saddle/contract/geography/fences.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { FenceShapes } from '#kit/map/FenceShapes.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { useEndpoint } from '#kit/query.ts'

const staleMs = minuteMs
const none: readonly Fence[] = []

interface Props {
  readonly theme: MapTheme
  readonly at?: number
  readonly below?: string
  /** How many stand in the parking spots, as far as the map knows them. */
  readonly parked?: (list: readonly Fence[]) => ReadonlyMap<number, number> | null
}

/** Service areas, parking places and zones where nobody may park, as they are in force (or were at a moment). */
export function FenceLayer({ theme, at, below, parked }: Props) {
  const { data } = useEndpoint(fenceEndpoints.listFences, at === undefined ? {} : { at }, {
    staleMs,
    keepPrevious: true,
    quiet: true,
  })
  const list = data?.data.list ?? none
  return (
    <FenceShapes list={list} theme={theme} parked={parked?.(list) ?? null} {...(below !== undefined && { below })} />
  )
}
