import { lazy, Suspense, useState, type ReactNode } from 'react'
import {
  caseStateLabels,
  depositEndpoints,
  freeCents,
  type Deposit,
  type DepositCase,
} from '@saddle/contract/finance/deposits.ts'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import type { AmountAct } from './AmountDialog.tsx'
import { DepositMark } from './MoneyMark.tsx'
import { useMoneyAct } from './useMoney.ts'

const AmountDialog = lazy(() => loadChunk(() => import('./AmountDialog.tsx')))

const caseTones = { open: 'warn', released: 'off', recovered: 'bad' } as const

/** The deposits of a rider with what was looked into, frozen, kept and given back. */
export function Deposits({ riderId }: { riderId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(depositEndpoints.listDeposits, { filter: { riderId }, pageSize: 50 })
  const list = data?.data.list
  if (list === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  if (list.length === 0) return <Empty title={t('没有交过押金')} />
  return (
    <ul className="money-list">
      {list.map((deposit) => (
        <One key={deposit.id} deposit={deposit} />
      ))}
    </ul>
  )
}

function One({ deposit }: { deposit: Deposit }) {
  const free = freeCents(deposit)
  return (
    <li className="money-item">
      <div className="money-line">
        <b>{t('{{yuan}} 元', { yuan: money(deposit.cents) })}</b>
        <DepositMark state={deposit.state} />
        <span className="money-soft">
          {dateTime(deposit.paidAt)} · {t(paymentChannelLabels[deposit.channel])}
        </span>
      </div>
      <p className="money-soft">
        {t('可用 {{free}} · 冻结 {{frozen}} · 已扣 {{kept}} · 已退 {{back}}（元）', {
          free: money(free),
          frozen: money(deposit.frozenCents),
          kept: money(deposit.recoveredCents),
          back: money(deposit.refundedCents),
        })}
      </p>
      {free > 0 && (
        <Permit action="07010112">
          <DepositActs deposit={deposit} free={free} />
        </Permit>
      )}
      {deposit.cases.map((one) => (
        <Case key={one.id} found={one} />
      ))}
    </li>
  )
}

function DepositActs({ deposit: { id: depositId }, free }: { deposit: Deposit; free: number }) {
  const [open, setOpen] = useState<'freeze' | 'refund' | null>(null)
  const close = () => setOpen(null)
  const unfreeze = useMoneyAct(depositEndpoints.unfreezeDeposit, () => notify.success({ text: t('已解冻') }))
  const freeze = useMoneyAct(depositEndpoints.freezeDeposit, ({ data }) => {
    const caseId = data.cases.find(({ state }) => state === 'open')?.id
    notify.success({
      text: t('已冻结押金'),
      ...(caseId !== undefined && {
        action: {
          label: t('撤销'),
          run: () => unfreeze.mutate({ input: { caseId, reason: t('撤销') }, idempotencyKey: newIdempotencyKey() }),
        },
      }),
    })
    close()
  })
  const refund = useMoneyAct(
    depositEndpoints.refundDeposit,
    () => {
      notify.success({ text: t('押金已交支付渠道退还') })
      close()
    },
    close,
  )
  const act: AmountAct =
    open === 'refund'
      ? {
          title: t('退还押金'),
          effect: t('没有冻结的 {{yuan}} 元退回原支付渠道，退后不能收回。', { yuan: money(free) }),
          maxCents: free,
          isWhole: true,
          button: (yuan) => t('退还 {{yuan}} 元', { yuan }),
          busy: refund.isPending,
          run: ({ reason, idempotencyKey, settle }) =>
            refund.mutate({ input: { depositId, reason }, idempotencyKey }, { onSettled: settle }),
        }
      : {
          title: t('冻结押金'),
          effect: t('冻结的部分在处理完之前不能退还。'),
          maxCents: free,
          button: (yuan) => t('冻结 {{yuan}} 元', { yuan }),
          busy: freeze.isPending,
          run: ({ cents, reason, idempotencyKey, settle }) =>
            freeze.mutate({ input: { depositId, cents, reason }, idempotencyKey }, { onSettled: settle }),
        }
  return (
    <div className="money-acts">
      <Button onClick={() => setOpen('freeze')}>{t('冻结')}</Button>
      <Button onClick={() => setOpen('refund')}>{t('退还')}</Button>
      {open !== null && (
        <Suspense fallback={null}>
          <AmountDialog key={open} act={act} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

function Case({ found }: { found: DepositCase }) {
  return (
    <div className="money-case">
      <div className="money-line">
        <Mark tone={caseTones[found.state]}>{t(caseStateLabels[found.state])}</Mark>
        <span>
          {found.state === 'recovered'
            ? t('冻结 {{yuan}} 元，扣 {{kept}} 元', { yuan: money(found.cents), kept: money(found.recoveredCents) })
            : t('{{yuan}} 元', { yuan: money(found.cents) })}
        </span>
        <span>{found.reason}</span>
      </div>
      <p className="money-soft">
        {found.operatorName} · {dateTime(found.openedAt)}
        {found.decidedAt !== null && ` → ${found.decidedBy} · ${dateTime(found.decidedAt)} · ${found.decision}`}
      </p>
      {found.state === 'open' && (
        <Permit action="07010112">
          <CaseActs found={found} />
        </Permit>
      )}
    </div>
  )
}

function CaseActs({ found: { id: caseId, cents: frozen } }: { found: DepositCase }) {
  const [open, setOpen] = useState<'recover' | 'unfreeze' | null>(null)
  const close = () => setOpen(null)
  const recover = useMoneyAct(depositEndpoints.recoverDeposit, () => {
    notify.success({ text: t('已从押金中扣款') })
    close()
  })
  const unfreeze = useMoneyAct(depositEndpoints.unfreezeDeposit, () => {
    notify.success({ text: t('已解冻') })
    close()
  })
  const act: AmountAct =
    open === 'recover'
      ? {
          title: t('从冻结押金中扣款'),
          effect: t('扣下的部分成为收入，余下的自动解冻。扣款不能撤销。'),
          maxCents: frozen,
          button: (yuan) => t('扣款 {{yuan}} 元', { yuan }),
          busy: recover.isPending,
          run: ({ cents, reason, idempotencyKey, settle }) =>
            recover.mutate({ input: { caseId, cents, reason }, idempotencyKey }, { onSettled: settle }),
        }
      : {
          title: t('解冻押金'),
          effect: t('冻结的 {{yuan}} 元重新可以退还。', { yuan: money(frozen) }),
          maxCents: frozen,
          isWhole: true,
          button: (yuan) => t('解冻 {{yuan}} 元', { yuan }),
          busy: unfreeze.isPending,
          run: ({ reason, idempotencyKey, settle }) =>
            unfreeze.mutate({ input: { caseId, reason }, idempotencyKey }, { onSettled: settle }),
        }
  return (
    <div className="money-acts">
      <Button onClick={() => setOpen('recover')}>{t('扣款')}</Button>
      <Button onClick={() => setOpen('unfreeze')}>{t('解冻')}</Button>
      {open !== null && (
        <Suspense fallback={null}>
          <AmountDialog key={open} act={act} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}
