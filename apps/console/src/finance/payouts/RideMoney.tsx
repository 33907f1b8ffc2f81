import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { moneyPlaceLabels, payoutEndpoints, type PlacedMoney } from '@saddle/contract/finance/payouts.ts'
import type { SplitLine } from '@saddle/contract/finance/splitBills.ts'
import { withdrawalStateLabels } from '@saddle/contract/finance/withdrawals.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { areaText, kindText, rulesPath } from '../splitBills/words.ts'
import './payouts.css'

/** A line of income: how it was divided, and where the money of its ride is now. */
export function LinePanel({ line }: { readonly line: SplitLine }): ReactNode {
  const { orderId } = line
  return (
    <DetailPanel
      label={t('分账明细')}
      title={
        <strong>
          {kindText(line.kind)} · {orderId === null ? areaText(line) : t('订单 {{id}}', { id: orderId })}
        </strong>
      }
      foot={
        orderId === null ? undefined : (
          <p className="form-choices">
            <ButtonLink to={`/user-order-detail?order=${orderId}`}>{t('查看订单')}</ButtonLink>
          </p>
        )
      }
    >
      <Divided line={line} />
      {orderId !== null && <Whereabouts orderId={orderId} />}
    </DetailPanel>
  )
}

function Divided({ line }: { readonly line: SplitLine }) {
  const { termsId, termsVersion, agentId } = line
  return (
    <>
      <Facts
        facts={[
          [t('加盟商'), line.company],
          [t('服务区'), areaText(line)],
          [t('日期'), line.day],
          [t('发生时间'), dateTime(line.at)],
          [
            t('规则'),
            termsId === null ? (
              t('无规则')
            ) : (
              <Link key="rule" to={rulesPath(agentId)}>
                {t('第 {{count}} 版', { count: termsVersion ?? 0 })}
              </Link>
            ),
          ],
        ]}
      />
      <h3>{t('怎么分的')}</h3>
      <table className="payout-sources" aria-label={t('怎么分的')}>
        <tbody>
          {(
            [
              [t('收入'), line.paidCents],
              [t('平台承担优惠'), -line.platformBorneCents],
              [t('合作方承担优惠'), -line.partnerBorneCents],
              [t('渠道手续费'), -line.feeCents],
              ...line.parties.map(({ name, cents }) => [name, -cents] as const),
            ] as const
          )
            .filter(([, cents]) => cents !== 0)
            .map(([name, cents]) => (
              <tr key={name}>
                <td>{name}</td>
                <td data-numeric="true">{money(cents)}</td>
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('加盟商所得')}</th>
            <td data-numeric="true">{money(line.ownerCents)}</td>
          </tr>
        </tfoot>
      </table>
    </>
  )
}

function Whereabouts({ orderId }: { readonly orderId: number }) {
  const { data, error, refetch } = useEndpoint(payoutEndpoints.moneyOfRide, { orderId })
  return (
    <>
      <h3>{t('这笔钱现在在哪里')}</h3>
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        data.data.days.map(({ day, ownerCents, places }) => (
          <table key={day} className="payout-sources" aria-label={t('这笔钱现在在哪里')}>
            <thead>
              <tr>
                <th>{t('{{day}} 的加盟商所得', { day })}</th>
                <th data-numeric="true">{money(ownerCents)}</th>
              </tr>
            </thead>
            <tbody>
              {places === null ? (
                <tr>
                  <td colSpan={2}>{t('资金去向只对可查看该加盟商全部服务区的人显示')}</td>
                </tr>
              ) : (
                places.map((one) => (
                  <tr key={`${one.place} ${one.reference}`}>
                    <td>{placeText(one)}</td>
                    <td data-numeric="true">{money(one.cents)}</td>
                  </tr>
                ))
              )}
            </tbody>
          </table>
        ))
      )}
    </>
  )
}

const withdrawalPath = (id: number): string =>
  `/financial/CostCenter/withdraw?filter=${encodeURIComponent(JSON.stringify({ id }))}`

function placeText({ place, withdrawalId, withdrawalState, reference }: PlacedMoney): ReactNode {
  const label = t(moneyPlaceLabels[place])
  if (withdrawalId === null) return place === 'other' ? `${label} ${reference}` : label
  return (
    <Link to={withdrawalPath(withdrawalId)}>
      {label} {withdrawalId}
      {withdrawalState !== null && ` · ${t(withdrawalStateLabels[withdrawalState])}`}
    </Link>
  )
}
