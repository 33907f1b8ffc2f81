import { useState, type ReactNode } from 'react'
import {
  bankAccountEndpoints,
  bankCardStateLabels,
  cardCheckKindLabels,
  type BankCard,
} from '@saddle/contract/finance/accounts.ts'
import { noteText } from '../notes.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText, phone, text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { writeStored } from '#kit/storage.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { cardTones, staleAccounts } from './words.ts'

/** The session keeps the card that is being bound (specification, section 3), masked; logout clears it. */
function keepCard({ cardNo, bankMobile }: BankCard): void {
  writeStored('bankCard', { cardNo, bankMobile })
}

/** The cards that a company's money goes to: bound, being checked, ended. */
export function Cards({ agentId }: { readonly agentId: number }): ReactNode {
  const [open, setOpen] = useState<'bind' | null>(null)
  const { data, error, refetch } = useEndpoint(bankAccountEndpoints.companySubAccounts, { agentId })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const { cards } = data.data
  return (
    <>
      <h3>{t('银行卡')}</h3>
      {cards.length === 0 && <p>{t('还没有绑定银行卡，绑定后才能提现。')}</p>}
      <ul className="accounts-cards">
        {cards.map((card) => (
          <CardRow key={card.id} card={card} />
        ))}
      </ul>
      <p>
        <Button onClick={() => setOpen('bind')}>{t('绑定银行卡')}</Button>
      </p>
      {open === 'bind' && (
        <FormDialog
          title={t('绑定银行卡')}
          call={bankAccountEndpoints.bindCard}
          about={agentId}
          fields={{
            cardNo: {
              ...text({
                label: t('卡号'),
                inputMode: 'numeric',
                hint: t('户名必须与开户名一致'),
                keep: (typed) => typed.replaceAll(/\D/g, ''),
              }),
              isSecret: true,
            },
            bankName: text({ label: t('开户银行') }),
            bankMobile: phone({ label: t('银行预留手机号') }),
          }}
          input={(values) => ({ agentId, ...values })}
          submit={t('绑定并验证')}
          stale={staleAccounts}
          done={() => t('银行卡已登记，请完成验证')}
          onDone={({ data: card }) => keepCard(card)}
          onClose={() => setOpen(null)}
        >
          <p>{t('企业账户以小额打款验证，个人账户以短信验证码验证；验证通过满一天后才能提现到这张卡。')}</p>
        </FormDialog>
      )}
    </>
  )
}

function CardRow({ card }: { readonly card: BankCard }) {
  const [open, setOpen] = useState<'check' | 'unbind' | null>(null)
  const { id, state, checkKind, bankName, cardNo, reason } = card
  const options = { stale: staleAccounts, done: () => t('已重新发送') }
  const sms = useAction(bankAccountEndpoints.sendCardCode, options)
  const email = useAction(bankAccountEndpoints.sendCardEmail, options)
  const isOver = state === 'unbound' || state === 'refused'
  return (
    <li>
      <span>
        {bankName} {cardNo}
        <small>
          {[
            card.holder,
            card.bankMobile,
            card.boundAt === null ? '' : t('{{at}} 绑定', { at: dateTime(card.boundAt) }),
            noteText(reason),
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </small>
      </span>
      <Mark tone={cardTones[state]}>{t(bankCardStateLabels[state])}</Mark>
      {!isOver && (
        <span className="accounts-acts">
          {state === 'checking' && (
            <>
              <Button onClick={() => setOpen('check')}>{t('验证')}</Button>
              <Button busy={sms.isBusy} onClick={() => sms.send({ id })}>
                {checkKind === 'code' ? t('重发验证码') : t('重新打款')}
              </Button>
              {checkKind === 'amount' && (
                <Button busy={email.isBusy} onClick={() => email.send({ id })}>
                  {t('发到邮箱')}
                </Button>
              )}
            </>
          )}
          <Button onClick={() => setOpen('unbind')}>{t('解绑')}</Button>
        </span>
      )}
      {open === 'check' && (
        <FormDialog
          title={t('验证银行卡 {{card}}', { card: cardNo.slice(-4) })}
          call={bankAccountEndpoints.bindCardCheck}
          about={id}
          fields={{
            value: {
              ...text({
                label: checkKind === 'code' ? t('短信验证码') : t('收到的金额（分）'),
                inputMode: 'numeric',
                hint: t('还可以试 {{count}} 次', { count: card.triesLeft }),
                keep: (typed) => typed.replaceAll(/\D/g, ''),
              }),
              isSecret: true,
            },
          }}
          input={({ value }) => ({ id, value })}
          submit={t('验证')}
          stale={staleAccounts}
          done={() => t('银行卡验证通过，满一天后可以提现')}
          onClose={() => setOpen(null)}
        >
          <p>{t('验证方式：{{kind}}', { kind: t(cardCheckKindLabels[checkKind]) })}</p>
        </FormDialog>
      )}
      {open === 'unbind' && (
        <FormDialog
          title={t('解绑银行卡 {{card}}', { card: cardNo.slice(-4) })}
          call={bankAccountEndpoints.unbindCard}
          about={id}
          fields={{ reason: longText({ label: t('原因'), isOptional: true }) }}
          input={({ reason: why }) => ({ id, reason: why ?? '' })}
          submit={t('解绑')}
          stale={staleAccounts}
          done={() => t('银行卡已解绑')}
          onClose={() => setOpen(null)}
        >
          <p>{t('解绑后不能恢复；再次绑定需要重新验证，并等待一天。')}</p>
        </FormDialog>
      )}
    </li>
  )
}
