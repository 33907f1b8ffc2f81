import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  moneyActFields,
  moneyActLabels,
  moneyActsAbout,
  moneyActList,
  moneyActStateLabels,
  secondPersonEndpoints,
  type MoneyActsAbout,
  type MoneyActFilter,
  type MoneyActRow,
} from '@saddle/contract/finance/secondPerson.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import type { Decision } from './DecideDialog.tsx'
import { billsPath } from '../splitBills/words.ts'
import { nameOfAct } from './words.ts'

const DecideDialog = lazy(() => loadChunk(() => import('./DecideDialog.tsx')))

const refreshEveryMs = 30_000
const tones = { waiting: 'warn', confirmed: 'good', rejected: 'bad', withdrawn: 'off', expired: 'off' } as const

const moneyActs = listOf({
  list: moneyActList,
  call: secondPersonEndpoints.listMoneyActs,
  sums: secondPersonEndpoints.sumMoneyActs,
  file: secondPersonEndpoints.exportMoneyActs,
  fields: moneyActFields,
  usual: { states: ['waiting'] },
})

interface Props {
  readonly title: string
  /** The other lists of the page. */
  readonly views: ReactNode
  readonly about: MoneyActsAbout
}

/** What one person may not do alone: another person confirms it, or it is not done. */
export function MoneyActList({ title, views, about }: Props): ReactNode {
  const list = useList(moneyActs, { refreshEveryMs, fixed: { about } })
  const acts = Object.fromEntries(moneyActsAbout[about].map((act) => [act, moneyActLabels[act]]))
  return (
    <ListPage
      list={list}
      title={title}
      above={views}
      filters={[
        many('states', t('状态'), moneyActStateLabels),
        ...(about === 'riders' ? [many<MoneyActFilter>('acts', t('事项'), acts)] : []),
        days(t('提交日期')),
      ]}
      columns={columns}
      rowName={nameOfAct}
      empty={about === 'bills' ? t('没有账单更正') : t('没有待确认的资金操作')}
    />
  )
}

/** Nobody confirms what they asked for themselves. */
function Acts({ row }: { row: MoneyActRow }) {
  const [decision, setDecision] = useState<Decision | null>(null)
  if (row.state !== 'waiting') return '--'
  const button = (label: string, next: Decision) => (
    <Button look="quiet" onClick={() => setDecision(next)}>
      {label}
    </Button>
  )
  return (
    <>
      {row.isOwn && button(t('撤回'), 'reject')}
      {row.canDecide && (
        <>
          {button(t('确认'), 'confirm')}
          {button(t('拒绝'), 'reject')}
        </>
      )}
      {!row.isOwn && !row.canDecide && t('由上级公司复核')}
      {decision !== null && (
        <Suspense fallback={null}>
          <DecideDialog row={row} decision={decision} onClose={() => setDecision(null)} />
        </Suspense>
      )}
    </>
  )
}

function subjectOf({ orderId, riderId, billId }: MoneyActRow): ReactNode {
  if (billId !== null) return <Link to={billsPath({ id: billId })}>{t('账单 {{id}}', { id: billId })}</Link>
  if (orderId !== null) return <Link to={`/user-order-detail?order=${orderId}`}>{t('骑行订单')}</Link>
  if (riderId === null) return '--'
  return <RiderLink riderId={riderId}>{t('用户 {{id}}', { id: riderId })}</RiderLink>
}

const columns = (): readonly ColumnSpec<MoneyActRow>[] => [
  { key: 'cents', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={tones[state]}>{t(moneyActStateLabels[state])}</Mark>,
  },
  { key: 'decide', title: t('操作'), card: 'wide', render: (row) => <Acts row={row} /> },
  { key: 'act', render: nameOfAct },
  {
    key: 'orderId',
    title: t('关于'),
    card: 'none',
    render: subjectOf,
  },
  { key: 'reason', width: 200 },
  {
    key: 'operatorName',
    render: ({ isOwn, operatorName }) => (isOwn ? t('{{name}}（本人）', { name: operatorName }) : operatorName),
  },
  { key: 'askedAt', sort: 'asked' },
  { key: 'expiresAt', card: 'none' },
  { key: 'decidedBy', card: 'none' },
  { key: 'note', width: 180, card: 'none' },
  { key: 'company', card: 'none' },
]
