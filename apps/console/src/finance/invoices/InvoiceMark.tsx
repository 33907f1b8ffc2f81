import type { ReactNode } from 'react'
import { invoiceStateLabels, type InvoiceState } from '@saddle/contract/finance/invoices.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const tones: Readonly<Record<InvoiceState, Tone>> = {
  requested: 'warn',
  issued: 'good',
  refused: 'bad',
  cancelled: 'off',
  red_flushed: 'off',
}

export function InvoiceMark({ state }: { state: InvoiceState }): ReactNode {
  return <Mark tone={tones[state]}>{t(invoiceStateLabels[state])}</Mark>
}
