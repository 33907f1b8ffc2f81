import type { ReactNode } from 'react'
import { splitBillEndpoints, splitCorrectionMaxCents, type SplitBill } from '@saddle/contract/finance/splitBills.ts'
import { secondPersonEndpoints } from '@saddle/contract/finance/secondPerson.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason, yuan } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { areaText } from './words.ts'

/** Puts the income of a closed bill right; another person confirms it, and it counts for the day that is open then. */
export default function CorrectDialog({ bill, onClose }: { bill: SplitBill; onClose: () => void }): ReactNode {
  return (
    <FormDialog
      title={t('更正账单 {{day}} · {{area}}', { day: bill.day, area: areaText(bill) })}
      call={splitBillEndpoints.correctSplitBill}
      about={bill.id}
      fields={{
        direction: choice({
          label: t('更正方向'),
          options: [
            { value: 'more', label: t('补记收入') },
            { value: 'less', label: t('冲减收入') },
          ],
          initial: 'more',
        }),
        amount: { ...yuan({ label: t('金额'), maxCents: splitCorrectionMaxCents }), at: 'amount' },
        reason: reason({ note: t('加盟商可见'), presets: [t('渠道漏单'), t('重复扣费'), t('异议成立')] }),
      }}
      input={({ direction, amount, reason: why }) => ({
        id: bill.id,
        cents: direction === 'more' ? amount : -amount,
        reason: why,
      })}
      submit={({ direction, amount }) =>
        amount === undefined
          ? t('提交更正')
          : direction === 'less'
            ? t('提交冲减 {{yuan}} 元', { yuan: money(amount) })
            : t('提交补记 {{yuan}} 元', { yuan: money(amount) })
      }
      stale={[secondPersonEndpoints.listMoneyActs, secondPersonEndpoints.sumMoneyActs]}
      done={() => t('更正已提交，在“更正复核”中待另一人确认')}
      onClose={onClose}
    >
      <p>
        {t(
          '提交后由另一位有同样权限的人员在“更正复核”中确认，确认前不动用资金。已日结的账单不会改动：更正记入尚未日结的日子，按当日规则分账，并注明原账单；确认后不能撤销，只能再更正。',
        )}
      </p>
    </FormDialog>
  )
}
