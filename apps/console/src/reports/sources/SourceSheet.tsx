import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { ReportFilter } from '@saddle/contract/reports/figures.ts'
import { figureOf, metricOf, type MetricName } from '@saddle/contract/reports/metrics.ts'
import type { MeasureUnit } from '@saddle/contract/reports/measures.ts'
import {
  sourceOfPart,
  sourceRowEndpoints,
  sourceRowFields,
  sourceRowList,
  unitOfPart,
  type FigurePart,
  type SourceRow,
} from '@saddle/contract/reports/sources.ts'
import { entryKinds, chartOfAccounts } from '@saddle/contract/finance/ledger.ts'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import { moneyWithSign, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Segments } from '#kit/plain/Segments.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { OrderLink } from '#kit/ui/OrderLink.tsx'
import { OrderMark } from '#kit/ui/OrderMark.tsx'
import { Sheet } from '#kit/ui/Sheet.tsx'
import { figureText } from '../figures/figureText.ts'

const sources = listOf({
  list: sourceRowList,
  call: sourceRowEndpoints.listSourceRows,
  file: sourceRowEndpoints.exportSourceRows,
  fields: sourceRowFields,
})

export interface FigureOfRow {
  readonly metric: MetricName
  /** Of the row; absent: of the total. */
  readonly key?: string
  readonly rowName?: string
  /** As the report shows it. */
  readonly value: number | null | undefined
  /** The list of orders with the same rows, where there is one. */
  readonly orders: string | null
}

interface Props {
  readonly filter: ReportFilter
  readonly figure: FigureOfRow
  readonly onClose: () => void
}

const partLabels: Readonly<Record<FigurePart, string>> = { top: '分子', bottom: '分母' }

/** The rows that a figure is made of, and that their sum is the figure. */
export function SourceSheet({ filter, figure, onClose }: Props): ReactNode {
  const { metric, key, rowName, orders } = figure
  const { title, formula, over } = metricOf(metric)
  const [part, setPart] = useState<FigurePart>('top')
  const question = { ...filter, metric, ...(key !== undefined && { key }) }
  const heading = rowName === undefined ? t(title) : `${t(title)} · ${rowName}`
  return (
    <Sheet label={t('{{figure}}的明细', { figure: heading })} title={heading} onClose={onClose} isWide>
      <div className="report-source">
        <p className="report-source-formula">{t(formula)}</p>
        <Sums question={question} figure={figure} />
        <div className="report-source-tools">
          {over !== undefined && (
            <Segments
              label={t('内容')}
              options={(['top', 'bottom'] as const).map((one) => ({ value: one, label: t(partLabels[one]) }))}
              value={part}
              onChange={setPart}
            />
          )}
          {orders !== null && <Link to={orders}>{t('在订单列表中打开')}</Link>}
        </div>
        <Rows key={part} question={{ ...question, part }} />
      </div>
    </Sheet>
  )
}

type Question = ReportFilter & { readonly metric: MetricName; readonly key?: string }

/** `128 行，合计 ¥3,200.00`, and for a quotient both of its parts, with what they make. */
function Sums({ question, figure }: { readonly question: Question; readonly figure: FigureOfRow }): ReactNode {
  const { metric, value } = figure
  const hasBottom = metricOf(metric).over !== undefined
  const top = useSum({ ...question, part: 'top' }, true)
  const bottom = useSum({ ...question, part: 'bottom' }, hasBottom)
  if (top === null || (hasBottom && bottom === null)) return <p className="report-source-sum">{t('正在合计…')}</p>
  if (top.value === null || bottom?.value === null) {
    return <p className="report-source-sum">{t('行数较多，不逐行合计；数字以报表为准。')}</p>
  }
  const made = madeOf(metric, top.value, bottom?.value)
  const isSame = (made ?? 0) === (value ?? 0)
  return (
    <p className="report-source-sum" data-testid="report-source-sum">
      <span>
        {hasBottom ? `${t(partLabels.top)} ` : ''}
        {t('{{rows}} 行，合计 {{sum}}', {
          rows: number(top.rows),
          sum: partText(unitOfPart(metric, 'top'), top.value),
        })}
      </span>
      {bottom !== null && hasBottom && bottom.value !== null && (
        <span>
          {t(partLabels.bottom)}{' '}
          {t('{{rows}} 行，合计 {{sum}}', {
            rows: number(bottom.rows),
            sum: partText(unitOfPart(metric, 'bottom'), bottom.value),
          })}
        </span>
      )}
      <b>= {figureText(metric, made)}</b>
      <Mark tone={isSame ? 'good' : 'warn'}>
        {isSame ? t('与报表一致') : t('报表为 {{value}}，有新的变动正在计入', { value: figureText(metric, value) })}
      </Mark>
    </p>
  )
}

