import type { ReactNode } from 'react'
import { bankAccountEndpoints, type BankBalance } from '@saddle/contract/finance/accounts.ts'
import { withdrawalEndpoints } from '@saddle/contract/finance/withdrawals.ts'
import { centsOfYuan } from '@saddle/contract/money.ts'
import { serverNow } from '#kit/clock.ts'
import { select } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { yuan } from '#kit/form/textFields.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Sheet } from '#kit/ui/Sheet.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { AuthoriseSteps } from './AuthoriseSteps.tsx'
import { staleWithdrawals } from './words.ts'

interface Props {
  readonly agentId: number
  readonly balance: BankBalance
  readonly onClose: () => void
  /** It waits for its password at the bank. */
  readonly onFiled: (id: number) => void
}

/** Card and sum; then the password, at the bank: see `PasswordSheet`. */
export function WithdrawDialog({ agentId, balance, onClose, onFiled }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(bankAccountEndpoints.companySubAccounts, { agentId })
  const most = Math.min(balance.availableCents, balance.leftTodayCents)
  // A form begins with the only card there is, so it begins when the cards are known.
  if (data === undefined) {
    return (
      <Sheet
        label={t('申请提现', { context: 'action' })}
        title={<strong>{t('申请提现', { context: 'action' })}</strong>}
        onClose={onClose}
      >
        {error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Sheet>
    )
  }
  const cards = data.data.cards.filter(({ state }) => state === 'bound')
  const ready = cards.filter(({ restsUntil }) => restsUntil === null || restsUntil <= serverNow())
  return (
    <FormDialog
      title={t('申请提现', { context: 'action' })}
      call={withdrawalEndpoints.fileWithdrawal}
      about={agentId}
      blocked={cards.length === 0 ? t('还没有绑定银行卡，请先到账户管理绑定') : null}
      fields={{
        cardId: select({
          label: t('收款银行卡'),
          initial: ready.length === 1 ? (ready[0]?.id ?? null) : null,
          options: cards.map((card) => {
            const { id, bankName, cardNo, restsUntil } = card
            const rests = !ready.includes(card)
            const name = `${bankName} ${cardNo.slice(-4)}`
            return {
              value: id,
              label: rests ? t('{{name}}（{{at}} 起可用）', { name, at: dateTime(restsUntil) }) : name,
              isDisabled: rests,
            }
          }),
          hint: t('新绑定的银行卡满一天后才能提现'),
        }),
        cents: yuan({
          label: t('提现金额'),
          hint: t('{{least}} 至 {{most}} 元', { least: money(balance.minCents), most: money(most) }),
          maxCents: most,
        }),
      }}
      adjust={({ cents }) => {
        const typed = centsOfYuan(cents)
        const isBelow = typed !== null && typed < balance.minCents
        return { cents: { fault: isBelow ? t('至少 {{yuan}} 元', { yuan: money(balance.minCents) }) : null } }
      }}
      input={({ cardId, cents }) => ({ cardId, cents })}
      submit={t('下一步：输入支付密码')}
      stale={staleWithdrawals}
      done={() => null}
      onDone={({ data: filed }) => onFiled(filed.id)}
      onClose={onClose}
    >
      {({ cents }) => <Outcome cents={centsOfYuan(cents)} balance={balance} />}
    </FormDialog>
  )
}

/** The second step of a withdrawal that was filed. */
export function PasswordSheet({ id, onClose }: { readonly id: number; readonly onClose: () => void }): ReactNode {
  return (
    <Sheet label={t('输入支付密码')} title={<strong>{t('输入支付密码')}</strong>} onClose={onClose}>
      <AuthoriseSteps id={id} onDone={onClose} />
    </Sheet>
  )
}

/** What arrives, and whether somebody else has to confirm it. */
function Outcome({ cents, balance }: { readonly cents: number | null; readonly balance: BankBalance }) {
  const fee = t('手续费 {{yuan}} 元，从提现金额中扣除。', { yuan: money(balance.feeCents) })
  if (cents === null || cents <= balance.feeCents) return <p>{fee}</p>
  return (
    <p>
      {fee} {t('到账 {{yuan}} 元。', { yuan: money(cents - balance.feeCents) })}
      {cents > balance.secondCents && ` ${t('超过单人每日免复核金额，需另一人复核。')}`}
    </p>
  )
}
