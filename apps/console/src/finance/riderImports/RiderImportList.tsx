import { useState, type ReactNode } from 'react'
import {
  riderImportEndpoints,
  riderImportFields,
  riderImportList,
  riderImportStateLabels,
  type RiderImport,
} from '@saddle/contract/finance/riderImports.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { ImportPanel } from './ImportPanel.tsx'
import { UploadForm } from './UploadForm.tsx'
import { importTone } from './words.ts'

const imports = listOf({
  list: riderImportList,
  call: riderImportEndpoints.listRiderImports,
  file: riderImportEndpoints.exportRiderImports,
  fields: riderImportFields,
})

interface Props {
  readonly title: string
  /** The other lists of the page. */
  readonly views: ReactNode
}

/** Files of riders with their balances from another system: checked, then committed by a second person. */
export function RiderImportList({ title, views }: Props): ReactNode {
  const list = useList(imports)
  const [isUploading, setUploading] = useState(false)
  const [uploaded, setUploaded] = useState<number | null>(null)
  return (
    <>
      <ListPage
        list={list}
        title={title}
        actions={
          <Button look="primary" onClick={() => setUploading(true)}>
            {t('上传用户清单')}
          </Button>
        }
        above={views}
        filters={[many('states', t('状态'), riderImportStateLabels)]}
        columns={columns}
        rowName={({ id, name }) => `${id} ${name}`}
        empty={t('还没有用户导入批次：上传另一系统的用户与余额')}
        fresh={uploaded}
        renderPanel={(row) => <ImportPanel key={row.id} batch={row} />}
      />
      {isUploading && (
        <UploadForm
          onClose={() => setUploading(false)}
          onDone={(id) => {
            // Conditions could hide the new batch.
            list.clear()
            setUploaded(id)
          }}
        />
      )}
    </>
  )
}

const columns = (): readonly ColumnSpec<RiderImport>[] => [
  { key: 'id', card: 'head' },
  { key: 'name', card: 'head' },
  {
    key: 'state',
    render: ({ state }) => <Mark tone={importTone[state]}>{t(riderImportStateLabels[state])}</Mark>,
  },
  'total',
  'bad',
  'added',
  'cents',
  { key: 'company', card: 'none' },
  'createdAt',
  { key: 'createdBy', card: 'none' },
  { key: 'endedAt', isOptional: true },
  { key: 'endedBy', isOptional: true },
]
