import { useState, type KeyboardEvent } from 'react'
import { vehicleEndpoints, vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { contains, type MapBounds } from '#kit/map/view.ts'
import { useEndpoint } from '#kit/query.ts'
import { passes, type Filter } from './filter.ts'
import type { VehicleStore } from './store.ts'
import { drawOrder, symbolOf } from './symbol.ts'
import { useVehicleVersion } from './useLiveVehicles.ts'
import { BadgeMark, VehicleMark } from './VehicleMark.tsx'

interface Props {
  readonly store: VehicleStore
  readonly filter: Filter
  readonly bounds: MapBounds | null
  readonly selectedId: number | null
  readonly theme: MapTheme
  readonly onPick: (id: number) => void
  readonly onClearFilter: () => void
}

const rowsPerPage = 10

/** The vehicles of the view that pass the filter, what needs a person first. */
function vehiclesInView(store: VehicleStore, filter: Filter, bounds: MapBounds | null): LiveVehicle[] {
  const found: { readonly vehicle: LiveVehicle; readonly order: number }[] = []
  for (const vehicle of store.all().values()) {
    // Computed once per vehicle, not in every comparison: a view holds thousands.
    if (isInView(vehicle, filter, bounds)) found.push({ vehicle, order: drawOrder(symbolOf(vehicle)) })
  }
  found.sort((one, other) => other.order - one.order || one.vehicle.id - other.vehicle.id)
  return found.map(({ vehicle }) => vehicle)
}

export function countInView(store: VehicleStore, filter: Filter, bounds: MapBounds | null): number {
  let count = 0
  for (const vehicle of store.all().values()) if (isInView(vehicle, filter, bounds)) count += 1
  return count
}

const isInView = (vehicle: LiveVehicle, filter: Filter, bounds: MapBounds | null): boolean =>
  (bounds === null || contains(bounds, vehicle)) && passes(vehicle, filter)

/** How many vehicles the clusters of the view stand for. */
export function clustered(store: VehicleStore, bounds: MapBounds | null): number {
  let sum = 0
  for (const cluster of store.clusters().values()) {
    if (bounds === null || contains(bounds, cluster)) sum += cluster.count
  }
  return sum
}

/** Rows keep their places while the pointer or the focus is among them; what is new comes at the end. */
export function arrange(fresh: readonly LiveVehicle[], heldIds: readonly number[] | null): readonly LiveVehicle[] {
  if (heldIds === null) return fresh
  const present = new Map(fresh.map((vehicle) => [vehicle.id, vehicle]))
  const held = new Set(heldIds)
  const kept = heldIds.flatMap((id) => present.get(id) ?? [])
  return [...kept, ...fresh.filter((vehicle) => !held.has(vehicle.id))]
}

/** The map's content as a list: for the keyboard, for screen readers, and for browsers without WebGL. */
export function VehicleList({ store, filter, bounds, selectedId, theme, onPick, onClearFilter }: Props) {
  useVehicleVersion(store)
  const [page, setPage] = useState(0)
  const [heldIds, setHeldIds] = useState<readonly number[] | null>(null)
  if (store.updatedAt() === null) return <Skeleton />
  if (store.clusters().size > 0)
    return <p className="om-nothing">{t('离得太远，放大地图或点一个圆圈，就能看到每辆车')}</p>
  const rows = arrange(vehiclesInView(store, filter, bounds), heldIds)
  if (rows.length === 0) {
    // Vehicles that the view holds and the list does not are hidden by the filter; without them there is nothing to clear.
    const isFiltered = [...store.all().values()].some((vehicle) => bounds === null || contains(bounds, vehicle))
    return <Nothing filtered={isFiltered} onClearFilter={onClearFilter} />
  }

  const at = Math.min(page, Math.ceil(rows.length / rowsPerPage) - 1)
  const hold = () => setHeldIds(rows.map((vehicle) => vehicle.id))
  const letGo = () => setHeldIds(null)
  return (
    <>
      <div
        role="presentation"
        onPointerEnter={hold}
        onPointerLeave={letGo}
        onFocus={hold}
        onBlur={letGo}
        onKeyDown={moveFocus}
      >
        <ul className="om-list" aria-label={t('视野内的车辆')}>
          {rows.slice(at * rowsPerPage, (at + 1) * rowsPerPage).map((vehicle) => (
            <Row
              key={vehicle.id}
              vehicle={vehicle}
              theme={theme}
              selected={vehicle.id === selectedId}
              onPick={onPick}
            />
          ))}
        </ul>
      </div>
      <Pages at={at} count={Math.ceil(rows.length / rowsPerPage)} onPage={setPage} />
    </>
  )
}

function Pages({ at, count, onPage }: { at: number; count: number; onPage: (page: number) => void }) {
  if (count < 2) return null
  return (
    <nav className="om-pages" aria-label={t('列表翻页')}>
      <button type="button" className="om-link" disabled={at === 0} onClick={() => onPage(at - 1)}>
        {t('上一页')}
      </button>
      <span>
        {at + 1} / {count}
      </span>
      <button type="button" className="om-link" disabled={at === count - 1} onClick={() => onPage(at + 1)}>
        {t('下一页')}
      </button>
    </nav>
  )
}

interface RowProps {
  readonly vehicle: LiveVehicle
  readonly theme: MapTheme
  readonly selected: boolean
  readonly onPick: (id: number) => void
}

/** A printed number never changes: it is read once for each row that is looked at. */
const numberStaleMs = hourMs

function Row({ vehicle, theme, selected, onPick }: RowProps) {
  const options = { staleMs: numberStaleMs, quiet: true }
  const { data } = useEndpoint(vehicleEndpoints.singleDeviceInfo, { id: vehicle.id }, options)
  const { state, badge, headingDeg } = symbolOf(vehicle)
  const { batteryPercent, locked, lowBattery } = vehicle
  return (
    <li>
      <button type="button" className="om-row" aria-current={selected} onClick={() => onPick(vehicle.id)}>
        <VehicleMark state={state} theme={theme} size={18} headingDeg={headingDeg} />
        <span className="om-row-number">{data?.data.number ?? <span className="om-bone" />}</span>
        <span className="om-row-state">{t(vehicleStateLabels[state])}</span>
        {badge === 'none' ? <span /> : <BadgeMark badge={badge} theme={theme} size={13} />}
        <span className="om-row-lock">{locked ? t('已锁') : t('已开')}</span>
        <span className="om-row-battery" data-low={lowBattery}>
          {batteryPercent === null ? '--' : `${batteryPercent}%`}
        </span>
      </button>
    </li>
  )
}

function Skeleton() {
  return (
    <ul className="om-list" aria-busy="true" aria-label={t('正在加载…')}>
      {Array.from({ length: 6 }, (_, at) => (
        <li key={at} className="om-row">
          <span className="om-bone" />
        </li>
      ))}
    </ul>
  )
}

function Nothing({ filtered, onClearFilter }: { filtered: boolean; onClearFilter: () => void }) {
  return (
    <div className="om-nothing">
      <p>{filtered ? t('视野内没有符合筛选的车辆') : t('视野内没有车辆，可缩小地图或显示全城')}</p>
      {filtered && (
        <button type="button" className="om-link" onClick={onClearFilter}>
          {t('清除筛选')}
        </button>
      )}
    </div>
  )
}

/** Arrow keys walk through the rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = buttons.findIndex((button) => button === document.activeElement)
  const next = buttons[event.key === 'ArrowDown' ? at + 1 : at - 1]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
