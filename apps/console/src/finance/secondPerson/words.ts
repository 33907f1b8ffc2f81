import { moneyActLabels, type MoneyActRow } from '@saddle/contract/finance/secondPerson.ts'
import { t } from '#kit/i18n/index.ts'

/** What somebody asked for; charges by hand and corrections have two directions and one kind. */
export function nameOfAct({ act, isCredit }: MoneyActRow): string {
  if (act === 'charge') return isCredit ? t('平台加款') : t('平台扣款')
  if (act === 'split_correction') return isCredit ? t('补记账单收入') : t('冲减账单收入')
  return t(moneyActLabels[act])
}
