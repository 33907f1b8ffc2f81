import type { ReactNode } from 'react'
import { serviceBillEndpoints, type ServiceBill } from '@saddle/contract/finance/serviceBills.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { staleAfterWaiver } from './lists.ts'

/** The platform gives up what is still open of a bill. It cannot be undone. */
export default function WaiveDialog({
  bill,
  onClose,
}: {
  readonly bill: ServiceBill
  readonly onClose: () => void
}): ReactNode {
  const title = t('减免 {{yuan}} 元', { yuan: money(bill.openCents) })
  return (
    <FormDialog
      title={title}
      call={serviceBillEndpoints.waiveServiceBill}
      about={bill.id}
      fields={{
        reason: reason({ note: t('加盟商可见'), presets: [t('试运营期间免收'), t('服务中断补偿')] }),
      }}
      input={(values) => ({ id: bill.id, ...values })}
      submit={title}
      stale={staleAfterWaiver}
      done={() => t('已减免 {{yuan}} 元', { yuan: money(bill.openCents) })}
      onClose={onClose}
    >
      <p>
        {t('{{number}} 尚未扣款的部分不再收取。减免后不能撤销，加盟商可以看到原因与经办人。', { number: bill.number })}
      </p>
    </FormDialog>
  )
}
