import type { ReactNode } from 'react'
import { fewLeft } from '@saddle/contract/finance/cardProducts.ts'
import type { CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhoneFrame } from '#kit/ui/PhoneFrame.tsx'
import { lengthText, promiseText } from './words.ts'
import './mall.css'

export interface ShownCard {
  readonly id: number
  readonly terms: CardTerms
  /** Null: any number. */
  readonly left: number | null
}

interface Props {
  readonly cards: readonly ShownCard[]
  /** The card that is being made: it stands out. */
  readonly ownId?: number
}

/** The mall as a rider sees it on a phone. */
export function MallPhone({ cards, ownId }: Props): ReactNode {
  return (
    <PhoneFrame title={t('骑行卡商城')}>
      {cards.length === 0 && <p className="mall-none">{t('货架上还没有卡')}</p>}
      {cards.map((card) => (
        <Tile key={card.id} card={card} isOwn={card.id === ownId} />
      ))}
    </PhoneFrame>
  )
}

function Tile({ card: { terms, left }, isOwn }: { card: ShownCard; isOwn: boolean }) {
  const { name, colour, badge, slogan, priceCents, wasPriceCents, onTo } = terms
  return (
    <section className="mall-card" data-colour={colour} data-own={isOwn} aria-label={name}>
      {badge !== '' && <em>{badge}</em>}
      <strong>{name}</strong>
      <span>{promiseText(terms)}</span>
      <small>{lengthText(terms)}</small>
      {slogan !== '' && <small>{slogan}</small>}
      <p>
        <b>¥{money(priceCents)}</b>
        {wasPriceCents !== null && <s>¥{money(wasPriceCents)}</s>}
        <i>{left === 0 ? t('已售罄') : t('购买')}</i>
      </p>
      {left !== null && left > 0 && left <= fewLeft && <small>{t('仅剩 {{count}} 张', { count: left })}</small>}
      {onTo !== null && <small>{t('{{time}} 停售', { time: dateTime(onTo).slice(0, 16) })}</small>}
      {terms.areaIds.length > 0 && (
        <small>{t('限 {{count}} 个服务区使用', { count: number(terms.areaIds.length) })}</small>
      )}
    </section>
  )
}
