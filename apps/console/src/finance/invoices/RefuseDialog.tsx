import type { ReactNode } from 'react'
import { invoiceEndpoints, type Invoice } from '@saddle/contract/finance/invoices.ts'
import { tellRefused } from '#kit/action/refused.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { restoredText, staleAfterDecision } from './useRestore.ts'

interface Props {
  readonly invoices: readonly Pick<Invoice, 'id'>[]
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Why there is no invoice; the message that follows takes it back. */
export default function RefuseDialog({ invoices, onClose, onDone }: Props): ReactNode {
  const ids = invoices.map(({ id }) => id)
  const count = ids.length
  return (
    <FormDialog
      title={t('拒绝 {{count}} 张开票申请', { count })}
      call={invoiceEndpoints.refuseInvoices}
      about={ids.join()}
      fields={{
        reason: reason({
          note: t('骑行者可见'),
          presets: [t('抬头与税号不符'), t('部分项目已退款，请重新申请'), t('重复申请')],
        }),
      }}
      input={(values) => ({ ids, ...values })}
      submit={t('拒绝 {{count}} 张', { count })}
      stale={staleAfterDecision}
      done={({ data: { done } }) =>
        done.length === 0 ? null : t('已拒绝 {{count}} 张开票申请', { count: done.length })
      }
      undo={({ data: { done } }) => ({ ids: done })}
      undone={restoredText}
      onDone={({ data: { refused } }) => {
        tellRefused(refused)
        onDone?.()
      }}
      onClose={onClose}
    />
  )
}
