import { useState, type ReactNode } from 'react'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { importEndpoints } from '@saddle/contract/production/imports.ts'
import {
  vehicleImportFields,
  vehicleImportList,
  vehicleImportStateLabels,
  type VehicleImport,
} from '@saddle/contract/production/importWords.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, one, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { ImportPanel } from './ImportPanel.tsx'
import { SingleForm } from './SingleForm.tsx'
import { UploadForm } from './UploadForm.tsx'
import { importTone } from './words.ts'

const imports = listOf({
  list: vehicleImportList,
  call: importEndpoints.listVehicleImports,
  file: importEndpoints.exportVehicleImports,
  fields: vehicleImportFields,
})

/** Batches of vehicles: uploaded, checked, committed or undone. */
export default function ImportPage(): ReactNode {
  const list = useList(imports)
  const [form, setForm] = useState<'sheet' | 'single' | null>(null)
  const [uploaded, setUploaded] = useState<number | null>(null)
  return (
    <>
      <ListPage
        list={list}
        title={t('导入导出')}
        actions={
          <Permit action="0601">
            <Button onClick={() => setForm('single')}>{t('扫码登记')}</Button>
            <Button look="primary" onClick={() => setForm('sheet')}>
              {t('上传车辆清单')}
            </Button>
          </Permit>
        }
        above={
          <StateTabs
            list={list}
            call={importEndpoints.listVehicleImports}
            name="states"
            title={t('状态')}
            labels={vehicleImportStateLabels}
          />
        }
        filters={[tabbed('states'), keyword(t('文件名'), 'text'), one('protocol', t('协议'), deviceProtocolLabels)]}
        columns={columns}
        rowName={({ id, name }) => `${id} ${name}`}
        empty={t('还没有车辆批次：上传清单或扫码登记')}
        fresh={uploaded}
        renderPanel={(row) => <ImportPanel key={row.id} batch={row} />}
      />
      {form === 'sheet' && (
        <UploadForm
          onClose={() => setForm(null)}
          onDone={(id) => {
            // Conditions could hide the new batch.
            list.clear()
            setUploaded(id)
          }}
        />
      )}
      {form === 'single' && <SingleForm onClose={() => setForm(null)} />}
    </>
  )
}

const columns = (): readonly ColumnSpec<VehicleImport>[] => [
  { key: 'id', card: 'head' },
  { key: 'name', card: 'head' },
  {
    key: 'state',
    render: ({ state }) => <Mark tone={importTone[state]}>{t(vehicleImportStateLabels[state])}</Mark>,
  },
  'total',
  'bad',
  'made',
  'areaName',
  { key: 'protocol', isOptional: true },
  { key: 'company', card: 'none' },
  'createdAt',
  { key: 'createdBy', card: 'none' },
  { key: 'committedAt', isOptional: true },
  { key: 'endedAt', isOptional: true },
]
