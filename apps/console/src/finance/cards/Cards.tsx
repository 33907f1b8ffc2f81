import type { ReactNode } from 'react'
import { cardEndpoints, cardPayerLabels, cardStateLabels, type RiderCard } from '@saddle/contract/finance/cards.ts'
import { cardKindLabels } from '@saddle/contract/finance/cardTerms.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { cardTones, promiseText } from '../cardProducts/words.ts'
import { MoneyActions } from '../wallet/MoneyActions.tsx'

/** The cards that a rider bought: what each promises, until when, and what it has done so far. */
export function Cards({ riderId }: { riderId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(cardEndpoints.myCards, { riderId })
  const list = data?.data.list
  if (list === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  if (list.length === 0) return <Empty title={t('没有买过卡')} />
  return (
    <ul className="money-list">
      {list.map((card) => (
        <One key={card.id} card={card} />
      ))}
    </ul>
  )
}

function One({ card }: { card: RiderCard }) {
  const paidBy = card.paidBy === null ? '' : t(cardPayerLabels[card.paidBy])
  return (
    <li className="money-item">
      <div className="money-line">
        <b>{card.name}</b>
        <Mark tone="info">{t(cardKindLabels[card.kind])}</Mark>
        <Mark tone={cardTones[card.state]}>{t(cardStateLabels[card.state])}</Mark>
        <span>{promiseText(card)}</span>
      </div>
      <p className="money-soft">
        {card.firstDay === null
          ? t('尚未生效')
          : t('{{from}} 至 {{to}}', { from: card.firstDay, to: card.lastDay ?? '' })}
        {card.boughtAt !== null &&
          ` · ${
            card.paidBy === 'gift'
              ? t('{{time}} 赠送', { time: dateTime(card.boughtAt) })
              : t('{{time}} 购买，{{yuan}} 元，{{by}}', {
                  time: dateTime(card.boughtAt),
                  yuan: money(card.priceCents),
                  by: paidBy,
                })
          }`}
        {card.ridesLeft !== null && ` · ${t('剩 {{count}} 次', { count: card.ridesLeft })}`}
      </p>
      <p className="money-soft">
        {t('已用 {{count}} 次，省 {{saved}} 元；已确认收入 {{earned}} 元', {
          count: card.uses,
          saved: money(card.savedCents),
          earned: money(card.earnedCents),
        })}
      </p>
      {card.revokedAt !== null && (
        <p className="money-soft">
          {t('于 {{time}} 收回：{{reason}}', { time: dateTime(card.revokedAt), reason: card.revokeReason })}
        </p>
      )}
      {card.refundedAt !== null && (
        <p className="money-soft">
          {t('{{by}} 于 {{time}} 退回 {{yuan}} 元：{{reason}}', {
            by: card.refundedBy ?? '--',
            time: dateTime(card.refundedAt),
            yuan: money(card.refundedCents),
            reason: card.refundReason,
          })}
        </p>
      )}
      {card.refundableCents > 0 && (
        <div className="money-acts">
          <MoneyActions
            permission="07010113"
            actions={[{ label: t('退卡'), action: { kind: 'refundCard', about: { card } } }]}
          />
        </div>
      )}
    </li>
  )
}
