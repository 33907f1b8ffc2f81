import type { ReactNode } from 'react'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { unitEndpoints, type Unit } from '@saddle/contract/production/units.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import './units.css'

const at = (instant: number | null): string => (instant === null ? '--' : dateTime(instant))

/** Numbers of a vehicle's parts, and when it was made, delivered, put on the street and retired. */
export function UnitFacts({ unit }: { readonly unit: Unit }): ReactNode {
  const { importId, batch } = unit
  return (
    <Facts
      facts={[
        ['IMEI', unit.imei],
        ['SN', unit.serial ?? '--'],
        ['MAC', unit.mac ?? '--'],
        ['ICCID', unit.iccid ?? '--'],
        [t('型号'), `${unit.model} · ${deviceProtocolLabels[unit.protocol]}`],
        [t('固件'), unit.firmware ?? '--'],
        [t('导入批次'), importId === null ? '--' : `${importId} · ${batch ?? ''}`],
        [t('加盟商与服务区'), `${unit.company} · ${unit.areaName}`],
        [t('生产时间'), at(unit.madeAt)],
        [t('检测合格时间'), at(unit.testedAt)],
        [t('交付时间'), at(unit.deliveredAt)],
        [t('投放时间'), at(unit.activatedAt)],
        [t('退役时间'), at(unit.retiredAt)],
        [t('最近上报'), at(unit.heardAt)],
      ]}
    />
  )
}

/** The same on the vehicle's own page. */
export function VehicleUnit({ vehicleId }: { readonly vehicleId: number }): ReactNode {
  const { data } = useEndpoint(unitEndpoints.listUnits, { filter: { id: vehicleId }, pageSize: 1 }, { quiet: true })
  const [unit] = data?.data.list ?? []
  if (unit === undefined) return null
  return (
    <section className="page-card unit-facts" aria-label={t('生产与投放')}>
      <h2>{t('生产与投放')}</h2>
      <UnitFacts unit={unit} />
    </section>
  )
}
