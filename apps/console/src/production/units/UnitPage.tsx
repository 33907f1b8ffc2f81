import { useState, type ReactNode } from 'react'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import {
  unitActMax,
  unitEndpoints,
  unitFields,
  unitList,
  unitStageLabels,
  type Unit,
} from '@saddle/contract/production/units.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { areas, keyword, one, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { benchPath } from '../factoryTests/words.ts'
import { SwapForm } from './SwapForm.tsx'
import { UnitActs } from './UnitActs.tsx'
import { UnitFacts } from './UnitFacts.tsx'
import { editPath, stageTone } from './words.ts'

const units = listOf({
  list: unitList,
  call: unitEndpoints.listUnits,
  file: unitEndpoints.exportUnits,
  fields: unitFields,
})

/** Vehicles as production sees them, from the batch to the street and off it. */
export default function UnitPage(): ReactNode {
  const list = useList(units)
  return (
    <ListPage
      list={list}
      title={t('车辆列表')}
      actions={
        <>
          <Permit action="0308">
            <ButtonLink to="/vehicle/device-access">{t('来访设备')}</ButtonLink>
          </Permit>
          <ButtonLink to="/production/import-export" look="primary">
            {t('导入导出')}
          </ButtonLink>
        </>
      }
      above={
        <StateTabs
          list={list}
          call={unitEndpoints.listUnits}
          name="stages"
          title={t('生产状态')}
          labels={unitStageLabels}
        />
      }
      filters={[
        tabbed('stages'),
        keyword(t('编号、IMEI、SN、MAC 或 ICCID'), 'text'),
        one('protocol', t('协议'), deviceProtocolLabels),
        keyword(t('型号'), 'model'),
        keyword(t('导入批次'), 'importId'),
        areas('areaIds'),
      ]}
      columns={columns}
      rowName={({ number }) => number}
      empty={t('没有符合条件的车辆')}
      selectable={({ stage }) => stage !== 'retired'}
      renderTools={(rows, done) => (
        <Permit action="0601">
          <UnitActs units={rows.slice(0, unitActMax)} onDone={done} />
        </Permit>
      )}
      renderPanel={(unit) => <UnitPanel key={unit.id} unit={unit} />}
    />
  )
}

const columns = (): readonly ColumnSpec<Unit>[] => [
  { key: 'number', card: 'head' },
  {
    key: 'stage',
    card: 'head',
    render: ({ stage }) => <Mark tone={stageTone[stage]}>{t(unitStageLabels[stage])}</Mark>,
  },
  'imei',
  'model',
  { key: 'serial', card: 'none' },
  { key: 'mac', isOptional: true },
  { key: 'iccid', isOptional: true },
  { key: 'firmware', card: 'none' },
  { key: 'importId', render: ({ importId }) => importId ?? '--' },
  'areaName',
  { key: 'company', isOptional: true },
  { key: 'state', isOptional: true, render: ({ state }) => t(vehicleStateLabels[state]) },
  { key: 'protocol', isOptional: true },
  'madeAt',
  { key: 'testedAt', isOptional: true },
  { key: 'deliveredAt', isOptional: true },
  { key: 'activatedAt', isOptional: true },
  { key: 'heardAt', card: 'none' },
]

function UnitPanel({ unit }: { readonly unit: Unit }) {
  const [isSwapping, setSwapping] = useState(false)
  return (
    <DetailPanel
      label={t('车辆生产详情')}
      title={
        <>
          <strong>{unit.number}</strong> <Mark tone={stageTone[unit.stage]}>{t(unitStageLabels[unit.stage])}</Mark>
        </>
      }
      foot={
        <span className="form-choices">
          <ButtonLink to={`/vehicle-info?vehicle=${unit.number}`}>{t('车辆详情')}</ButtonLink>
          <Permit action="0601">
            {unit.stage !== 'activated' && unit.stage !== 'retired' && (
              <ButtonLink to={benchPath(unit.number)}>{t('去检测工位')}</ButtonLink>
            )}
            {unit.stage !== 'retired' && <Button onClick={() => setSwapping(true)}>{t('更换部件')}</Button>}
            <ButtonLink to={editPath(unit.id)} look="primary">
              {t('更正标识')}
            </ButtonLink>
          </Permit>
        </span>
      }
    >
      <UnitFacts unit={unit} />
      {isSwapping && <SwapForm vehicleId={unit.id} onClose={() => setSwapping(false)} />}
    </DetailPanel>
  )
}
