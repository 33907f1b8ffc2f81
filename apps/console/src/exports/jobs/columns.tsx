import { useState, type ReactNode } from 'react'
import App from 'antd/es/app'
import { auditActionTitles } from '@saddle/contract/audit/actions.ts'
import { exportEndpoints, exportStateLabels, type ExportJob, type ExportState } from '@saddle/contract/exports/jobs.ts'
import { errorCatalogue } from '@saddle/contract/errors.ts'
import { financeExportEndpoints } from '@saddle/contract/finance/exports.ts'
import { useAction } from '#kit/action/useAction.ts'
import { downloadExport } from '#kit/exports/download.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import './exports.css'

const tones: Readonly<Record<ExportState, Tone>> = {
  queued: 'info',
  running: 'info',
  done: 'good',
  failed: 'bad',
  cancelled: 'off',
  expired: 'off',
}

/** The columns of a list of files. */
export const exportColumns = (): readonly ColumnSpec<ExportJob>[] => [
  'at',
  { key: 'action', card: 'head', render: (job) => <What job={job} /> },
  { key: 'state', card: 'head', render: (job) => <State job={job} /> },
  { key: 'rows', numeric: true, render: (job) => <Rows job={job} /> },
  { key: 'format', card: 'none' },
  { key: 'bytes', numeric: true, card: 'none', render: ({ bytes }) => (bytes === 0 ? '—' : sizeOf(bytes)) },
  { key: 'expiresAt', card: 'none', render: ({ expiresAt }) => (expiresAt === null ? '—' : dateTime(expiresAt)) },
  'operatorName',
  { key: 'company', isOptional: true, card: 'none' },
  { key: 'fileName', isOptional: true, card: 'none' },
  { key: 'exportId', isOptional: true, card: 'none' },
  { key: 'actions', title: t('操作'), card: 'wide', render: (job) => <Actions job={job} /> },
]

/** What the file is of, and its name, which tells it from others of the same list. */
function What({ job: { action, fileName } }: { readonly job: ExportJob }): ReactNode {
  const title = Object.entries(auditActionTitles).find(([name]) => name === action)?.[1]
  return (
    <>
      <span>{title === undefined ? action : t(title)}</span>
      <small className="exports-why">{fileName}</small>
    </>
  )
}

function State({ job: { state, failure } }: { readonly job: ExportJob }): ReactNode {
  return (
    <>
      <Mark tone={tones[state]}>{t(exportStateLabels[state])}</Mark>
      {failure !== null && <small className="exports-why">{t(whyOf(failure))}</small>}
    </>
  )
}

const whyOf = (code: string): string =>
  Object.entries(errorCatalogue).find(([name]) => name === code)?.[1].promot ?? errorCatalogue.server_error.promot

function Rows({ job: { state, rows, total } }: { readonly job: ExportJob }): ReactNode {
  if (state !== 'running') return state === 'queued' ? '—' : number(rows)
  return (
    <span className="exports-progress">
      <progress aria-label={t('进度')} {...(total !== null && { value: rows, max: Math.max(1, total) })} />
      {total === null ? number(rows) : `${number(rows)} / ${number(total)}`}
    </span>
  )
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return `${number(Math.max(1, Math.round(bytes / 1_000)))} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

const stale = [
  exportEndpoints.listOwnExports,
  exportEndpoints.listCompanyExports,
  financeExportEndpoints.listFinanceExports,
]

function Actions({ job: { exportId, state, isOwn } }: { readonly job: ExportJob }): ReactNode {
  const { modal } = App.useApp()
  const [share, setShare] = useState<number | null>(null)
  const cancel = useAction(exportEndpoints.cancelExport, { stale, done: () => t('已取消导出') })
  const remove = useAction(exportEndpoints.removeExport, { stale, done: () => t('已删除文件') })
  if (!isOwn) return state === 'done' ? <span className="exports-why">{t('仅导出人可以下载')}</span> : null
  if (state === 'queued' || state === 'running') {
    return (
      <Button busy={cancel.isBusy} onClick={() => cancel.send({ exportId })}>
        {t('取消')}
      </Button>
    )
  }
  if (state !== 'done') return null
  const download = async (): Promise<void> => {
    setShare(0)
    await downloadExport(exportId, setShare)
    setShare(null)
  }
  const ask = (): void =>
    void modal.confirm({
      title: t('删除这个文件？'),
      content: t('删除后不能再下载，需要时可以重新导出。'),
      okText: t('删除'),
      cancelText: t('取消'),
      onOk: () => remove.send({ exportId }),
    })
  return (
    <span className="exports-actions">
      <Button busy={share !== null} onClick={() => void download()}>
        {share === null ? t('下载') : t('下载中 {{percent}}%', { percent: Math.round(share * 100) })}
      </Button>
      <Button busy={remove.isBusy} onClick={ask}>
        {t('删除')}
      </Button>
    </span>
  )
}