/** The figure that two sums make; `figureOf` takes the sums by measures, so each part stands under its first one. */
function madeOf(metric: MetricName, top: number, bottom: number | undefined): number | null {
  const own = metricOf(metric)
  const [first, ...others] = own.plus
  const [under] = own.over ?? []
  if (first === undefined) return null
  const isOne = others.length === 0 && own.minus === undefined && (own.over?.length ?? 0) < 2 && first !== under
  if (isOne) return figureOf(own, { [first]: top, ...(under !== undefined && { [under]: bottom ?? 0 }) })
  if (own.over === undefined) return top
  if (bottom === undefined || bottom === 0) return null
  const quotient = (top / bottom) * (own.scale ?? 1)
  return own.unit === 'cents' ? Math.round(quotient) : Math.round(quotient * 10_000) / 10_000
}

function useSum(filter: Question & { readonly part: FigurePart }, isAsked: boolean) {
  const { data } = useEndpoint(sourceRowEndpoints.sumSourceRows, { filter }, { enabled: isAsked, quiet: true })
  return data === undefined ? null : { rows: data.data.rows, value: data.data.sums?.value ?? null }
}

const kilometreM = 1_000
const minuteS = 60

/** What is added up, with its unit. */
function partText(unit: MeasureUnit, value: number): string {
  switch (unit) {
    case 'cents':
      return moneyWithSign(value)
    case 'count':
      return number(value)
    case 'metres':
      return `${(value / kilometreM).toFixed(2)} km`
    case 'seconds':
      return `${(value / minuteS).toFixed(1)} min`
  }
}

function Rows({ question }: { readonly question: Question & { readonly part: FigurePart } }): ReactNode {
  const list = useList(sources, { fixed: question, isInside: true })
  const { metric, part } = question
  return <ListCard list={list} label={t('明细')} columns={columnsFor(metric, part)} empty={t('没有计入的记录')} />
}

const labelOf = (labels: Readonly<Record<string, string>>, code: string): string => {
  const label = labels[code]
  return label === undefined ? code : t(label)
}

function columnsFor(metric: MetricName, part: FigurePart): readonly ColumnSpec<SourceRow>[] {
  const unit = unitOfPart(metric, part)
  const value: ColumnSpec<SourceRow> = {
    key: 'value',
    title: t('计入'),
    numeric: true,
    card: 'head',
    render: (row) => partText(unit, row.value),
  }
  const source = sourceOfPart(metric, part)
  const order: ColumnSpec<SourceRow> = {
    key: 'orderNumber',
    render: ({ orderId, orderNumber }) => <Order orderId={orderId} number={orderNumber} />,
  }
  if (source === 'fleet') return [{ key: 'at', title: t('日期'), card: 'head' }, value, 'areaName', 'company']
  if (source === 'rides') {
    return [
      { key: 'at', title: t('下单时间'), card: 'head' },
      value,
      order,
      {
        key: 'orderState',
        render: ({ orderState }) => (orderState === null ? '--' : <OrderMark state={orderState} />),
      },
      'vehicleNumber',
      'model',
      'areaName',
      'company',
    ]
  }
  return [
    { key: 'at', title: t('入账时间'), card: 'head' },
    value,
    { key: 'entryKind', render: ({ entryKind }) => (entryKind === null ? '--' : labelOf(entryKinds, entryKind)) },
    { key: 'account', render: ({ account }) => (account === null ? '--' : t(chartOfAccounts[account].label)) },
    order,
    {
      key: 'channel',
      render: ({ channel }) =>
        channel === null || channel === '' ? t('不经渠道') : labelOf(paymentChannelLabels, channel),
    },
    'areaName',
    'company',
    { key: 'entryNumber', isOptional: true },
  ]
}

/** Whoever may see orders opens the order. */
function Order({ orderId, number: text }: { readonly orderId: number | null; readonly number: string | null }) {
  const mayOpen = usePermissions().held.has('1601')
  return mayOpen ? <OrderLink orderId={orderId} number={text} /> : (text ?? '--')
}
