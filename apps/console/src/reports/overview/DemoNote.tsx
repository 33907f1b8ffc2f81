import type { ReactNode } from 'react'
import { overviewEndpoints } from '@saddle/contract/reports/overview.ts'
import { secondMs } from '@saddle/contract/time.ts'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

const refreshEveryMs = 20 * secondMs

/** Says how far the first start of the demo is with making its past; otherwise nothing. */
export function DemoNote(): ReactNode {
  const { data } = useEndpoint(
    overviewEndpoints.readDemoProgress,
    {},
    { enabled: clientConfig().demo, refetchIntervalMs: refreshEveryMs, quiet: true },
  )
  const percent = data?.data.percent ?? null
  if (percent === null) return null
  return (
    <output className="report-behind">
      {t('演示数据正在生成：{{percent}}%。完成之前，订单、收入与报表都不完整。', { percent })}
    </output>
  )
}
