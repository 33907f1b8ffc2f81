import type { ReactNode } from 'react'
import {
  splitBillEndpoints,
  splitStatementFields,
  splitStatementList,
  type SplitStatement,
} from '@saddle/contract/finance/splitBills.ts'
import type { OutputOf } from '@saddle/contract/endpoint.ts'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { ListPage } from '#kit/list/ListPage.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { saveFile } from '#kit/exports/save.ts'
import { billsPath } from './words.ts'

const statements = listOf({
  list: splitStatementList,
  call: splitBillEndpoints.listSplitStatements,
  file: splitBillEndpoints.exportSplitStatements,
  fields: splitStatementFields,
})

/** The days of a statement; a single day by itself. */
const spanText = ({ firstDay, lastDay }: Pick<SplitStatement, 'firstDay' | 'lastDay'>): string =>
  firstDay === lastDay ? firstDay : t('{{from}} 至 {{to}}', { from: firstDay, to: lastDay })

/** Sealed statements, each provable by its file. */
export function StatementsPage({ tabs }: { tabs: ReactNode }): ReactNode {
  const list = useList(statements)
  return (
    <ListPage<SplitStatement, Record<string, unknown>>
      list={list}
      title={t('对账单')}
      actions={tabs}
      filters={[]}
      columns={columns}
      rowName={({ company, firstDay, lastDay }) => `${company} ${firstDay} ${lastDay}`}
      empty={t('还没有对账单：按约定的周期每日、半月或每月一份，全部日结后自动封存')}
      renderPanel={(row) => <StatementPanel key={row.id} statement={row} />}
    />
  )
}

const columns = (): readonly ColumnSpec<SplitStatement>[] => [
  { key: 'company', card: 'head' },
  {
    key: 'lastDay',
    title: t('区间'),
    card: 'head',
    render: spanText,
  },
  { key: 'lines', card: 'none' },
  'paidCents',
  { key: 'feeCents', card: 'none' },
  { key: 'borneCents', card: 'none' },
  'partiesCents',
  'ownerCents',
  { key: 'correctionsCents', card: 'none' },
  { key: 'sealedAt', render: ({ sealedAt }) => <Moment at={sealedAt} /> },
  { key: 'hash', card: 'none', render: ({ hash }) => <code title={hash}>{hash.slice(0, 12)}</code> },
]

function StatementPanel({ statement }: { statement: SplitStatement }) {
  const { agentId, firstDay, lastDay, hash } = statement
  const options = {
    onDone: ({ data }: OutputOf<typeof splitBillEndpoints.splitStatementFile>) =>
      data.pdf === null
        ? saveFile(data.fileName, [data.text])
        : saveFile(data.fileName, [Uint8Array.from(atob(data.pdf), (byte) => byte.charCodeAt(0))], 'application/pdf'),
    done: ({ data }: OutputOf<typeof splitBillEndpoints.splitStatementFile>) =>
      t('已下载 {{name}}', { name: data.fileName }),
  }
  const csv = useAction(splitBillEndpoints.splitStatementFile, options)
  const pdf = useAction(splitBillEndpoints.splitStatementFile, options)
  const filter = { agentIds: [agentId], from: businessDayStart(firstDay), to: businessDayEnd(lastDay) }
  return (
    <DetailPanel
      label={t('对账单')}
      title={
        <strong>
          {statement.company} · {spanText(statement)}
        </strong>
      }
      foot={
        <p className="form-choices">
          <ButtonLink to={billsPath(filter)}>{t('查看这些账单')}</ButtonLink>
          <Button busy={csv.isBusy} onClick={() => csv.send({ id: statement.id, form: 'csv' })}>
            {t('下载 CSV')}
          </Button>
          <Button look="primary" busy={pdf.isBusy} onClick={() => pdf.send({ id: statement.id, form: 'pdf' })}>
            {t('下载 PDF')}
          </Button>
        </p>
      }
    >
      <Facts
        facts={[
          [t('账单数'), number(statement.bills)],
          [t('笔数'), number(statement.lines)],
          [t('收入'), money(statement.paidCents)],
          [t('渠道手续费'), money(statement.feeCents)],
          [t('他方承担优惠'), money(statement.borneCents)],
          [t('分账方所得'), money(statement.partiesCents)],
          [t('加盟商所得'), money(statement.ownerCents)],
          [t('其中更正'), money(statement.correctionsCents)],
          [t('封存时间'), dateTime(statement.sealedAt)],
        ]}
      />
      <h3>{t('校验值')}</h3>
      <p className="split-hash">{hash}</p>
      <p className="split-quiet">
        {t(
          'CSV 末行与 PDF 都带同一校验值，改动任何一个字都会不同；它还包含上一份对账单的校验值。封存后的更正记入之后的对账单。',
        )}
      </p>
      <p className="split-quiet">{t('任何人都可以用平台的 statement:verify 命令核验下载的文件，不需要登录平台。')}</p>
    </DetailPanel>
  )
}
