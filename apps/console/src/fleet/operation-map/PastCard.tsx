import { Link } from 'react-router'
import { PlaceWords } from '#geography/public.ts'
import { vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import type { PastPlace } from './replay.ts'
import type { Selection } from './useSelection.ts'
import { useEscape } from './useEscape.ts'
import { VehicleMark } from './VehicleMark.tsx'

interface Props {
  readonly selection: Selection
  /** The vehicle at the shown moment; absent: it was nowhere then. */
  readonly place: PastPlace | undefined
  /** The past is not read yet. */
  readonly isWaiting: boolean
  readonly theme: MapTheme
  readonly onNow: () => void
}

/** The picked vehicle as it was; commands and work belong to the present. */
export function PastCard({ selection, place, isWaiting, theme, onNow }: Props) {
  const { vehicle, pick } = selection
  useEscape({ active: true, leave: () => pick(null) })
  return (
    <section className="om-past-card" aria-label={t('当时的车辆')}>
      <header className="om-head">
        {place !== undefined && <VehicleMark state={place.state} theme={theme} size={26} />}
        <h2>{vehicle?.number ?? t('正在读取…')}</h2>
        <Button look="quiet" aria-label={t('关闭车辆面板')} onClick={() => pick(null)}>
          ✕
        </Button>
      </header>
      {place === undefined ? (
        <p className="om-quiet">{isWaiting ? t('正在读取…') : t('那一刻没有这辆车的位置')}</p>
      ) : (
        <Facts
          facts={[
            [t('状态'), t(vehicleStateLabels[place.state])],
            [t('电量'), place.batteryPercent === null ? '--' : `${Math.round(place.batteryPercent)}%`],
            [t('停在此处自'), place.since === null ? t('骑行中') : dateTime(place.since)],
            [
              t('位置'),
              // Of a moving vehicle the street changes faster than it could be read.
              place.since === null ? (
                `${place.lat.toFixed(5)}, ${place.lng.toFixed(5)}`
              ) : (
                <PlaceWords key="place" place={place} />
              ),
            ],
          ]}
        />
      )}
      {vehicle !== null && (
        <div className="om-more-commands">
          <button type="button" className="om-chip" onClick={onNow}>
            {t('看这辆车现在')}
          </button>
          <Link className="om-chip" to={`/vehicle-info?vehicle=${vehicle.number}`}>
            {t('查看完整经历')}
          </Link>
        </div>
      )}
    </section>
  )
}
