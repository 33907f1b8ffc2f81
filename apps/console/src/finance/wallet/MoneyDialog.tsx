import type { ReactNode } from 'react'
import { cardEndpoints, type RiderCard } from '@saddle/contract/finance/cards.ts'
import { depositEndpoints } from '@saddle/contract/finance/deposits.ts'
import { channelRefundEndpoints } from '@saddle/contract/finance/refunds.ts'
import { walletEndpoints } from '@saddle/contract/finance/wallet.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason, yuan } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { staleMoney } from '../stale.ts'

/** What each action is about; cents are the most that it can be, or all of it where no amount is asked for. */
interface About {
  readonly freeze: { readonly depositId: number; readonly cents: number }
  readonly refundDeposit: { readonly depositId: number; readonly cents: number }
  readonly recover: { readonly caseId: number; readonly cents: number }
  readonly unfreeze: { readonly caseId: number; readonly cents: number }
  readonly refundCard: { readonly card: Pick<RiderCard, 'id' | 'name' | 'paidBy' | 'refundableCents'> }
  readonly refundPayment: {
    readonly paymentId: number
    readonly cents: number
    readonly giftCents: number
    readonly openGiftCents: number
  }
  readonly returnRefund: { readonly refundId: number; readonly cents: number }
}
type Kind = keyof About
type DialogOf<K extends Kind> = (props: About[K] & { readonly onClose: () => void }) => ReactNode

/** What can be done with money that a rider has paid. */
export type MoneyAction = { readonly [K in Kind]: { readonly kind: K; readonly about: About[K] } }[Kind]

/** Asks how much and why; the button says what will happen to how much. */
export default function MoneyDialog({ action, onClose }: { action: MoneyAction; onClose: () => void }): ReactNode {
  const Dialog = dialogs[action.kind] as DialogOf<Kind>
  return <Dialog {...action.about} onClose={onClose} />
}

const onFile = (presets: readonly string[]) => reason({ note: t('留档备查'), presets })
const amount = (maxCents: number) =>
  yuan({ label: t('金额'), hint: t('最多 {{yuan}} 元', { yuan: money(maxCents) }), initialCents: maxCents, maxCents })

