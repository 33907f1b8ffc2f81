import { fenceEndpoints, type Fence } from '@saddle/contract/geography/fences.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { FenceShapes } from '#kit/map/FenceShapes.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { useEndpoint } from '#kit/query.ts'

const staleMs = minuteMs
const none: readonly Fence[] = []

/** Service areas, parking places and zones where nobody may park, as they are in force (or were at a moment). */
export function FenceLayer({ theme, at, below }: { theme: MapTheme; at?: number; below?: string }) {
  const { data } = useEndpoint(fenceEndpoints.listFences, at === undefined ? {} : { at }, {
    staleMs,
    keepPrevious: true,
    quiet: true,
  })
  return <FenceShapes list={data?.data.list ?? none} theme={theme} {...(below !== undefined && { below })} />
}
