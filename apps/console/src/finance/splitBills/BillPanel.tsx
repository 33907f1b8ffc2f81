import { lazy, Suspense, useState, type ReactNode } from 'react'
import { splitBillStateLabels, type SplitBill } from '@saddle/contract/finance/splitBills.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useSession } from '#kit/session/store.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { splitApplyPath } from '../objections/words.ts'
import { Lines } from './LinesPage.tsx'
import { areaText, heldText, ofDay } from './words.ts'

const CorrectDialog = lazy(() => loadChunk(() => import('./CorrectDialog.tsx')))

/** A bill: who gets what, where the money stands, and every line of it. */
export function BillPanel({ bill }: { bill: SplitBill }): ReactNode {
  const [isCorrecting, setCorrecting] = useState(false)
  const session = useSession()
  const isOwn = session?.agentId === bill.agentId
  const { agentId, areaId, day } = bill
  const fixed = {
    agentIds: [agentId],
    ...(areaId === null ? { isOfCompany: true } : { areaIds: [areaId] }),
    ...ofDay(day),
  }
  return (
    <DetailPanel
      label={t('分账账单')}
      title={
        <strong>
          {day} · {areaText(bill)}
        </strong>
      }
      foot={
        <p className="form-choices">
          <Button
            disabled={isOwn}
            title={isOwn ? t('账单由上级公司更正；有异议可以提出') : undefined}
            onClick={() => setCorrecting(true)}
          >
            {t('更正这张账单')}
          </Button>
          <Permit action="financial_03">
            <ButtonLink to={splitApplyPath(bill.id)}>{t('提出异议')}</ButtonLink>
          </Permit>
        </p>
      }
    >
      <Facts
        facts={[
          [t('加盟商'), bill.company],
          [t('状态'), t(splitBillStateLabels[bill.state])],
          [t('日结时间'), dateTime(bill.closedAt)],
          [t('结算时间'), dateTime(bill.settledAt)],
          ...(bill.heldCents > 0
            ? ([
                [t('当日挂账'), t('{{yuan}} 元', { yuan: money(bill.heldCents) })],
                [t('挂账原因'), bill.heldFor.map(heldText).join(t('；'))],
              ] as const)
            : []),
        ]}
      />
      {bill.state === 'in_transit' && <p className="split-quiet">{t('等待渠道账单核对，一致后次日结算为可提现')}</p>}
      <h3>{t('怎么分的')}</h3>
      <Bars
        label={t('怎么分的')}
        bars={[
          bar('paid', t('收入'), bill.paidCents),
          bar('platform', t('平台承担优惠'), -bill.platformBorneCents),
          bar('partner', t('合作方承担优惠'), -bill.partnerBorneCents),
          bar('fee', t('渠道手续费'), bill.feeCents, 'quiet'),
          ...bill.parties.map(({ partyId, name, cents }) => bar(String(partyId), name, cents, 'warn')),
          bar('owner', t('加盟商所得'), bill.ownerCents, 'good'),
        ].filter(({ value, key }) => value !== 0 || key === 'paid' || key === 'owner')}
      />
      <p className="split-quiet">
        {t('优惠由平台或合作方补足后一并分账；渠道手续费、分账方与加盟商所得之和等于收入加补足的优惠')}
      </p>
      <h3>{t('{{count}} 笔明细', { count: bill.lines })}</h3>
      <Lines fixed={fixed} />
      <p className="split-hash">
        {t('校验值')} {bill.hash}
      </p>
      <Suspense fallback={null}>
        {isCorrecting && <CorrectDialog bill={bill} onClose={() => setCorrecting(false)} />}
      </Suspense>
    </DetailPanel>
  )
}

const bar = (key: string, label: string, cents: number, tone?: 'good' | 'warn' | 'quiet') => ({
  key,
  label,
  value: Math.abs(cents),
  text: cents === 0 ? number(0) : money(cents),
  ...(tone !== undefined && { tone }),
})
