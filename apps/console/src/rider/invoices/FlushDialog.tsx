import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { invoiceEndpoints, invoiceReasonMax, type Invoice } from '@saddle/contract/finance/invoices.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { useOnceKey } from '../parts/useOnceKey.ts'
import { staleAfterDecision } from './useDecisions.ts'
import '#kit/list/filter.css'
import '../parts/rider.css'

const numberPattern = /^\d{8}$|^\d{20}$/

/** The red invoice that takes one back; afterwards its items can be asked for again. It cannot be undone. */
export default function FlushDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }): ReactNode {
  const [redNumber, setRedNumber] = useState('')
  const [reason, setReason] = useState('')
  const key = useOnceKey()
  const send = useEndpointMutation(invoiceEndpoints.flushInvoice, {
    invalidates: staleAfterDecision,
    onSuccess: () => {
      notify.success({ text: t('已红冲发票 {{number}}', { number: invoice.number ?? '' }) })
      onClose()
    },
  })
  const isReady = numberPattern.test(redNumber) && reason.trim() !== ''
  const submit = () => {
    if (!isReady || send.isPending) return
    send.mutate(
      { input: { id: invoice.id, redNumber, reason: reason.trim() }, idempotencyKey: key.get() },
      { onSettled: (_, failure) => isTryOver(failure) && key.renew() },
    )
  }
  return (
    <Modal
      open
      width={480}
      title={t('红冲发票 {{number}}', { number: invoice.number ?? '' })}
      footer={null}
      onCancel={onClose}
    >
      <form
        className="rider-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p>{t('请先在开票系统开具红字发票。红冲后不能撤销，其中项目可以重新申请开票。')}</p>
        <label>
          {t('红字发票号码（8 位或 20 位数字）')}
          <input
            className="filter-keyword"
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            value={redNumber}
            onChange={(event) => setRedNumber(event.target.value.trim())}
          />
        </label>
        <label>
          {t('原因（骑行者可见）')}
          <input
            className="filter-keyword"
            value={reason}
            maxLength={invoiceReasonMax}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <div className="rider-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={send.isPending} disabled={!isReady}>
            {t('红冲发票')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
