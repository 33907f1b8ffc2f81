import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  moneyActLabels,
  moneyActStateLabels,
  moneyActStates,
  secondPersonEndpoints,
  type MoneyActRow,
  type MoneyActState,
} from '@saddle/contract/finance/secondPerson.ts'
import { moneyReasonMax } from '@saddle/contract/finance/wallet.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver } from '#kit/idempotency.ts'
import { Many } from '#kit/list/Choices.tsx'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { FilterBar } from '#kit/list/FilterBar.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { useOnceKey } from '../parts/useOnceKey.ts'
import { useMoneyAct } from './useMoney.ts'
import '#kit/list/filter.css'
import '../parts/rider.css'

const pageSize = 50
const refreshEveryMs = 30_000
const tones = { waiting: 'warn', confirmed: 'good', rejected: 'bad', withdrawn: 'off', expired: 'off' } as const

/** What people did with riders' money above their sum of the day: another person confirms it, or it is not done. */
export function ActsView(): ReactNode {
  const [states, setStates] = useState<readonly MoneyActState[]>(['waiting'])
  return (
    <>
      <FilterBar count={states.join() === 'waiting' ? 0 : 1} onClear={() => setStates(['waiting'])}>
        <Many
          label={t('状态')}
          value={states}
          options={moneyActStates.map((state) => ({ value: state, label: t(moneyActStateLabels[state]) }))}
          onChange={(chosen) => setStates(chosen ?? ['waiting'])}
        />
      </FilterBar>
      <Acts states={states} />
    </>
  )
}

function Acts({ states }: { states: readonly MoneyActState[] }) {
  const { scopeKey } = useScope()
  const pages = usePages(JSON.stringify([states, scopeKey]))
  const [deciding, setDeciding] = useState<{ row: MoneyActRow; how: How } | null>(null)
  const input = {
    states: [...states],
    pageSize,
    ...(pages.cursor !== undefined && { cursor: Number(pages.cursor) }),
  }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(secondPersonEndpoints.moneyActs, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const page = data?.data
  return (
    <section className="page-card">
      <DataTable<MoneyActRow>
        label={t('资金确认')}
        columns={columnsOf((row, how) => setDeciding({ row, how }))}
        rows={page?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={headOf}
        empty={<Empty title={t('没有待确认的资金操作')} />}
      />
      <Pager
        page={pages.page}
        hasNext={page !== undefined && page.nextCursor !== null}
        count={null}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor?.toString() ?? null)}
      />
      {deciding !== null && <Decide {...deciding} onClose={() => setDeciding(null)} />}
    </section>
  )
}

type How = 'confirm' | 'reject'

const whatOf = ({ act, isToRider }: MoneyActRow): string =>
  act === 'charge' ? (isToRider ? t('平台加款') : t('平台扣款')) : t(moneyActLabels[act])

const StateMark = ({ state }: { state: MoneyActState }) => (
  <Mark tone={tones[state]}>{t(moneyActStateLabels[state])}</Mark>
)

const headOf = (row: MoneyActRow): ReactNode => (
  <span className="rider-head">
    <b>{t('{{yuan}} 元', { yuan: money(row.cents) })}</b>
    <StateMark state={row.state} />
  </span>
)

