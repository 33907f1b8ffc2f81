import { useEffect, type ReactElement } from 'react'
import { Link, useNavigate } from 'react-router'
import { exportEndpoints, type ExportJob } from '@saddle/contract/exports/jobs.ts'
import { downloadExport } from '#kit/exports/download.ts'
import { forgetExports, openExports } from '#kit/exports/open.ts'
import { t } from '#kit/i18n/index.ts'
import { exportCentrePath } from '#kit/list/useExport.ts'
import { notify } from '#kit/notify.ts'
import { useEndpoint } from '#kit/query.ts'
import { useStore } from '#kit/store.ts'

const askEveryMs = 2_500

/** How many files are being made, with the way to the export centre; says when one is ready. Nothing without any. */
export function ExportWatch(): ReactElement | null {
  const open = useStore(openExports)
  const navigate = useNavigate()
  const { data } = useEndpoint(
    exportEndpoints.listOwnExports,
    { filter: { exportIds: open.map(({ exportId }) => exportId) } },
    { enabled: open.length > 0, quiet: true, refetchIntervalMs: askEveryMs },
  )
  const jobs = data?.data.list
  useEffect(() => {
    const watched = new Set(openExports.get().map(({ exportId }) => exportId))
    const over = (jobs ?? []).filter(({ exportId, state }) => watched.has(exportId) && isOver(state))
    if (over.length === 0) return
    for (const job of over) tell(job, () => void navigate(exportCentrePath))
    forgetExports(new Set(over.map(({ exportId }) => exportId)))
  }, [jobs, navigate])
  if (open.length === 0) return null
  return (
    <Link className="shell-button shell-exports" to={exportCentrePath} data-testid="export-watch">
      {t('{{count}} 个导出生成中', { count: open.length })}
    </Link>
  )
}

const isOver = (state: ExportJob['state']): boolean => state !== 'queued' && state !== 'running'

function tell({ exportId, fileName, state }: ExportJob, showCentre: () => void): void {
  if (state === 'done') {
    const run = (): void => void downloadExport(exportId)
    notify.success({ title: t('导出已完成'), text: fileName, action: { label: t('下载'), run } })
  } else if (state === 'failed') {
    notify.error({ title: t('导出失败'), text: fileName, action: { label: t('导出中心'), run: showCentre } })
  }
}
