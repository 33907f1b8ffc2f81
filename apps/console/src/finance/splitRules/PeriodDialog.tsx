import type { ReactNode } from 'react'
import {
  splitRuleEndpoints,
  statementPeriodLabels,
  statementPeriods,
  type SplitPlace,
} from '@saddle/contract/finance/splitRules.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleRules } from './words.ts'

/** How many days a company's statements cover, from the next one on. */
export default function PeriodDialog({ place, onClose }: { place: SplitPlace; onClose: () => void }): ReactNode {
  const { agentId, company, statementPeriod } = place
  return (
    <FormDialog
      title={t('“{{company}}”的对账单周期', { company })}
      call={splitRuleEndpoints.saveStatementPeriod}
      about={agentId}
      fields={{
        period: choice({
          label: t('周期'),
          options: statementPeriods.map((value) => ({ value, label: t(statementPeriodLabels[value]) })),
          initial: statementPeriod,
        }),
        reason: reason({ note: t('加盟商可见'), presets: [t('合同约定'), t('加盟商要求')] }),
      }}
      input={(values) => ({ agentId, ...values })}
      submit={t('保存对账单周期')}
      stale={staleRules}
      done={({ data: { period } }) => t('对账单改为{{period}}', { period: t(statementPeriodLabels[period]) })}
      onClose={onClose}
    >
      <p>{t('自下一份对账单起执行：接着上一份的截止日，不重不漏。已封存的对账单不会改动。')}</p>
    </FormDialog>
  )
}
