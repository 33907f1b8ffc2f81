import { lazy, Suspense, useState, type ReactNode } from 'react'
import {
  billLineStateLabels,
  differenceKindLabels,
  differenceResolutionLabels,
  ownStateLabels,
  type ChannelDifference,
} from '@saddle/contract/finance/channelBills.ts'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { DifferenceMark } from './DifferenceMark.tsx'
import { explain } from './words.ts'
import './channelBills.css'

const ProposeDialog = lazy(() => loadChunk(() => import('./ProposeDialog.tsx')))
const DecideDialog = lazy(() => loadChunk(() => import('./DecideDialog.tsx')))

interface Props {
  readonly difference: ChannelDifference
  /** On to the next one that waits. */
  readonly onDecided: () => void
}

/** One difference: both sides beside each other, what is held because of it, and who decided what. */
export function DifferencePanel({ difference, onDecided }: Props): ReactNode {
  const { kind, state } = difference
  const hasActs = difference.resolutions.length > 0 || difference.canConfirm || difference.isOwn
  return (
    <DetailPanel
      label={t('差异明细')}
      title={
        <span>
          <strong>{t(differenceKindLabels[kind])}</strong> <DifferenceMark state={state} />
        </span>
      }
      {...(hasActs && { foot: <Acts difference={difference} onDecided={onDecided} /> })}
    >
      <p>{explain(difference)}</p>
      <Sides difference={difference} />
      <Facts facts={factsOf(difference)} />
    </DetailPanel>
  )
}

function Sides({ difference }: { difference: ChannelDifference }) {
  const { billCents, billStatus, billAt, ownCents, ownStatus, ownAt } = difference
  const rows = [
    [t('渠道账单'), billCents, billStatus === null ? null : t(billLineStateLabels[billStatus]), billAt],
    [t('平台'), ownCents, ownStatus === null ? null : t(ownStateLabels[ownStatus]), ownAt],
  ] as const
  return (
    <table className="channel-sides" aria-label={t('渠道账单与平台')}>
      <thead>
        <tr>
          <th>{t('来源')}</th>
          <th>{t('金额（元）')}</th>
          <th>{t('状态')}</th>
          <th>{t('时间')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([title, cents, status, at]) => (
          <tr key={title}>
            <td>{title}</td>
            <td data-numeric="true">{cents === null ? t('没有') : money(cents)}</td>
            <td>{status ?? '--'}</td>
            <td>{dateTime(at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function factsOf(difference: ChannelDifference): (readonly [string, ReactNode])[] {
  const { resolution, reason, proposedBy, proposedAt, decidedBy, decidedAt, tradeNumber, orderNumber, number } =
    difference
  const numberOf = (text: string) => <span className="channel-number">{text}</span>
  return [
    [t('账单日期'), difference.day],
    [t('渠道'), t(paymentChannelLabels[difference.channel])],
    [t('加盟商'), difference.company],
    [difference.isRefund ? t('退款单号') : t('支付单号'), numberOf(number)],
    ...(orderNumber === number ? [] : [[t('原支付单号'), numberOf(orderNumber)] as const]),
    ...(tradeNumber === '' ? [] : [[t('渠道单号'), numberOf(tradeNumber)] as const]),
    [t('差额'), t('{{yuan}} 元', { yuan: money(difference.deltaCents) })],
    [t('暂缓结算'), t('{{yuan}} 元', { yuan: money(difference.heldCents) })],
    ...(resolution === null ? [] : [[t('处理方式'), t(differenceResolutionLabels[resolution])] as const]),
    ...(reason === '' ? [] : [[t('说明'), reason] as const]),
    ...(proposedBy === null ? [] : [[t('提出'), `${proposedBy} · ${dateTime(proposedAt)}`] as const]),
    ...(decidedBy === null ? [] : [[t('复核'), `${decidedBy} · ${dateTime(decidedAt)}`] as const]),
  ]
}

function Acts({ difference, onDecided }: Props) {
  const [open, setOpen] = useState<'propose' | 'confirm' | 'reject' | null>(null)
  const close = () => setOpen(null)
  return (
    <div className="channel-acts">
      {difference.resolutions.length > 0 && (
        <Button look="primary" onClick={() => setOpen('propose')}>
          {t('提出处理方式')}
        </Button>
      )}
      {difference.canConfirm && (
        <>
          <Button onClick={() => setOpen('reject')}>{t('退回')}</Button>
          <Button look="primary" onClick={() => setOpen('confirm')}>
            {t('复核并执行')}
          </Button>
        </>
      )}
      {difference.isOwn && (
        <>
          <span className="form-hint">{t('由本人提出，需另一位平台人员复核')}</span>
          <Button onClick={() => setOpen('reject')}>{t('撤回')}</Button>
        </>
      )}
      <Suspense fallback={null}>
        {open === 'propose' && <ProposeDialog difference={difference} onClose={close} onDone={onDecided} />}
        {(open === 'confirm' || open === 'reject') && (
          <DecideDialog difference={difference} decision={open} onClose={close} onDone={onDecided} />
        )}
      </Suspense>
    </div>
  )
}
