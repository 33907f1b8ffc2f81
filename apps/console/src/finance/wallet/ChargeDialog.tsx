import type { ReactNode } from 'react'
import {
  chargeAccountLabels,
  chargeAccounts,
  chargeDirectionLabels,
  chargeDirections,
  chargeMaxCents,
  walletEndpoints,
  type ChargeAccount,
  type ChargeDirection,
  type Wallet,
} from '@saddle/contract/finance/wallet.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason, yuan } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { centsOfYuan } from '@saddle/contract/money.ts'
import { staleMoney } from '../stale.ts'

const accountOf = (account: ChargeAccount): string => t(chargeAccountLabels[account])
const heldOf = (account: ChargeAccount, wallet: Wallet): number =>
  account === 'balance' ? wallet.balanceCents : wallet.giftCents

/** Takes money from a wallet or adds to it, with a reason; the message that follows takes it back. */
export default function ChargeDialog({ wallet, onClose }: { wallet: Wallet; onClose: () => void }): ReactNode {
  const { riderId } = wallet
  return (
    <FormDialog
      title={t('扣款或加款')}
      call={walletEndpoints.platformCharge}
      about={riderId}
      fields={{
        direction: choice<ChargeDirection>({
          label: t('方向'),
          initial: 'debit',
          options: chargeDirections.map((value) => ({ value, label: t(chargeDirectionLabels[value]) })),
        }),
        account: choice<ChargeAccount>({
          label: t('账户'),
          initial: 'balance',
          options: chargeAccounts.map((value) => ({ value, label: accountOf(value) })),
        }),
        cents: yuan({ label: t('金额') }),
        reason: reason({ note: t('骑行者可见'), presets: [t('服务补偿'), t('费用更正'), t('车辆损坏赔偿')] }),
      }}
      adjust={({ direction, account, cents }) => {
        const held = heldOf(account, wallet)
        const isTooMuch = direction === 'debit' && (centsOfYuan(cents) ?? 0) > held
        return {
          cents: {
            hint: t('现有 {{held}} 元，单笔最多 {{most}} 元', { held: money(held), most: money(chargeMaxCents) }),
            fault: isTooMuch ? t('最多扣 {{yuan}} 元', { yuan: money(held) }) : null,
          },
        }
      }}
      input={(values) => ({ riderId, ...values })}
      submit={(known) => {
        const words = { account: accountOf(known.account ?? 'balance'), yuan: money(known.cents) }
        return known.direction === 'credit'
          ? t('给{{account}}加 {{yuan}} 元', words)
          : t('从{{account}}扣 {{yuan}} 元', words)
      }}
      stale={staleMoney}
      done={({ data }, { account }) =>
        t('{{account}}现为 {{yuan}} 元', {
          account: accountOf(account),
          yuan: money(heldOf(account, data.wallet)),
        })
      }
      undo={({ data: { chargeId } }) => ({ chargeId, reason: t('撤销') })}
      onClose={onClose}
    />
  )
}
