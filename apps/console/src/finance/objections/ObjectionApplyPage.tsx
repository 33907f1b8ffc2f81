import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { meterLabels } from '@saddle/contract/finance/meters.ts'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import {
  objectionDays,
  objectionEndpoints,
  objectionPhotosMax,
  objectionReasonLabels,
  serviceReasons,
  type ServiceReason,
} from '@saddle/contract/finance/objections.ts'
import { serviceBillEndpoints, type BillLine } from '@saddle/contract/finance/serviceBills.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import type { ControlProps, Field } from '#kit/form/field.ts'
import { Form } from '#kit/form/Form.tsx'
import { photos } from '#kit/form/otherFields.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { quantityText } from '../meters/words.ts'
import { areaText, billsPath } from '../serviceBills/words.ts'
import { SplitApply } from './SplitApply.tsx'
import { objectionPath, objectionsPath } from './words.ts'
import '#kit/list/listPage.css'
import './objections.css'

const linesShown = 200

const idIn = (text: string | null): number | null => {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** Picks lines of a bill for services, or of a closed day's income, and says what is wrong with them. */
export default function ObjectionApplyPage(): ReactNode {
  const [search] = useSearchParams()
  const billId = idIn(search.get('bill'))
  const splitBillId = idIn(search.get('split'))
  return (
    <div className="objection-page">
      <header className="list-head">
        <h1>{t('异议申请')}</h1>
        {splitBillId === null ? (
          <ButtonLink to={billsPath}>{t('返回账单明细')}</ButtonLink>
        ) : (
          <ButtonLink to="/financial/SplitBill">{t('返回分账账单')}</ButtonLink>
        )}
      </header>
      {splitBillId !== null ? (
        <SplitApply splitBillId={splitBillId} />
      ) : billId !== null ? (
        <ServiceApply billId={billId} />
      ) : (
        <>
          <p>{t('请从账单明细或分账账单中选择一张账单，再提出异议')}</p>
          <p className="form-choices">
            <ButtonLink to={billsPath}>{t('账单明细')}</ButtonLink>
            <ButtonLink to="/financial/SplitBill">{t('分账账单')}</ButtonLink>
            <ButtonLink to={objectionsPath}>{t('异议账单')}</ButtonLink>
          </p>
        </>
      )}
    </div>
  )
}

function ServiceApply({ billId }: { readonly billId: number }) {
  const { data, error, refetch } = useEndpoint(serviceBillEndpoints.listBillLines, {
    filter: { billId },
    sort: 'amount',
    pageSize: linesShown,
  })
  const lines = data?.data.list
  if (lines === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return lines.length === 0 ? <p>{t('没有这样的明细')}</p> : <Apply billId={billId} lines={lines} />
}

function Apply({ billId, lines }: { readonly billId: number; readonly lines: readonly BillLine[] }) {
  const navigate = useNavigate()
  return (
    <Form
      call={objectionEndpoints.submitObjection}
      about={billId}
      fields={{
        lines: linesOf(lines),
        reason: choice<ServiceReason>({
          label: t('异议原因'),
          initial: 'quantity',
          options: serviceReasons.map((value) => ({ value, label: t(objectionReasonLabels[value]) })),
        }),
        text: longText({ label: t('说明'), rows: 4, presets: [] }),
        photos: photos({ label: t('凭证图片'), note: t('选填'), max: objectionPhotosMax }),
      }}
      input={(values) => ({ billId, ...values })}
      submit={({ lines: picked }) =>
        picked === undefined || picked.length === 0
          ? t('提交异议')
          : t('提交异议 {{yuan}} 元', { yuan: money(picked.reduce((sum, { cents }) => sum + cents, 0)) })
      }
      stale={[
        objectionEndpoints.listObjections,
        objectionEndpoints.sumObjections,
        serviceBillEndpoints.listServiceBills,
        serviceBillEndpoints.listBillLines,
      ]}
      done={() => t('异议已提交')}
      onDone={({ data }) => void navigate(objectionPath(data.id))}
    >
      <p>
        {t('{{number}}：出账后 {{days}} 天内可以提出异议。只冻结争议金额，其余照常结算。', {
          number: lines[0]?.number ?? '',
          days: objectionDays,
        })}
      </p>
    </Form>
  )
}

interface Picked {
  readonly lineId: number
  readonly cents: number
}

const leftOf = ({ amountCents, disputedCents, adjustedCents }: BillLine): number =>
  amountCents - disputedCents - adjustedCents

/** How much of each line is disputed; empty: nothing of it. */
function linesOf(lines: readonly BillLine[]): Field<readonly string[], Picked[]> {
  return {
    label: t('争议明细'),
    initial: lines.map(() => ''),
    isGroup: true,
    refusals: ['objection_above_line', 'objection_late'],
    read: (value) => {
      const picked: Picked[] = []
      for (const [index, line] of lines.entries()) {
        const text = value[index]?.trim() ?? ''
        if (text === '') continue
        const cents = centsOfYuan(text)
        if (cents === null || cents === 0) return { fault: t('争议金额应为数字，最多两位小数') }
        if (cents > leftOf(line)) {
          return {
            fault: t('{{meter}}最多可争议 {{yuan}} 元', {
              meter: t(meterLabels[line.meter]),
              yuan: money(leftOf(line)),
            }),
          }
        }
        picked.push({ lineId: line.id, cents })
      }
      return picked.length === 0 ? { fault: t('请至少填写一条明细的争议金额') } : { value: picked }
    },
    control: (props) => <Lines {...props} lines={lines} />,
  }
}

function Lines({
  id,
  value,
  onChange,
  lines,
}: ControlProps<readonly string[]> & { readonly lines: readonly BillLine[] }) {
  const set = (index: number, text: string) => onChange(value.with(index, text))
  return (
    <ul className="objection-lines">
      {lines.map((line, index) => {
        const left = leftOf(line)
        const isOn = (value[index] ?? '') !== ''
        return (
          <li key={line.id}>
            <label>
              <input
                type="checkbox"
                checked={isOn}
                disabled={left <= 0}
                onChange={({ target }) => set(index, target.checked ? yuanText(left) : '')}
              />
              <span>
                {t(meterLabels[line.meter])} · {areaText(line)}
                <small>
                  {quantityText(line.meter, line.quantity)} · {t('{{yuan}} 元', { yuan: money(line.amountCents) })}
                </small>
              </span>
            </label>
            <input
              id={`${id}-${line.id}`}
              className="form-input"
              inputMode="decimal"
              autoComplete="off"
              disabled={left <= 0}
              aria-label={t('{{meter}} {{area}} 争议金额', { meter: t(meterLabels[line.meter]), area: areaText(line) })}
              placeholder={t('最多 {{yuan}} 元', { yuan: money(left) })}
              value={value[index] ?? ''}
              onChange={({ target }) => set(index, target.value)}
            />
          </li>
        )
      })}
    </ul>
  )
}