function columnsOf(onDecide: (row: MoneyActRow, how: How) => void): readonly Column<MoneyActRow>[] {
  return [
    { key: 'cents', title: t('金额'), unit: t('元'), numeric: true, inHead: true, render: (row) => money(row.cents) },
    { key: 'state', title: t('状态'), inHead: true, render: (row) => <StateMark state={row.state} /> },
    {
      key: 'act',
      title: t('操作'),
      render: (row) =>
        row.state !== 'waiting' ? (
          '--'
        ) : row.isOwn ? (
          <Button look="quiet" onClick={() => onDecide(row, 'reject')}>
            {t('撤回')}
          </Button>
        ) : (
          <>
            <Button look="quiet" onClick={() => onDecide(row, 'confirm')}>
              {t('确认')}
            </Button>
            <Button look="quiet" onClick={() => onDecide(row, 'reject')}>
              {t('拒绝')}
            </Button>
          </>
        ),
    },
    { key: 'what', title: t('事项'), render: whatOf },
    {
      key: 'about',
      title: t('关于'),
      render: (row) =>
        row.orderId === null ? (
          <RiderLink riderId={row.riderId}>{t('用户 {{id}}', { id: row.riderId })}</RiderLink>
        ) : (
          <Link to={`/user-order-detail?order=${row.orderId}`}>{t('骑行订单')}</Link>
        ),
    },
    { key: 'reason', title: t('原因'), render: (row) => <span className="rider-text">{row.reason || '--'}</span> },
    {
      key: 'by',
      title: t('提交人'),
      render: (row) => (row.isOwn ? t('{{name}}（本人）', { name: row.operatorName }) : row.operatorName),
    },
    { key: 'asked', title: t('提交时间'), render: (row) => <time>{dateTime(row.askedAt)}</time> },
    { key: 'expires', title: t('有效期至'), render: (row) => <time>{dateTime(row.expiresAt)}</time> },
    { key: 'decided', title: t('处理人'), render: (row) => row.decidedBy ?? '--' },
    { key: 'note', title: t('说明'), render: (row) => <span className="rider-text">{row.note || '--'}</span> },
    { key: 'company', title: t('加盟商'), render: (row) => row.company },
  ]
}

/** Confirms what another person asked for, refuses it, or takes one's own back. */
export function Decide({ row, how, onClose }: { row: MoneyActRow; how: How; onClose: () => void }): ReactNode {
  const [note, setNote] = useState('')
  const key = useOnceKey()
  const yuan = money(row.cents)
  const confirm = useMoneyAct(secondPersonEndpoints.confirmMoneyAct, () => {
    notify.success({ text: t('已确认并执行，{{yuan}} 元', { yuan }) })
    onClose()
  })
  const reject = useMoneyAct(secondPersonEndpoints.rejectMoneyAct, ({ data }) => {
    notify.success({ text: data.state === 'withdrawn' ? t('已撤回，没有动用资金') : t('已拒绝，没有动用资金') })
    onClose()
  })
  const isBusy = confirm.isPending || reject.isPending
  const settled = {
    onSettled: (_: unknown, failure: Parameters<typeof isTryOver>[0]) => isTryOver(failure) && key.renew(),
  }
  const run = () => {
    if (isBusy) return
    const idempotencyKey = key.get()
    if (how === 'confirm') confirm.mutate({ input: { id: row.id }, idempotencyKey }, settled)
    else reject.mutate({ input: { id: row.id, note: note.trim() }, idempotencyKey }, settled)
  }
  const title = how === 'confirm' ? t('确认资金操作') : row.isOwn ? t('撤回资金操作') : t('拒绝资金操作')
  return (
    <Modal open width={480} title={title} footer={null} onCancel={onClose}>
      <form
        className="rider-form"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <p>
          {t('{{name}} 提交：{{what}} {{yuan}} 元。原因：{{reason}}', {
            name: row.operatorName,
            what: whatOf(row),
            yuan,
            reason: row.reason,
          })}
        </p>
        <p>{how === 'confirm' ? t('确认后立即执行，并以本人的名义记入操作日志。') : t('不会动用任何资金。')}</p>
        {how === 'reject' && (
          <label>
            {t('说明（可不填）')}
            <input
              className="filter-keyword"
              value={note}
              maxLength={moneyReasonMax}
              onChange={(event) => setNote(event.target.value)}
            />
          </label>
        )}
        <div className="rider-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {how === 'confirm' ? t('确认 {{yuan}} 元', { yuan }) : row.isOwn ? t('撤回') : t('拒绝')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
