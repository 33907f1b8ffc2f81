import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  assetAccountLabels,
  costCenterEndpoints,
  directionOfMoneyLabels,
  type AssetDetail,
  type AssetDetailFilter,
} from '@saddle/contract/finance/costCenter.ts'
import { chartOfAccounts, entryKinds } from '@saddle/contract/finance/ledger.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { noteText } from '../notes.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { days, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { assetDetails } from './lists.ts'
import { documentPage, documentText } from './words.ts'
import '../serviceBills/serviceBills.css'

const RemarkDialog = lazy(() => loadChunk(() => import('./RemarkDialog.tsx')))

/** Every movement of a company's own accounts, with the entries of the ledger behind it. */
export default function TransactionDetailsPage(): ReactNode {
  const list = useList(assetDetails)
  return (
    <ListPage<AssetDetail, AssetDetailFilter>
      list={list}
      title={t('收支明细')}
      actions={<ButtonLink to="/financial/CostCenter">{t('返回费用中心')}</ButtonLink>}
      filters={[
        many('accounts', t('账户'), assetAccountLabels),
        one('way', t('方向'), directionOfMoneyLabels),
        days(t('日期')),
      ]}
      columns={columns}
      rowName={({ kind }) => t(entryKinds[kind])}
      empty={t('没有收支')}
      renderPanel={(row) => <Panel key={row.id} detail={row} />}
    />
  )
}

const columns = (): readonly ColumnSpec<AssetDetail>[] => [
  { key: 'kind', card: 'head', render: ({ kind }) => t(entryKinds[kind]) },
  'account',
  { key: 'cents', render: ({ cents }) => <b>{signed(cents)}</b> },
  { key: 'at', sort: 'at' },
  'company',
  { key: 'reference', card: 'wide', render: ({ reference }) => <Document reference={reference} /> },
  { key: 'entryNumber', isOptional: true },
  { key: 'remark', card: 'none' },
]

/** What an entry is about, with the way to it for whoever may read it. */
function Document({ reference }: { readonly reference: string }) {
  const { held } = usePermissions()
  const page = documentPage(reference)
  const text = documentText(reference)
  return page !== null && holdsPermission(held, page.permission) ? <Link to={page.path}>{text}</Link> : text
}

const signed = (cents: number): string => (cents > 0 ? `+${money(cents)}` : money(cents))

function Panel({ detail }: { readonly detail: AssetDetail }) {
  const [isRemarking, setRemarking] = useState(false)
  return (
    <DetailPanel
      label={t('收支明细')}
      title={<strong>{`${t(entryKinds[detail.kind])} ${signed(detail.cents)}`}</strong>}
      foot={<Button onClick={() => setRemarking(true)}>{t('备注')}</Button>}
    >
      <Facts
        facts={[
          [t('加盟商'), detail.company],
          [t('账户'), t(assetAccountLabels[detail.account])],
          [t('时间'), dateTime(detail.at)],
          [t('单据'), <Document key="document" reference={detail.reference} />],
          [t('凭证号'), detail.entryNumber],
          ...(detail.remark === '' ? [] : [[t('备注'), `${detail.remark}（${detail.remarkedBy ?? '--'}）`] as const]),
        ]}
      />
      <Entries id={detail.id} />
      <Suspense fallback={null}>
        {isRemarking && <RemarkDialog detail={detail} onClose={() => setRemarking(false)} />}
      </Suspense>
    </DetailPanel>
  )
}

function Entries({ id }: { readonly id: number }) {
  const { data, error, refetch } = useEndpoint(costCenterEndpoints.assetPayDetail, { id })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <table className="service-days" aria-label={t('记账凭证')}>
      <thead>
        <tr>
          <th>{t('凭证')}</th>
          <th>{t('账户')}</th>
          <th data-numeric="true">{t('金额（元）')}</th>
        </tr>
      </thead>
      <tbody>
        {data.data.entries.flatMap((entry) =>
          entry.lines.map(({ account, cents }, index) => (
            <tr key={`${entry.number} ${account} ${cents}`}>
              <td>
                {index === 0 && (
                  <>
                    {entry.number} · {t(entryKinds[entry.kind])}
                    <br />
                    <small>
                      {dateTime(entry.at)} {noteText(entry.memo)}
                    </small>
                  </>
                )}
              </td>
              <td>{t(chartOfAccounts[account].label)}</td>
              <td data-numeric="true">{signed(cents)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  )
}
