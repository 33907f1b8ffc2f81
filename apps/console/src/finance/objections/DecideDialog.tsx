import type { ReactNode } from 'react'
import {
  objectionActLabels,
  objectionEndpoints,
  type Objection,
  type ObjectionAct,
  type ObjectionBillKind,
} from '@saddle/contract/finance/objections.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText, yuan } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'

interface Props {
  readonly objection: Objection
  readonly act: ObjectionAct
  readonly onClose: () => void
}

const stale = [objectionEndpoints.objectionDetails, objectionEndpoints.listObjections, objectionEndpoints.sumObjections]

const consequences = (act: ObjectionAct, kind: ObjectionBillKind): string => {
  const isSplit = kind === 'split'
  const texts: Readonly<Record<ObjectionAct, string>> = {
    take: t('受理后由您审核，请在处理期限前决定。'),
    accept: isSplit
      ? t('采纳的金额补记为收入，记入尚未日结的日子并按当日规则分账；暂不结算与冻结的金额随即释放。不能撤销。')
      : t('采纳的金额从账单中调减；已经扣款的部分退回服务费余额。不能撤销。'),
    refuse: isSplit
      ? t('驳回后争议金额恢复结算与提现，加盟商可以看到说明。不能撤销。')
      : t('驳回后争议金额恢复扣付，加盟商可以看到说明。不能撤销。'),
    escalate: t('升级后由另一位审核人决定，处理期限顺延。'),
    withdraw: isSplit ? t('撤回后争议金额恢复结算与提现。') : t('撤回后争议金额恢复扣付。'),
  }
  return texts[act]
}

/** What is decided about an objection. */
export default function DecideDialog({ objection, act, onClose }: Props): ReactNode {
  const label = t(objectionActLabels[act])
  const needsNote = act === 'refuse' || act === 'escalate'
  const note = needsNote
    ? longText({ label: t('处理说明'), rows: 3, presets: [] })
    : longText({ label: t('处理说明'), rows: 3, presets: [], isOptional: true })
  return (
    <FormDialog
      title={t('{{act}}异议 {{id}}', { act: label, id: objection.id })}
      call={objectionEndpoints.decideObjection}
      about={`${objection.id} ${act}`}
      fields={{
        cents: yuan({
          label: t('采纳金额'),
          initialCents: objection.disputedCents,
          maxCents: objection.disputedCents,
          refusals: ['objection_above_line'],
        }),
        note,
      }}
      adjust={() => ({ cents: { isHidden: act !== 'accept' } })}
      input={({ cents, note: words }) => ({
        id: objection.id,
        act,
        note: words ?? '',
        ...(act === 'accept' && { cents }),
      })}
      submit={label}
      stale={stale}
      done={() => t('异议已更新')}
      onClose={onClose}
    >
      <p>{consequences(act, objection.kind)}</p>
    </FormDialog>
  )
}
