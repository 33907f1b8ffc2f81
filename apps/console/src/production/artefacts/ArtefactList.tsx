import { useState, type ReactNode } from 'react'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import {
  artefactEndpoints,
  artefactFields,
  artefactList,
  artefactStateLabels,
  type Artefact,
  type ArtefactKind,
} from '@saddle/contract/production/artefacts.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { ArtefactPanel } from './ArtefactPanel.tsx'
import { UploadForm } from './UploadForm.tsx'
import { sizeText } from '../upgrades/words.ts'

const artefacts = listOf({
  list: artefactList,
  call: artefactEndpoints.listArtefacts,
  file: artefactEndpoints.exportArtefacts,
  fields: artefactFields,
})

interface Props {
  readonly kind: ArtefactKind
  readonly title: string
  readonly empty: string
  readonly above?: ReactNode
}

/** Firmware, or voice packs. */
export function ArtefactList({ kind, title, empty, above }: Props): ReactNode {
  const list = useList(artefacts, { fixed: { kind } })
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ListPage
        list={list}
        title={title}
        above={above}
        actions={
          <Permit action="0601">
            <Button look="primary" onClick={() => setOpen(true)}>
              {kind === 'voice' ? t('上传语音包') : t('上传固件')}
            </Button>
          </Permit>
        }
        filters={[
          keyword(t('名称或版本'), 'text'),
          many('states', t('状态'), artefactStateLabels),
          one('protocol', t('协议'), deviceProtocolLabels),
        ]}
        columns={columns}
        rowName={({ name, version }) => `${name} ${version}`}
        empty={empty}
        renderPanel={(row) => <ArtefactPanel key={row.id} artefact={row} />}
      />
      {isOpen && <UploadForm kind={kind} onClose={() => setOpen(false)} />}
    </>
  )
}

const columns = (): readonly ColumnSpec<Artefact>[] => [
  { key: 'name', card: 'head' },
  { key: 'version', card: 'head' },
  {
    key: 'state',
    render: ({ state }) => <Mark tone={state === 'on' ? 'good' : 'off'}>{t(artefactStateLabels[state])}</Mark>,
  },
  'protocol',
  { key: 'bytes', title: t('大小'), render: ({ bytes }) => sizeText(bytes) },
  'installed',
  'campaigns',
  { key: 'signer', card: 'none' },
  { key: 'company', card: 'none' },
  { key: 'createdAt', card: 'none' },
  { key: 'createdBy', isOptional: true },
  { key: 'sha256', isOptional: true },
  { key: 'note', isOptional: true },
]
