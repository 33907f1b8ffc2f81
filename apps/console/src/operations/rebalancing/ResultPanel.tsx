import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { rebalancingEndpoints, type AdoptedPlan } from '@saddle/contract/operations/rebalancing.ts'
import { call } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { kilometres } from './words.ts'

/** What was adopted: how much of it was done, and what that brought beside what was expected. */
export function ResultPanel({ areaId }: { readonly areaId: number }): ReactNode {
  const pages = usePages(String(areaId))
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    rebalancingEndpoints.listPlans,
    { areaId, pageSize: 20, ...(pages.cursor !== undefined && { cursor: pages.cursor }) },
    { keepPrevious: true },
  )
  const shown = data?.data
  return (
    <section className="page-card" aria-label={t('效果对照')}>
      <header className="work-bar">
        <p className="work-note">
          {t('“实际多出”是调走的车在展望时间内的骑行，减去同处留下的车按同样数量应有的骑行；样本少时只作参考。')}
        </p>
        <ExportButton
          onExport={async (at, signal) =>
            (await call(rebalancingEndpoints.exportPlans, { areaId, ...at }, { signal })).data
          }
        />
      </header>
      <DataTable<AdoptedPlan>
        label={t('效果对照')}
        columns={columns()}
        rows={shown?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={(row) => `${row.areaName} · ${dateTime(row.madeAt)}`}
        empty={<Empty title={t('还没有采用过调度方案')} text={t('在“调度方案”里选择要做的调度并采用。')} />}
      />
      <Pager
        page={pages.page}
        hasNext={shown !== undefined && shown.nextCursor !== null}
        count={null}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(shown?.nextCursor ?? null)}
      />
    </section>
  )
}

const signed = (value: number): string => (value > 0 ? `+${value.toFixed(1)}` : value.toFixed(1))

function tasksOf({ areaId, madeAt }: AdoptedPlan): string {
  const filter = { areaIds: [areaId], sources: ['rebalancing'], from: madeAt, to: madeAt + 1 }
  return `/data/operation-tasks?filter=${encodeURIComponent(JSON.stringify(filter))}`
}

function columns(): readonly Column<AdoptedPlan>[] {
  const perVehicle = ({ vehicles, rides }: AdoptedPlan['carried']): string =>
    vehicles === 0 ? '--' : `${rides} / ${vehicles}`
  return [
    { key: 'made', title: t('采用时间'), inHead: true, render: (row) => <time>{dateTime(row.madeAt)}</time> },
    { key: 'author', title: t('采用人'), render: (row) => row.authorName },
    { key: 'hours', title: t('展望'), unit: t('小时'), numeric: true, render: (row) => row.hours },
    { key: 'way', title: t('路程'), unit: 'km', numeric: true, render: (row) => kilometres(row.distanceM) },
    {
      key: 'done',
      title: t('完成'),
      numeric: true,
      render: (row) => (
        <Link to={tasksOf(row)}>{t('{{done}} / {{planned}} 辆', { done: row.done, planned: row.planned })}</Link>
      ),
    },
    { key: 'carried', title: t('调走车辆：骑行/辆'), numeric: true, render: (row) => perVehicle(row.carried) },
    { key: 'left', title: t('对照车辆：骑行/辆'), numeric: true, render: (row) => perVehicle(row.left) },
    {
      key: 'expected',
      title: t('预计挽回'),
      unit: t('次'),
      numeric: true,
      render: (row) => row.expectedGain.toFixed(1),
    },
    {
      key: 'brought',
      title: t('实际多出'),
      unit: t('次'),
      numeric: true,
      render: (row) => (
        <span className={row.brought !== null && row.brought < 0 ? 'work-late' : undefined}>
          {row.brought === null ? '--' : signed(row.brought)}
        </span>
      ),
    },
    {
      key: 'state',
      title: t('状态'),
      render: (row) => (
        <span className="work-chip" data-tone={row.isOver ? 'good' : 'info'}>
          {row.isOver ? t('已结束') : t('进行中')}
        </span>
      ),
    },
  ]
}
