import { useState, type ReactNode } from 'react'
import {
  voltageEndpoints,
  voltageSchemeFields,
  voltageSchemeList,
  type VoltageScheme,
} from '@saddle/contract/production/voltage.ts'
import { voltageStateLabels } from '@saddle/contract/production/voltageWords.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { SchemeForm } from './SchemeForm.tsx'
import { SchemePanel } from './SchemePanel.tsx'
import { voltageTone } from './words.ts'

const schemes = listOf({
  list: voltageSchemeList,
  call: voltageEndpoints.listVoltageSchemes,
  file: voltageEndpoints.exportVoltageSchemes,
  fields: voltageSchemeFields,
})

/** Voltage schemes: packs of batteries, and the curves that make percentages of voltages. */
export default function VoltagePage(): ReactNode {
  const list = useList(schemes)
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <ListPage
        list={list}
        title={t('电压方案')}
        actions={
          <Permit action="0601">
            <Button look="primary" onClick={() => setAdding(true)}>
              {t('新增电池组')}
            </Button>
          </Permit>
        }
        filters={[keyword(t('电池组或车型'), 'text'), many('states', t('状态'), voltageStateLabels)]}
        columns={columns}
        rowName={({ name }) => name}
        empty={t('还没有电压方案：车辆显示设备自报的电量')}
        renderPanel={(row) => <SchemePanel key={row.id} scheme={row} />}
      />
      {isAdding && <SchemeForm onClose={() => setAdding(false)} />}
    </>
  )
}

const volts = (value: number | null): string => (value === null ? '--' : value.toFixed(1))

const columns = (): readonly ColumnSpec<VoltageScheme>[] => [
  { key: 'name', card: 'head' },
  {
    key: 'state',
    render: ({ state }) => <Mark tone={voltageTone[state]}>{t(voltageStateLabels[state])}</Mark>,
  },
  { key: 'number', render: ({ number }) => (number === null ? '--' : `V${number}`) },
  'cells',
  { key: 'emptyV', numeric: true, render: ({ emptyV }) => volts(emptyV) },
  { key: 'fullV', numeric: true, render: ({ fullV }) => volts(fullV) },
  { key: 'models', render: ({ models }) => models.join(t('、')) || '--' },
  'vehicles',
  'from',
  { key: 'note', isOptional: true },
  { key: 'createdAt', isOptional: true },
]
