import { moneyActLabels, type MoneyActRow } from '@saddle/contract/finance/secondPerson.ts'
import { t } from '#kit/i18n/index.ts'

/** What somebody asked for; a charge by hand has two directions and one kind. */
export const nameOfAct = ({ act, isToRider }: MoneyActRow): string =>
  act === 'charge' ? (isToRider ? t('平台加款') : t('平台扣款')) : t(moneyActLabels[act])
