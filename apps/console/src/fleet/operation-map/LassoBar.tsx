import { useCallback, useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { ManyVehicles } from '../service/VehicleWork.tsx'
import { passes, type Filter } from './filter.ts'
import { isInside, type Corner } from '#kit/map/lasso/polygon.ts'
import type { VehicleStore } from './store.ts'
import { useEscape } from './useEscape.ts'
import { useVehicleVersion } from './useLiveVehicles.ts'

export interface LassoState {
  readonly drawing: boolean
  readonly corners: readonly Corner[]
  /** Vehicles inside; they come and go as they move. */
  readonly inside: readonly number[]
  /** The vehicles that a command is being written to. */
  readonly commanding: readonly number[] | null
  readonly toggle: () => void
  readonly undo: () => void
  readonly onCorner: (corner: Corner) => void
  readonly command: () => void
  readonly finish: () => void
}

/** Vehicles that are chosen by drawing around them. */
export function useLasso({ store, filter }: { store: VehicleStore; filter: Filter }): LassoState {
  const [corners, setCorners] = useState<readonly Corner[]>([])
  const [drawing, setDrawing] = useState(false)
  const [commanding, setCommanding] = useState<readonly number[] | null>(null)
  useVehicleVersion(store)
  const inside =
    corners.length < 3
      ? []
      : [...store.all().values()]
          .filter((vehicle) => passes(vehicle, filter) && isInside(corners, vehicle))
          .map((vehicle) => vehicle.id)
  const stop = () => {
    setDrawing(false)
    setCorners([])
  }
  return {
    drawing,
    corners,
    inside,
    commanding,
    toggle: () => (drawing ? stop() : setDrawing(true)),
    undo: () => setCorners(corners.slice(0, -1)),
    onCorner: useCallback((corner: Corner) => setCorners((before) => [...before, corner]), []),
    command: () => setCommanding(inside),
    finish: () => {
      setCommanding(null)
      stop()
    },
  }
}

export function LassoBar({ lasso }: { lasso: LassoState }): ReactNode {
  const { corners, inside, undo, toggle, command, commanding } = lasso
  useEscape({ active: commanding === null, leave: toggle })
  return (
    <section className="om-lasso" aria-label={t('框选车辆')}>
      <output>
        {corners.length < 3 ? t('在地图上依次点出要框选的范围') : t('框内 {{count}} 辆车', { count: inside.length })}
      </output>
      <Button look="quiet" disabled={corners.length === 0} onClick={undo}>
        {t('撤销上一点')}
      </Button>
      <Button look="quiet" onClick={toggle}>
        {t('取消')}
      </Button>
      <ManyVehicles vehicleIds={inside} />
      <Permit action="030101">
        <Button look="primary" disabled={inside.length === 0} onClick={command}>
          {t('批量指令')}
        </Button>
      </Permit>
    </section>
  )
}
