import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  planFields,
  planList,
  rebalancingEndpoints,
  type AdoptedPlan,
} from '@saddle/contract/operations/rebalancing.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { kilometres } from './words.ts'

const plans = listOf({
  list: planList,
  call: rebalancingEndpoints.listPlans,
  file: rebalancingEndpoints.exportPlans,
  fields: planFields,
})

/** What was adopted: how much of it was done, and what that brought beside what was expected. */
export function ResultPanel({ areaId }: { readonly areaId: number }): ReactNode {
  const list = useList(plans, { fixed: { areaId }, isInside: true })
  return (
    <>
      <p className="work-note">
        {t('“实际多出”是调走的车在展望时间内的骑行，减去同处留下的车按同样数量应有的骑行；样本少时只作参考。')}
      </p>
      <ListCard
        list={list}
        label={t('效果对照')}
        filters={[days(t('采用日期'))]}
        columns={columns}
        rowName={({ areaName, madeAt }) => `${areaName} · ${dateTime(madeAt)}`}
        empty={t('还没有采用过调度方案')}
      />
    </>
  )
}

const signed = (value: number): string => (value > 0 ? `+${value.toFixed(1)}` : value.toFixed(1))

function tasksOf({ areaId, madeAt }: AdoptedPlan): string {
  const filter = { areaIds: [areaId], sources: ['rebalancing'], from: madeAt, to: madeAt + 1 }
  return `/data/operation-tasks?filter=${encodeURIComponent(JSON.stringify(filter))}`
}

function columns(): readonly ColumnSpec<AdoptedPlan>[] {
  const perVehicle = ({ vehicles, rides }: AdoptedPlan['carried']): string =>
    vehicles === 0 ? '--' : `${rides} / ${vehicles}`
  return [
    { key: 'madeAt', card: 'head' },
    'authorName',
    { key: 'hours', card: 'none' },
    { key: 'distanceM', card: 'none', render: (row) => kilometres(row.distanceM) },
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
      key: 'expectedGain',
      render: (row) => row.expectedGain.toFixed(1),
    },
    {
      key: 'brought',
      render: (row) => (
        <span className={row.brought !== null && row.brought < 0 ? 'work-late' : undefined}>
          {row.brought === null ? '--' : signed(row.brought)}
        </span>
      ),
    },
    {
      key: 'isOver',
      card: 'head',
      render: (row) => (
        <span className="work-chip" data-tone={row.isOver ? 'good' : 'info'}>
          {row.isOver ? t('已结束') : t('进行中')}
        </span>
      ),
    },
  ]
}
