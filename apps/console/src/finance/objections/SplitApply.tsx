import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  objectionDays,
  objectionEndpoints,
  objectionLinesMax,
  objectionPhotosMax,
  objectionReasonLabels,
  splitReasons,
  type SplitReason,
} from '@saddle/contract/finance/objections.ts'
import {
  splitBillEndpoints,
  splitLineFields,
  splitLineKindLabels,
  splitLineList,
  type SplitBill,
  type SplitLine,
  type SplitLineFilter,
} from '@saddle/contract/finance/splitBills.ts'
import { entryKinds, type EntryKind } from '@saddle/contract/finance/ledger.ts'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import type { ControlProps, Field } from '#kit/form/field.ts'
import { Form } from '#kit/form/Form.tsx'
import { photos } from '#kit/form/otherFields.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { objectionPath } from './words.ts'

const { listSplitBills, listSplitLines } = splitBillEndpoints
const { shares: _, ...shownFields } = splitLineFields
const lines = listOf({
  name: `${listSplitLines.path} objection`,
  list: splitLineList,
  call: listSplitLines,
  fields: shownFields,
  rowKey: ({ entryNumber }) => entryNumber,
})

/** Picks lines of a closed day's income and says what is wrong with them. */
export function SplitApply({ splitBillId }: { readonly splitBillId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(listSplitBills, {
    filter: { id: splitBillId },
    sort: 'day',
    pageSize: 1,
  })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const [bill] = data.data.list
  return bill === undefined ? <p>{t('没有这样的账单')}</p> : <Apply bill={bill} />
}

function Apply({ bill }: { readonly bill: SplitBill }) {
  const { id: splitBillId, agentId, areaId, day } = bill
  const navigate = useNavigate()
  const list = useList(lines, {
    fixed: {
      agentIds: [agentId],
      ...(areaId === null ? { isOfCompany: true } : { areaIds: [areaId] }),
      from: businessDayStart(day),
      to: businessDayEnd(day),
    },
    isInside: true,
  })
  const picked = list.selected
  return (
    <>
      <p>
        {t('{{day}} {{company}} · {{area}}：日结后 {{days}} 天内可以提出异议。', {
          day,
          company: bill.company,
          area: bill.areaName ?? t('不属于服务区的收入'),
          days: objectionDays,
        })}
      </p>
      <ListCard<SplitLine, SplitLineFilter>
        list={list}
        label={t('选择有异议的明细')}
        title={t('1. 选择有异议的明细')}
        filters={[orderKeyword(), many('kinds', t('类型'), splitLineKindLabels)]}
        columns={columns}
        rowName={lineText}
        selectable
        empty={t('没有这样的明细')}
      />
      <h2>{t('2. 填写争议金额与说明')}</h2>
      <Form
        call={objectionEndpoints.submitSplitObjection}
        about={`split ${splitBillId}`}
        fields={{
          lines: amountsOf(picked),
          reason: choice<SplitReason>({
            label: t('异议原因'),
            initial: 'income_missing',
            options: splitReasons.map((value) => ({ value, label: t(objectionReasonLabels[value]) })),
          }),
          text: longText({ label: t('说明'), rows: 4, presets: [] }),
          photos: photos({ label: t('凭证图片'), note: t('选填'), max: objectionPhotosMax }),
        }}
        input={(values) => ({ splitBillId, ...values })}
        submit={({ lines: amounts }) =>
          amounts === undefined || amounts.length === 0
            ? t('提交异议')
            : t('提交异议 {{yuan}} 元', { yuan: money(amounts.reduce((sum, { cents }) => sum + cents, 0)) })
        }
        stale={[objectionEndpoints.listObjections, objectionEndpoints.sumObjections, listSplitBills]}
        done={() => t('异议已提交')}
        onDone={({ data }) => void navigate(objectionPath(data.id))}
      >
        <p>
          {t(
            '争议金额在处理前不结算、不可提现，其余照常。采纳后按采纳金额补记收入：记入尚未日结的日子，按当日规则分账。',
          )}
        </p>
      </Form>
    </>
  )
}

const orderKeyword = () =>
  keyword<SplitLineFilter>(t('订单编号'), {
    names: ['orderId'],
    read: (text) => (/^\d{1,15}$/.test(text.trim()) ? { orderId: Number(text) } : {}),
    write: ({ orderId }) => (orderId === undefined ? '' : String(orderId)),
  })

const kindText = (kind: string): string => t(entryKinds[kind as EntryKind] ?? kind)
const lineText = ({ kind, orderId, entryNumber }: SplitLine): string =>
  orderId === null
    ? t('{{kind}} · 记账 {{number}}', { kind: kindText(kind), number: entryNumber })
    : t('{{kind}} · 订单 {{order}}', { kind: kindText(kind), order: orderId })

const columns = (): readonly ColumnSpec<SplitLine>[] => [
  { key: 'at', card: 'head' },
  { key: 'kind', card: 'head', render: ({ kind }) => kindText(kind) },
  'orderId',
  'paidCents',
  'feeCents',
  'partiesCents',
  'ownerCents',
]

type Amounts = Readonly<Record<string, string>>
interface Disputed {
  readonly entryNumber: number
  readonly cents: number
}

const sizeOf = ({ paidCents }: SplitLine): number => Math.abs(paidCents)
const textOf = (value: Amounts, line: SplitLine): string => value[line.entryNumber] ?? yuanText(sizeOf(line))

/** How much of each line is disputed: all of it, unless somebody says less. */
function amountsOf(picked: readonly SplitLine[]): Field<Amounts, Disputed[]> {
  return {
    label: t('争议金额'),
    initial: {},
    isGroup: true,
    refusals: ['objection_above_line', 'objection_late'],
    read: (value) => {
      if (picked.length === 0) return { fault: t('请先选择有异议的明细') }
      if (picked.length > objectionLinesMax)
        return { fault: t('一次最多选择 {{count}} 条明细', { count: objectionLinesMax }) }
      const disputed: Disputed[] = []
      for (const line of picked) {
        const cents = centsOfYuan(textOf(value, line))
        if (cents === null || cents === 0) return { fault: t('争议金额应为数字，最多两位小数') }
        if (cents > sizeOf(line)) {
          return { fault: t('{{meter}}最多可争议 {{yuan}} 元', { meter: lineText(line), yuan: money(sizeOf(line)) }) }
        }
        disputed.push({ entryNumber: line.entryNumber, cents })
      }
      return { value: disputed }
    },
    control: (props) => <AmountInputs {...props} picked={picked} />,
  }
}

function AmountInputs({
  id,
  value,
  onChange,
  picked,
}: ControlProps<Amounts> & { readonly picked: readonly SplitLine[] }) {
  if (picked.length === 0) return <p>{t('在上面的列表中勾选，可以按订单编号查找')}</p>
  return (
    <ul className="objection-lines">
      {picked.map((line) => (
        <li key={line.entryNumber}>
          <label htmlFor={`${id}-${line.entryNumber}`}>
            <span>
              {lineText(line)}
              <small>
                {t('收入 {{paid}} 元 · 加盟商所得 {{own}} 元', {
                  paid: money(line.paidCents),
                  own: money(line.ownerCents),
                })}
              </small>
            </span>
          </label>
          <input
            id={`${id}-${line.entryNumber}`}
            className="form-input"
            inputMode="decimal"
            autoComplete="off"
            placeholder={t('最多 {{yuan}} 元', { yuan: money(sizeOf(line)) })}
            value={textOf(value, line)}
            onChange={({ target }) => onChange({ ...value, [line.entryNumber]: target.value })}
          />
        </li>
      ))}
    </ul>
  )
}
