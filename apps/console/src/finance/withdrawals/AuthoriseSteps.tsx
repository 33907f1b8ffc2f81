import type { ReactNode } from 'react'
import {
  withdrawalEndpoints,
  withdrawalPasswordMs,
  withdrawalStateLabels,
} from '@saddle/contract/finance/withdrawals.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { useAction } from '#kit/action/useAction.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { openBankPage } from './openBankPage.ts'
import { staleWithdrawals } from './words.ts'

/** The password at the bank, then the order to send: this product never sees the password. */
export function AuthoriseSteps({ id, onDone }: { readonly id: number; readonly onDone?: () => void }): ReactNode {
  const send = useAction(withdrawalEndpoints.sendWithdrawal, {
    stale: staleWithdrawals,
    done: ({ data: { state } }) => t('提现已提交：{{state}}', { state: t(withdrawalStateLabels[state]) }),
    ...(onDone !== undefined && { onDone }),
  })
  const open = () =>
    void openBankPage(
      async () => (await call(withdrawalEndpoints.authoriseWithdrawal, { id }, { quiet: true })).data.redirectUrl,
    )
  return (
    <ol className="withdrawals-steps">
      <li>
        <p>
          {t('在银行页面输入支付密码，{{count}} 分钟内有效。本平台不接触支付密码。', {
            count: withdrawalPasswordMs / minuteMs,
          })}
        </p>
        <Button onClick={open}>{t('打开银行页面')}</Button>
      </li>
      <li>
        <p>{t('银行提示已授权后，回到这里提交。')}</p>
        <Button look="primary" busy={send.isBusy} onClick={() => send.send({ id })}>
          {t('已输入密码，提交提现')}
        </Button>
      </li>
    </ol>
  )
}
