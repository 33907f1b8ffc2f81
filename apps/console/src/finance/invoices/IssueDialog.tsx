import type { ReactNode } from 'react'
import { invoiceEndpoints, type Invoice } from '@saddle/contract/finance/invoices.ts'
import { tellRefused } from '#kit/action/refused.ts'
import type { ControlProps, Field } from '#kit/form/field.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { photos } from '#kit/form/otherFields.tsx'
import { text } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { staleAfterDecision } from './useRestore.ts'
import './invoices.css'

interface Props {
  readonly invoices: readonly Invoice[]
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** The numbers that the tax office gave, each beside whose invoice it is; link and picture where it is a single one. */
export default function IssueDialog({ invoices, onClose, onDone }: Props): ReactNode {
  const count = invoices.length
  const isHidden = count > 1
  const title = t('登记 {{count}} 张发票', { count })
  return (
    <FormDialog
      title={title}
      widthPx={620}
      call={invoiceEndpoints.issueInvoices}
      about={invoices.map(({ id }) => id).join()}
      fields={{
        numbers: numbersOf(invoices),
        link: text({
          label: t('下载链接'),
          hint: t('以 https:// 开头'),
          at: 'invoices.0.link',
          type: 'url',
          isOptional: true,
        }),
        file: photos({ label: t('发票图片'), note: t('选填'), max: 1 }),
      }}
      adjust={({ numbers }) => ({
        numbers: { fault: new Set(numbers).size < numbers.length ? t('有两张发票的号码相同') : null },
        link: { isHidden },
        file: { isHidden },
      })}
      input={({ numbers, link, file }) => ({
        invoices: invoices.map(({ id }, index) => ({ id, number: numbers[index] ?? '', link })),
        file: file?.[0],
      })}
      submit={title}
      stale={staleAfterDecision}
      done={({ data: { done } }) => (done.length === 0 ? null : t('已登记 {{count}} 张发票', { count: done.length }))}
      onDone={({ data: { refused } }) => {
        tellRefused(refused)
        onDone?.()
      }}
      onClose={onClose}
    >
      <p>{t('发票号码为 8 位或 20 位数字；登记后骑行者可以看到。')}</p>
    </FormDialog>
  )
}

/** One number for each invoice, in their order. */
function numbersOf(invoices: readonly Invoice[]): Field<readonly string[], readonly string[]> {
  return {
    label: t('发票号码'),
    at: 'invoices',
    initial: invoices.map(() => ''),
    isGroup: true,
    refusals: ['invoice_number_taken'],
    read: (value) =>
      value.includes('')
        ? { fault: t('还有 {{number}} 张没有号码', { number: value.filter((one) => one === '').length }) }
        : { value },
    control: (props) => <Numbers {...props} invoices={invoices} />,
  }
}

function Numbers({
  id,
  value,
  onChange,
  faultAt,
  invoices,
}: ControlProps<readonly string[]> & { invoices: readonly Invoice[] }) {
  return (
    <ol className="invoices-numbers">
      {invoices.map((invoice, index) => (
        <li key={invoice.id}>
          <label htmlFor={`${id}-${invoice.id}`}>
            {invoice.title} · {t('{{yuan}} 元', { yuan: money(invoice.cents) })}
          </label>
          <input
            id={`${id}-${invoice.id}`}
            className="form-input"
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            placeholder={t('发票号码')}
            value={value[index] ?? ''}
            aria-invalid={faultAt(`${index}.number`) !== null}
            onChange={({ target }) => onChange(value.with(index, target.value.trim()))}
          />
        </li>
      ))}
    </ol>
  )
}
