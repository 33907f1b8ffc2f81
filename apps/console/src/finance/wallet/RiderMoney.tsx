import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { walletEndpoints, type Wallet } from '@saddle/contract/finance/wallet.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Cards } from '../cards/Cards.tsx'
import { Deposits } from '../deposits/Deposits.tsx'
import { Payments } from './Payments.tsx'
import { Statement } from './Statement.tsx'
import './money.css'

const ChargeDialog = lazy(() => loadChunk(() => import('./ChargeDialog.tsx')))

const parts = ['wallet', 'deposit', 'card', 'payments'] as const
type Part = (typeof parts)[number]

/** A rider's money: what they have, how it came to that, and what can be done about it. */
export function RiderMoney({ riderId }: { riderId: number }): ReactNode {
  const [params] = useSearchParams()
  // A link may lead straight to a part.
  const [chosen, setPart] = useState<Part | null>(() => parts.find((one) => one === params.get('money')) ?? null)
  const { data, error, refetch } = useEndpoint(walletEndpoints.userWallet, { riderId, pageSize: 1 })
  const wallet = data?.data.wallet
  // Who pays each ride through a channel has no statement: what they paid is shown instead.
  const part = chosen ?? (data?.data.list.length === 0 ? 'payments' : 'wallet')
  const isKnown = chosen !== null || data !== undefined || error !== null
  const labels: Readonly<Record<Part, string>> = {
    wallet: t('钱包流水'),
    deposit: t('押金'),
    card: t('骑行卡与优惠卡'),
    payments: t('付款与退款'),
  }
  return (
    <section className="page-card rider-money">
      <h2>{t('资金')}</h2>
      {wallet === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Sums wallet={wallet} />
      )}
      <div className="money-parts" role="tablist" aria-label={t('资金')}>
        {parts.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            aria-selected={part === one}
            className="money-part"
            onClick={() => setPart(one)}
          >
            {labels[one]}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={labels[part]}>
        {isKnown && part === 'wallet' && <Statement riderId={riderId} />}
        {part === 'deposit' && <Deposits riderId={riderId} />}
        {part === 'card' && <Cards riderId={riderId} />}
        {part === 'payments' && <Payments riderId={riderId} />}
      </div>
    </section>
  )
}

function Sums({ wallet }: { wallet: Wallet }) {
  const [charging, setCharging] = useState(false)
  const sums = [
    [t('余额'), wallet.balanceCents],
    [t('赠送余额'), wallet.giftCents],
    [t('押金'), wallet.depositCents],
    [t('冻结押金', { context: 'account' }), wallet.frozenCents],
    [t('骑行卡预收'), wallet.cardCents],
  ] as const
  return (
    <div className="money-head">
      <dl className="detail-list money-sums">
        {sums.map(([label, cents]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd data-empty={cents === 0}>{t('{{yuan}} 元', { yuan: money(cents) })}</dd>
          </div>
        ))}
      </dl>
      <Permit action="07010111">
        <Button onClick={() => setCharging(true)}>{t('扣款或加款')}</Button>
      </Permit>
      {charging && (
        <Suspense fallback={null}>
          <ChargeDialog wallet={wallet} onClose={() => setCharging(false)} />
        </Suspense>
      )}
    </div>
  )
}
