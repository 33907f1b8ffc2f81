import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { vehicleEndpoints, vehicleStateLabels, type Vehicle } from '@saddle/contract/fleet/vehicles.ts'
import { t } from '#kit/i18n/index.ts'
import { ListTrail } from '#kit/list/ListTrail.tsx'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { VehicleUnit, VehicleUpgrades } from '#production/public.ts'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { PageBones } from '#kit/ui/Bones.tsx'
import { Empty, ErrorState } from '#kit/ui/states.tsx'
import { AccessCard } from '../deviceAccess/AccessCard.tsx'
import { VehicleBody } from '../operation-map/VehiclePanel.tsx'
import { VehicleMark } from '../operation-map/VehicleMark.tsx'
import '../operation-map/operation-map.css'
import '../operation-map/extras.css'
import { vehicleLink } from '../search/link.ts'
import { vehicleQuery, vehicleScreening } from '../search/lists.ts'
import { DeviceCurves } from './DeviceCurves.tsx'
import { Life } from './Life.tsx'
import { Trips } from './Trips.tsx'
import './vehicle-info.css'

const refreshEveryMs = 15_000
const numberPattern = /^[\w-]{1,40}$/

/** The full history of one vehicle. The address names it: `/vehicle-info?vehicle=SD100001`. */
export default function VehicleInfoPage(): ReactNode {
  const [params] = useSearchParams()
  const number = params.get('vehicle')?.trim() ?? ''
  if (!numberPattern.test(number)) {
    return (
      <Empty
        size="page"
        isHeading
        title={t('还没有选择车辆')}
        action={<ButtonLink to="/vehicle/vehicle-query">{t('去车辆查询')}</ButtonLink>}
      />
    )
  }
  return <Whole key={number} number={number} isScreened={params.get('from') === 'screening'} />
}

function Whole({ number, isScreened }: { readonly number: string; readonly isScreened: boolean }) {
  const { data, error, refetch } = useEndpoint(
    vehicleEndpoints.singleDeviceInfo,
    { number },
    { refetchIntervalMs: refreshEveryMs },
  )
  const theme = useTheme().appearance
  const vehicle = data?.data
  if (vehicle === undefined) {
    return error === null ? <PageBones /> : <ErrorState size="page" error={error} onRetry={() => void refetch()} />
  }
  return (
    <div className="page">
      <VehicleTrail number={number} isScreened={isScreened} />
      <header className="page-head vi-head">
        <VehicleMark state={shownState(vehicle)} theme={theme} size={32} />
        <h1>
          {vehicle.number}
          <small>
            {t(vehicleStateLabels[shownState(vehicle)])} · {vehicle.company} · {vehicle.areaName} · {t('最近上报')}{' '}
            <Ago at={vehicle.heardAt} />
          </small>
        </h1>
        <ButtonLink to={`/vehicle/operation-map?vehicle=${vehicle.number}`}>{t('在地图上查看')}</ButtonLink>
      </header>
      <div className="vi">
        <section className="page-card vi-now om-vehicle-sheet-body" aria-label={t('现状与指令')}>
          <VehicleBody vehicle={vehicle} live={undefined} />
        </section>
        <div className="vi-main">
          <DeviceCurves vehicleId={vehicle.id} />
          <Life vehicleId={vehicle.id} />
          <Trips vehicle={vehicle} theme={theme} />
          <VehicleUnit vehicleId={vehicle.id} />
          <VehicleUpgrades vehicleId={vehicle.id} />
          <Permit action="0308">
            <AccessCard vehicleId={vehicle.id} />
          </Permit>
        </div>
      </div>
    </div>
  )
}

/** Back to the list that the vehicle was opened from, and on through it. */
function VehicleTrail({ number, isScreened }: { readonly number: string; readonly isScreened: boolean }) {
  const from = isScreened ? 'screening' : 'query'
  return (
    <Permit action={isScreened ? '0307' : '0302'}>
      <ListTrail
        list={isScreened ? vehicleScreening : vehicleQuery}
        path={isScreened ? '/vehicle/vehicle-screening' : '/vehicle/vehicle-query'}
        title={isScreened ? t('车辆筛查') : t('车辆查询')}
        isShown={(row) => row.number === number}
        toRow={(row) => vehicleLink(row, from)}
      />
    </Permit>
  )
}

const shownState = ({ state, online }: Vehicle) =>
  online || state === 'missing' || state === 'removed' ? state : 'non_contactable'
