import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { invoiceEndpoints, invoiceReasonMax, type Invoice } from '@saddle/contract/finance/invoices.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { useOnceKey } from '../parts/useOnceKey.ts'
import { staleAfterDecision, tellRefused, useRestore } from './useDecisions.ts'
import '#kit/list/filter.css'
import '../parts/rider.css'

interface Props {
  readonly invoices: readonly Pick<Invoice, 'id'>[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Why there is no invoice; it can be taken back from the message that follows. */
export default function RefuseDialog({ invoices, onClose, onDone }: Props): ReactNode {
  const [reason, setReason] = useState('')
  const key = useOnceKey()
  const { restore } = useRestore()
  const send = useEndpointMutation(invoiceEndpoints.refuseInvoices, {
    invalidates: staleAfterDecision,
    onSuccess: ({ data: { done, refused } }) => {
      tellRefused(refused)
      if (done.length > 0) {
        notify.success({
          text: t('已拒绝 {{count}} 张开票申请', { count: done.length }),
          action: { label: t('撤销'), run: () => restore(done) },
        })
      }
      onDone()
    },
  })
  const isReady = reason.trim() !== ''
  const submit = () => {
    if (!isReady || send.isPending) return
    send.mutate(
      { input: { ids: invoices.map(({ id }) => id), reason: reason.trim() }, idempotencyKey: key.get() },
      { onSettled: (_, failure) => isTryOver(failure) && key.renew() },
    )
  }
  const count = invoices.length
  return (
    <Modal open width={480} title={t('拒绝 {{count}} 张开票申请', { count })} footer={null} onCancel={onClose}>
      <form
        className="rider-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
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
            {t('拒绝 {{count}} 张', { count })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
