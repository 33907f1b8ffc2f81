import type { ReactNode } from 'react'
import { invoiceEndpoints, type Invoice } from '@saddle/contract/finance/invoices.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleAfterDecision } from './useRestore.ts'

/** The red invoice that takes one back; afterwards its items can be asked for again. It cannot be undone. */
export default function FlushDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }): ReactNode {
  const number = invoice.number ?? ''
  return (
    <FormDialog
      title={t('红冲发票 {{number}}', { number })}
      call={invoiceEndpoints.flushInvoice}
      about={invoice.id}
      fields={{
        redNumber: text({
          label: t('红字发票号码'),
          hint: t('8 位或 20 位数字'),
          inputMode: 'numeric',
          refusals: ['invoice_number_taken'],
        }),
        reason: reason({ note: t('骑行者可见'), presets: [t('开票后退款'), t('抬头有误'), t('金额有误')] }),
      }}
      input={(values) => ({ id: invoice.id, ...values })}
      submit={t('红冲发票 {{number}}', { number })}
      stale={staleAfterDecision}
      done={() => t('已红冲发票 {{number}}', { number })}
      onClose={onClose}
    >
      <p>{t('请先在开票系统开具红字发票。红冲后不能撤销，其中项目可以重新申请开票。')}</p>
    </FormDialog>
  )
}
