import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { vehicleEndpoints, vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'
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
export function vehiclesInView(store: VehicleStore, filter: Filter, bounds: MapBounds | null): LiveVehicle[] {
  const order = (vehicle: LiveVehicle) => drawOrder(symbolOf(vehicle))
  return [...store.all().values()]
    .filter((vehicle) => (bounds === null || contains(bounds, vehicle)) && passes(vehicle, filter))
    .toSorted((one, other) => order(other) - order(one) || one.id - other.id)
}

/** The map's content as a list: for the keyboard, for screen readers, and for browsers without WebGL. */
export function VehicleList({ store, filter, bounds, selectedId, theme, onPick, onClearFilter }: Props) {
  const version = useVehicleVersion(store)
  const [page, setPage] = useState(0)
  const held = useRef(false)
  const rows = useOrder({ store, filter, bounds, version, held })
  if (store.updatedAt() === null) return <Skeleton />
  if (rows.length === 0) return <Nothing filtered={store.all().size > 0} onClearFilter={onClearFilter} />

  const pages = Math.ceil(rows.length / rowsPerPage)
  const at = Math.min(page, pages - 1)
  const hold = (holding: boolean) => () => {
    held.current = holding
  }
  return (
    <>
      <ul
        className="om-list"
        aria-label={t('视野内的车辆')}
        onKeyDown={moveFocus}
        onPointerEnter={hold(true)}
        onPointerLeave={hold(false)}
        onFocus={hold(true)}
        onBlur={hold(false)}
      >
        {rows.slice(at * rowsPerPage, (at + 1) * rowsPerPage).map((vehicle) => (
          <Row key={vehicle.id} vehicle={vehicle} theme={theme} selected={vehicle.id === selectedId} onPick={onPick} />
        ))}
      </ul>
      {pages > 1 && (
        <nav className="om-pages" aria-label={t('列表翻页')}>
          <button type="button" className="om-link" disabled={at === 0} onClick={() => setPage(at - 1)}>
            {t('上一页')}
          </button>
          <span>
            {at + 1} / {pages}
          </span>
          <button type="button" className="om-link" disabled={at === pages - 1} onClick={() => setPage(at + 1)}>
            {t('下一页')}
          </button>
        </nav>
      )}
    </>
  )
}

interface Order extends Pick<Props, 'store' | 'filter' | 'bounds'> {
  readonly version: number
  readonly held: { readonly current: boolean }
}

/** Rows keep their places while the pointer or the focus is among them; only what they say changes. */
function useOrder({ store, filter, bounds, version, held }: Order): LiveVehicle[] {
  const last = useRef<{ readonly ids: number[]; readonly filter: Filter } | null>(null)
  return useMemo(() => {
    // The store changes behind the version.
    void version
    const fresh = vehiclesInView(store, filter, bounds)
    const before = last.current
    if (held.current && before !== null && before.filter === filter) {
      const present = new Map(fresh.map((vehicle) => [vehicle.id, vehicle]))
      const kept = before.ids.flatMap((id) => present.get(id) ?? [])
      const known = new Set(before.ids)
      return [...kept, ...fresh.filter((vehicle) => !known.has(vehicle.id))]
    }
    last.current = { ids: fresh.map((vehicle) => vehicle.id), filter }
    return fresh
  }, [store, filter, bounds, version, held])
}

interface RowProps {
  readonly vehicle: LiveVehicle
  readonly theme: MapTheme
  readonly selected: boolean
  readonly onPick: (id: number) => void
}

/** A printed number never changes: it is read once for each row that is looked at. */
const numberStaleMs = 3_600_000

function Row({ vehicle, theme, selected, onPick }: RowProps) {
  const options = { staleMs: numberStaleMs, quiet: true }
  const { data } = useEndpoint(vehicleEndpoints.singleDeviceInfo, { id: vehicle.id }, options)
  const { state, badge } = symbolOf(vehicle)
  const { batteryPercent, locked, lowBattery } = vehicle
  return (
    <li>
      <button type="button" className="om-row" aria-current={selected} onClick={() => onPick(vehicle.id)}>
        <VehicleMark state={state} theme={theme} size={18} />
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
