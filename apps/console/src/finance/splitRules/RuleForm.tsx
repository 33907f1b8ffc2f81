import { useState, type ReactNode } from 'react'
import {
  splitRuleEndpoints,
  type SplitPlace,
  type SplitTermsInput,
  type SplitTotals,
} from '@saddle/contract/finance/splitRules.ts'
import { splitFeeBearerLabels, splitFeeBearers, wholeBasisPoints } from '@saddle/contract/finance/splitTerms.ts'
import { useAction } from '#kit/action/useAction.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import type { Field } from '#kit/form/field.ts'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { number as numberField, reason } from '#kit/form/textFields.tsx'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { DayInput } from '#kit/ui/DayInput.tsx'
import { partiesField, partiesSoFar } from './partiesField.tsx'
import { percentOf, placeKey, placeText, staleRules } from './words.ts'

interface Props {
  readonly place: SplitPlace
  /** The first day from which a change may hold. */
  readonly firstDay: string
  readonly onClose: () => void
}

/** A new version of the terms of a company or an area, with what it would have changed. */
export default function RuleForm({ place, firstDay, onClose }: Props): ReactNode {
  const { terms, agentId, areaId } = place
  const where = { agentId, ...(areaId !== null && { areaId }) }
  return (
    <FormDrawer
      title={t('修改分账规则：{{place}}', { place: placeText(place) })}
      widthPx={760}
      call={splitRuleEndpoints.saveSplitTerms}
      about={placeKey(place)}
      fields={{
        parties: partiesField({
          label: t('分账方'),
          hint: t('先按顺序扣每笔固定金额，余下按比例分，剩余归加盟商'),
          at: 'terms.parties',
          initial: terms?.parties ?? [],
        }),
        feeBearer: choice({
          label: t('渠道手续费'),
          at: 'terms.feeBearer',
          options: splitFeeBearers.map((value) => ({ value, label: t(splitFeeBearerLabels[value]) })),
          initial: terms?.feeBearer ?? 'company',
        }),
        feePercent: feePercent((terms?.feeBasisPoints ?? 60) / 100),
        firstDay: firstDayField(firstDay),
        reason: reason({ note: t('加盟商可见'), presets: [t('合同约定'), t('合同续签'), t('活动期间调整')] }),
      }}
      input={({ parties, feeBearer, feePercent: percent, ...values }) => ({
        ...where,
        ...values,
        terms: { parties, feeBearer, feeBasisPoints: Math.round(percent * 100) },
      })}
      submit={t('保存新规则')}
      stale={staleRules}
      done={({ data: { version } }) => t('已保存第 {{count}} 版，到生效日期起执行', { count: version })}
      onClose={onClose}
    >
      {(values) => {
        const parties = partiesSoFar(values.parties)
        const percent = Number(values.feePercent)
        const draft = { parties, feeBearer: values.feeBearer, feeBasisPoints: Math.round((percent || 0) * 100) }
        return <Preview where={where} terms={draft} />
      }}
    </FormDrawer>
  )
}

const feePercent = (initial: number): Field<string, number> => ({
  ...numberField({ label: t('手续费率'), unit: '%', decimals: 2, initial }),
  at: 'terms.feeBasisPoints',
  read: (typed) => {
    const percent = Number(typed)
    if (!/^\d{1,2}(\.\d{1,2})?$/.test(typed.trim())) return { fault: t('手续费率应为数字，最多两位小数') }
    return percent > 10 ? { fault: t('手续费率不能大于 10%') } : { value: percent }
  },
})

const firstDayField = (min: string): Field<string, string> => ({
  label: t('生效日期'),
  hint: t('最早自 {{day}} 起，已经过去的日子不受影响', { day: min }),
  initial: min,
  refusals: ['split_day_closed' as const],
  read: (value) => (value < min ? { fault: t('最早自 {{day}} 起', { day: min }) } : { value }),
  control: ({ label, value, onChange }) => <DayInput label={label} value={value} onChange={onChange} min={min} />,
})

type Previewed = AnswerOf<typeof splitRuleEndpoints.previewSplitTerms>['data']

/** What everybody got in the last thirty closed days, and what they would have got. */
function Preview({ where, terms }: { where: { agentId: number; areaId?: number }; terms: SplitTermsInput }) {
  const [answer, setAnswer] = useState<{ readonly of: string; readonly preview: Previewed } | null>(null)
  const wanted = { ...where, terms }
  const asked = JSON.stringify(wanted)
  const trial = useAction(splitRuleEndpoints.previewSplitTerms, {
    onDone: ({ data }) => setAnswer({ of: asked, preview: data }),
  })
  const shown = answer?.of === asked ? answer.preview : null
  const shared = terms.parties.reduce((sum, { share }) => sum + (share.of === 'rest' ? share.basisPoints : 0), 0)
  return (
    <section className="split-preview" aria-label={t('影响')}>
      <p>
        {shared > wholeBasisPoints
          ? t('各方比例之和已超过 100%')
          : t('加盟商留存 {{percent}}', { percent: percentOf(wholeBasisPoints - shared) })}{' '}
        <Button busy={trial.isBusy} disabled={shared > wholeBasisPoints} onClick={() => trial.send(wanted)}>
          {t('用最近 30 天试算')}
        </Button>
      </p>
      {shown !== null && <Compared preview={shown} />}
    </section>
  )
}

function Compared({ preview }: { preview: Previewed }) {
  const { now, after, charges, paidCents, refundedCents, firstDay, lastDay } = preview
  const names = [...new Set([...now.parties, ...after.parties].map(({ name }) => name))]
  const centsOf = ({ parties }: SplitTotals, name: string): number =>
    parties.find((party) => party.name === name)?.cents ?? 0
  const rows: readonly (readonly [string, number, number])[] = [
    [t('加盟商'), now.ownerCents, after.ownerCents],
    ...names.map((name) => [name, centsOf(now, name), centsOf(after, name)] as const),
    [t('渠道手续费'), now.feeCents, after.feeCents],
    [t('他方承担优惠'), now.borneCents, after.borneCents],
  ]
  return (
    <>
      <p className="split-quiet">
        {t('{{from}} 至 {{to}}，{{charges}} 笔收入共 {{yuan}} 元；退款 {{back}} 元按原单比例退回，未计入', {
          from: firstDay ?? '',
          to: lastDay ?? '',
          charges: number(charges),
          yuan: money(paidCents),
          back: money(refundedCents),
        })}
      </p>
      <table className="split-table" aria-label={t('影响')}>
        <thead>
          <tr>
            <th scope="col">{t('各方（元）')}</th>
            <th scope="col">{t('实际')}</th>
            <th scope="col">{t('按新规则')}</th>
            <th scope="col">{t('差额')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, before, then]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{money(before)}</td>
              <td>{money(then)}</td>
              <td data-tone={then < before ? 'bad' : then > before ? 'good' : undefined}>
                {then > before && '+'}
                {money(then - before)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
