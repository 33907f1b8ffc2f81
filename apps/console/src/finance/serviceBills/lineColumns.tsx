import { meterLabels } from '@saddle/contract/finance/meters.ts'
import type { BillLine } from '@saddle/contract/finance/serviceBills.ts'
import { t } from '#kit/i18n/index.ts'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { priceText, quantityText } from '../meters/words.ts'
import { areaText } from './words.ts'

export const lineColumns = (): readonly ColumnSpec<BillLine>[] => [
  { key: 'meter', card: 'head', render: ({ meter }) => t(meterLabels[meter]) },
  { key: 'area', render: areaText },
  'month',
  { key: 'quantity', numeric: true, render: ({ meter, quantity }) => quantityText(meter, quantity) },
  { key: 'priceCents', title: t('单价'), unit: '', card: 'none', render: priceText },
  { key: 'amountCents', sort: 'amount' },
  { key: 'company', card: 'none' },
  { key: 'number', isOptional: true },
  { key: 'disputedCents', isOptional: true },
  { key: 'adjustedCents', isOptional: true },
]
