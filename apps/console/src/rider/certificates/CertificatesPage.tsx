import type { ReactNode } from 'react'
import {
  certificateEndpoints,
  certificateFields,
  certificateKindLabels,
  certificateList,
  certificateStateLabels,
  type ListedCertificate,
} from '@saddle/contract/rider/certificates.ts'
import { dateOnly } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { Person } from '../parts/Person.tsx'
import { riderKeyword } from '#kit/ui/riderKeyword.ts'
import { CertificateMark } from './CertificateMark.tsx'
import { CertificatePanel } from './CertificatePanel.tsx'
import { DecideForm } from './DecideForm.tsx'

const certificates = listOf({
  list: certificateList,
  call: certificateEndpoints.listCertificates,
  file: certificateEndpoints.exportCertificates,
  fields: certificateFields,
  usual: { states: ['waiting'] },
})

const isWaiting = ({ state }: ListedCertificate): boolean => state === 'waiting'

/** Students and professions: what riders show as evidence, decided one by one or together. */
export default function CertificatesPage(): ReactNode {
  const list = useList(certificates)
  return (
    <ListPage
      list={list}
      title={t('专业认证列表')}
      layout="queue"
      filters={[
        riderKeyword(),
        many('states', t('状态'), certificateStateLabels),
        many('kinds', t('认证类型'), certificateKindLabels),
        days(t('提交日期')),
      ]}
      columns={columns}
      rowName={({ phone }) => phone}
      empty={t('没有待审核的认证')}
      selectable={isWaiting}
      renderTools={(rows, done) => <DecideForm ids={rows.map(({ id }) => id)} onDone={done} />}
      isWaiting={isWaiting}
      renderPanel={(row, { goOn }) => <CertificatePanel key={row.id} certificate={row} onDecided={goOn} />}
    />
  )
}

const columns = (): readonly ColumnSpec<ListedCertificate>[] => [
  {
    key: 'person',
    title: t('用户'),
    card: 'head',
    render: (row) => <Person riderId={row.riderId} phone={row.phone} name={row.name} />,
  },
  { key: 'state', card: 'head', render: ({ state }) => <CertificateMark state={state} /> },
  'kind',
  'organisation',
  {
    key: 'certified',
    card: 'none',
    render: ({ certified }) => <Mark tone={certified ? 'good' : 'off'}>{certified ? t('已实名') : t('未实名')}</Mark>,
  },
  'submittedAt',
  { key: 'expiresAt', card: 'none', render: ({ expiresAt }) => dateOnly(expiresAt) },
  { key: 'decidedBy', card: 'none' },
  'company',
  { key: 'reason', isOptional: true },
  { key: 'decidedAt', isOptional: true },
]
