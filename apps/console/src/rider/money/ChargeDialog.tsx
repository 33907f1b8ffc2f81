import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import {
  chargeAccountLabels,
  chargeAccounts,
  chargeDirectionLabels,
  chargeDirections,
  chargeMaxCents,
  moneyReasonMax,
  walletEndpoints,
  type ChargeAccount,
  type ChargeDirection,
  type Wallet,
} from '@saddle/contract/finance/wallet.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useOnceKey } from '../parts/useOnceKey.ts'
import { amountOf, useMoneyAct } from './useMoney.ts'
import '#kit/list/filter.css'
import '../parts/rider.css'

/** Takes money from a wallet or adds to it, with a reason; the message that follows takes it back. */
export default function ChargeDialog({ wallet, onClose }: { wallet: Wallet; onClose: () => void }): ReactNode {
  const [account, setAccount] = useState<ChargeAccount>('balance')
  const [direction, setDirection] = useState<ChargeDirection>('debit')
  const [yuan, setYuan] = useState('')
  const [reason, setReason] = useState('')
  const key = useOnceKey()
  const { riderId } = wallet
  const undo = useMoneyAct(walletEndpoints.undoPlatformCharge, () => notify.success({ text: t('已撤销') }))
  const cents = amountOf(yuan)
  const held = account === 'balance' ? wallet.balanceCents : wallet.giftCents
  const isTooMuch = cents !== null && (cents > chargeMaxCents || (direction === 'debit' && cents > held))
  const isReady = cents !== null && !isTooMuch && reason.trim() !== ''
  const send = useMoneyAct(
    walletEndpoints.platformCharge,
    ({ data }) => {
      notify.success({
        text: t('{{account}}现为 {{yuan}} 元', {
          account: t(chargeAccountLabels[account]),
          yuan: money(account === 'balance' ? data.wallet.balanceCents : data.wallet.giftCents),
        }),
        action: {
          label: t('撤销'),
          run: () => {
            const { chargeId } = data
            undo.mutate({ input: { chargeId, reason: t('撤销') }, idempotencyKey: newIdempotencyKey() })
          },
        },
      })
      onClose()
    },
    onClose,
  )
  const submit = () => {
    if (!isReady || send.isPending) return
    send.mutate(
      { input: { riderId, account, direction, cents, reason: reason.trim() }, idempotencyKey: key.get() },
      { onSettled: (_, failure) => isTryOver(failure) && key.renew() },
    )
  }
  return (
    <Modal open width={520} title={t('扣款或加款')} footer={null} onCancel={onClose}>
      <form
        className="rider-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Choice
          label={t('方向')}
          options={chargeDirections.map((value) => [value, t(chargeDirectionLabels[value])])}
          value={direction}
          onChange={setDirection}
        />
        <Choice
          label={t('账户')}
          options={chargeAccounts.map((value) => [value, t(chargeAccountLabels[value])])}
          value={account}
          onChange={setAccount}
        />
        <label>
          {t('金额（元），现有 {{yuan}} 元', { yuan: money(held) })}
          <input
            className="filter-keyword"
            inputMode="decimal"
            value={yuan}
            aria-invalid={isTooMuch}
            onChange={(event) => setYuan(event.target.value)}
          />
        </label>
        {isTooMuch && <p role="alert">{t('金额超过可扣的余额或单笔上限')}</p>}
        <label>
          {t('原因（骑行者可见）')}
          <input
            className="filter-keyword"
            value={reason}
            maxLength={moneyReasonMax}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <div className="rider-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={send.isPending} disabled={!isReady}>
            {direction === 'debit'
              ? t('从{{account}}扣 {{yuan}} 元', { account: t(chargeAccountLabels[account]), yuan: money(cents) })
              : t('给{{account}}加 {{yuan}} 元', { account: t(chargeAccountLabels[account]), yuan: money(cents) })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly options: readonly (readonly [value: T, label: string])[]
  readonly value: T
  readonly onChange: (value: T) => void
}

function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset className="rider-choices">
      <legend>{label}</legend>
      {options.map(([one, text]) => (
        <label key={one}>
          <input type="radio" name={label} checked={value === one} onChange={() => onChange(one)} />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