const dialogs: { readonly [K in Kind]: DialogOf<K> } = {
  freeze: ({ depositId, cents, onClose }) => (
    <FormDialog
      title={t('冻结押金')}
      call={depositEndpoints.freezeDeposit}
      about={depositId}
      fields={{ cents: amount(cents), reason: onFile([t('车辆损坏，待核实'), t('违规停放，待核实')]) }}
      input={(values) => ({ depositId, ...values })}
      submit={(known) => t('冻结 {{yuan}} 元', { yuan: money(known.cents) })}
      stale={staleMoney}
      done={() => t('已冻结押金')}
      undo={({ data: { cases } }) => {
        const caseId = cases.find(({ state }) => state === 'open')?.id
        return caseId === undefined ? null : { caseId, reason: t('撤销') }
      }}
      undone={() => t('已解冻')}
      onClose={onClose}
    >
      <p>{t('冻结的部分在处理完之前不能退还。')}</p>
    </FormDialog>
  ),
  refundDeposit: ({ depositId, cents, onClose }) => (
    <FormDialog
      title={t('退还押金')}
      call={depositEndpoints.refundDeposit}
      about={depositId}
      fields={{ reason: onFile([t('用户申请退押金'), t('账号注销')]) }}
      input={(values) => ({ depositId, ...values })}
      submit={t('退还 {{yuan}} 元', { yuan: money(cents) })}
      stale={staleMoney}
      done={() => t('押金已交支付渠道退还')}
      onClose={onClose}
    >
      <p>{t('没有冻结的 {{yuan}} 元退回原支付渠道，退后不能收回。', { yuan: money(cents) })}</p>
    </FormDialog>
  ),
  recover: ({ caseId, cents, onClose }) => (
    <FormDialog
      title={t('从冻结押金中扣款')}
      call={depositEndpoints.recoverDeposit}
      about={caseId}
      fields={{ cents: amount(cents), reason: onFile([t('车辆损坏赔偿'), t('车辆丢失赔偿')]) }}
      input={(values) => ({ caseId, ...values })}
      submit={(known) => t('扣款 {{yuan}} 元', { yuan: money(known.cents) })}
      stale={staleMoney}
      done={() => t('已从押金中扣款')}
      onClose={onClose}
    >
      <p>{t('扣下的部分成为收入，余下的自动解冻。扣款不能撤销。')}</p>
    </FormDialog>
  ),
  unfreeze: ({ caseId, cents, onClose }) => (
    <FormDialog
      title={t('解冻押金')}
      call={depositEndpoints.unfreezeDeposit}
      about={caseId}
      fields={{ reason: onFile([t('核实后无责'), t('已另行处理')]) }}
      input={(values) => ({ caseId, ...values })}
      submit={t('解冻 {{yuan}} 元', { yuan: money(cents) })}
      stale={staleMoney}
      done={() => t('已解冻')}
      onClose={onClose}
    >
      <p>{t('冻结的 {{yuan}} 元重新可以退还。', { yuan: money(cents) })}</p>
    </FormDialog>
  ),
  refundCard: ({ card, onClose }) => {
    const left = money(card.refundableCents)
    return (
      <FormDialog
        title={t('退卡：{{name}}', { name: card.name })}
        call={cardEndpoints.refundCard}
        about={card.id}
        fields={{ reason: onFile([t('用户申请退卡')]) }}
        input={(values) => ({ cardId: card.id, ...values })}
        submit={t('退卡并退回 {{yuan}} 元', { yuan: left })}
        stale={staleMoney}
        done={({ data }) => t('已退卡，退回 {{yuan}} 元', { yuan: money(data.refundedCents) })}
        onClose={onClose}
      >
        <p>
          {card.paidBy === 'balance'
            ? t('未开始的天数共 {{yuan}} 元退到余额。退后立即失效，不能恢复。', { yuan: left })
            : t('未开始的天数共 {{yuan}} 元退回原支付渠道。退后立即失效，不能恢复。', { yuan: left })}
        </p>
      </FormDialog>
    )
  },
  refundPayment: ({ paymentId, cents, giftCents, openGiftCents, onClose }) => (
    <FormDialog
      title={t('退余额')}
      call={walletEndpoints.refundPayment}
      about={paymentId}
      fields={{ cents: amount(cents), reason: onFile([t('用户申请退余额'), t('账号注销')]) }}
      input={(values) => ({ paymentId, ...values })}
      submit={(known) => t('退 {{yuan}} 元', { yuan: money(known.cents) })}
      stale={staleMoney}
      done={() => t('已交支付渠道退款')}
      onClose={onClose}
    >
      <p>{t('从余额退回原支付渠道，不超过现有余额。退后不能收回。')}</p>
      {giftCents > 0 && (
        <p>
          {openGiftCents === 0
            ? t('这笔充值的赠送余额已用完或失效，没有可收回的。')
            : t('这笔充值的赠送余额还剩 {{yuan}} 元，退款时全部收回，部分退款也一样。', { yuan: money(openGiftCents) })}
        </p>
      )}
    </FormDialog>
  ),
  returnRefund: ({ refundId, cents, onClose }) => (
    <FormDialog
      title={t('转为余额')}
      call={channelRefundEndpoints.returnRefund}
      about={refundId}
      fields={{ reason: onFile([t('收款账户已注销'), t('收款账户异常')]) }}
      input={(values) => ({ refundId, ...values })}
      submit={t('转 {{yuan}} 元为余额', { yuan: money(cents) })}
      stale={staleMoney}
      done={() => t('已转为骑行者的余额')}
      onClose={onClose}
    >
      <p>{t('支付渠道退不成的这笔退款转为骑行者的余额，之后不再请渠道退款。请先确认渠道确实没有退出。')}</p>
    </FormDialog>
  ),
}
