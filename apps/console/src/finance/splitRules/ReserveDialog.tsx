import type { ReactNode } from 'react'
import { splitRuleEndpoints, type SplitPlace } from '@saddle/contract/finance/splitRules.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason, yuan } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { staleRules } from './words.ts'

/** What a company's settlements keep back before anything can be withdrawn. */
export default function ReserveDialog({ place, onClose }: { place: SplitPlace; onClose: () => void }): ReactNode {
  const { agentId, company, reserveCents } = place
  return (
    <FormDialog
      title={t('“{{company}}”的分账准备金', { company })}
      call={splitRuleEndpoints.saveSplitReserve}
      about={agentId}
      fields={{
        cents: yuan({
          label: t('准备金'),
          hint: t('结算时先补足，其余才可提现；降低后多余的随下次结算退回'),
          initialCents: reserveCents,
        }),
        reason: reason({ note: t('加盟商可见'), presets: [t('合同约定'), t('退款较多'), t('信用良好')] }),
      }}
      input={(values) => ({ agentId, ...values })}
      submit={t('保存准备金')}
      stale={staleRules}
      done={({ data: { cents } }) => t('准备金已设为 {{yuan}} 元', { yuan: money(cents) })}
      onClose={onClose}
    />
  )
}
