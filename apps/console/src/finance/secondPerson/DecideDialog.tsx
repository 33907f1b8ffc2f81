import type { ReactNode } from 'react'
import { secondPersonEndpoints, type MoneyActRow } from '@saddle/contract/finance/secondPerson.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { staleMoney } from '../stale.ts'
import { nameOfAct } from './words.ts'

export type Decision = 'confirm' | 'reject'

interface Props {
  readonly row: MoneyActRow
  readonly decision: Decision
  readonly onClose: () => void
}

/** Confirms what another person asked for, refuses it, or takes one's own back. */
export default function DecideDialog({ row, decision, onClose }: Props): ReactNode {
  const yuan = money(row.cents)
  const said = (
    <p>
      {t('{{name}} 提交：{{what}} {{yuan}} 元。原因：{{reason}}', {
        name: row.operatorName,
        what: nameOfAct(row),
        yuan,
        reason: row.reason,
      })}
    </p>
  )
  if (decision === 'confirm') {
    return (
      <FormDialog
        title={t('确认资金操作')}
        call={secondPersonEndpoints.confirmMoneyAct}
        about={row.id}
        fields={{}}
        input={() => ({ id: row.id })}
        submit={t('确认 {{yuan}} 元', { yuan })}
        stale={staleMoney}
        done={() => t('已确认并执行，{{yuan}} 元', { yuan })}
        onClose={onClose}
      >
        {said}
        <p>{t('确认后立即执行，并以本人的名义记入操作日志。')}</p>
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={row.isOwn ? t('撤回资金操作') : t('拒绝资金操作')}
      call={secondPersonEndpoints.rejectMoneyAct}
      about={row.id}
      fields={{ note: longText({ label: t('说明'), isOptional: true, rows: 2 }) }}
      input={(values) => ({ id: row.id, ...values })}
      submit={row.isOwn ? t('撤回 {{yuan}} 元', { yuan }) : t('拒绝 {{yuan}} 元', { yuan })}
      stale={staleMoney}
      done={({ data }) => (data.state === 'withdrawn' ? t('已撤回，没有动用资金') : t('已拒绝，没有动用资金'))}
      onClose={onClose}
    >
      {said}
      <p>{t('不会动用任何资金。')}</p>
    </FormDialog>
  )
}
