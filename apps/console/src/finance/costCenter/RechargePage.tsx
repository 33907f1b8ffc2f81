import { useState, type ReactNode } from 'react'
import {
  chargeMaxCents,
  chargeMinCents,
  chargeNoteFields,
  chargePresets,
  chargeWayLabels,
  costCenterEndpoints,
  type ChargeNote,
  type ChargeWay,
} from '@saddle/contract/finance/costCenter.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { Form } from '#kit/form/Form.tsx'
import { yuan } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { QrCode } from '#kit/ui/QrCode.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { staleAfterCharge } from './lists.ts'
import '#kit/list/listPage.css'
import './costCenter.css'

interface Asked {
  readonly note: ChargeNote
  readonly code: string | null
}

/** Pays into the company's balance for services: out of its available income at once, or by a code to scan. */
export default function RechargePage(): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data, error, refetch } = useEndpoint(costCenterEndpoints.prepareCharge, {})
  return (
    <div className="cost-center">
      <header className="list-head">
        <h1>{t('充值')}</h1>
        <ButtonLink to="/financial/CostCenter">{t('返回费用中心')}</ButtonLink>
      </header>
      {asked !== null ? (
        <Paying asked={asked} onAgain={() => setAsked(null)} />
      ) : data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Charge {...data.data} onAsked={setAsked} />
      )}
    </div>
  )
}

interface ChargeProps {
  readonly balanceCents: number
  readonly openCents: number
  readonly ways: readonly { readonly way: ChargeWay; readonly maxCents: number }[]
  readonly onAsked: (asked: Asked) => void
}

type PayableWay = Exclude<ChargeWay, 'adjustment'>

function Charge({ balanceCents, openCents, ways, onAsked }: ChargeProps) {
  const offered = ways.filter((one): one is { way: PayableWay; maxCents: number } => one.way !== 'adjustment')
  const usable = offered.find(({ maxCents }) => maxCents >= chargeMinCents)
  if (usable === undefined) {
    return <p>{t('本公司不需要充值，或没有可用的支付方式，请联系平台管理员')}</p>
  }
  const short = Math.max(0, openCents - balanceCents)
  const suggested = Math.max(chargeMinCents, short)
  return (
    <div className="cost-pay">
      <Facts
        facts={[
          [t('服务费余额'), t('{{yuan}} 元', { yuan: money(balanceCents) })],
          [t('待付账单'), t('{{yuan}} 元', { yuan: money(openCents) })],
        ]}
      />
      <Form
        call={costCenterEndpoints.chargeService}
        about="service-charge"
        fields={{
          way: choice<PayableWay>({
            label: t('支付方式'),
            initial: usable.way,
            options: offered.map(({ way, maxCents }) => ({
              value: way,
              label: t(chargeWayLabels[way]),
              isDisabled: maxCents < chargeMinCents,
              text:
                way === 'available'
                  ? t('可转入 {{yuan}} 元，即时到账', { yuan: money(maxCents) })
                  : t('扫码支付，到账后自动扣付账单'),
            })),
          }),
          cents: yuan({
            label: t('充值金额'),
            initialCents: short > 0 ? suggested : chargePresets[0],
            hint: t('{{min}} 至 {{max}} 元', { min: money(chargeMinCents), max: money(chargeMaxCents) }),
            refusals: ['balance_insufficient'],
          }),
        }}
        input={(values) => values}
        submit={({ cents }) => (cents === undefined ? t('充值') : t('充值 {{yuan}} 元', { yuan: money(cents) }))}
        stale={staleAfterCharge}
        done={({ data: { note } }) =>
          note.state === 'paid' ? t('已充值 {{yuan}} 元', { yuan: money(note.cents) }) : null
        }
        onDone={({ data }) => onAsked(data)}
      >
        {short > 0 && <p>{t('补足待付账单还需 {{yuan}} 元。', { yuan: money(short) })}</p>}
        <p>{t('充值进入服务费余额，先扣付最早的账单；未使用的部分可在充值单中查看。')}</p>
      </Form>
    </div>
  )
}

const pollEveryMs = 3_000

function Paying({ asked, onAgain }: { readonly asked: Asked; readonly onAgain: () => void }) {
  const { note, code } = asked
  const { data } = useEndpoint(
    costCenterEndpoints.listChargeNotes,
    { filter: { id: note.id }, pageSize: 1 },
    { quiet: true, keepPrevious: true, ...(code !== null && { refetchIntervalMs: pollEveryMs }) },
  )
  const now = data?.data.list[0] ?? note
  const isPaid = now.state === 'paid'
  return (
    <div className="cost-pay">
      <h2>
        {isPaid
          ? t('已到账 {{yuan}} 元', { yuan: money(now.cents) })
          : t('请扫码支付 {{yuan}} 元', { yuan: money(now.cents) })}
      </h2>
      {!isPaid && code !== null && (
        <>
          <QrCode text={code} label={t('付款码')} />
          <p>{t('使用{{way}}扫码，支付后本页自动更新。', { way: t(chargeWayLabels[now.way]) })}</p>
          {now.way === 'sandbox' && <PayInSandbox number={now.number} />}
        </>
      )}
      <Facts
        facts={[
          [t(chargeNoteFields.number), now.number],
          [t('方式'), t(chargeWayLabels[now.way])],
          [t('未使用'), t('{{yuan}} 元', { yuan: money(now.leftCents) })],
        ]}
      />
      <p className="cost-presets">
        <Button onClick={onAgain}>{t('再充一笔')}</Button>
        <ButtonLink look="primary" to="/financial/CostCenter">
          {t('返回费用中心')}
        </ButtonLink>
      </p>
    </div>
  )
}

/** No money moves in the sandbox: whoever runs the platform on this machine pays by this. */
function PayInSandbox({ number }: { readonly number: string }) {
  const [isBusy, setBusy] = useState(false)
  const pay = async (): Promise<void> => {
    setBusy(true)
    try {
      await fetch(`/pay/sandbox/${number}`, { method: 'POST' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={isBusy} onClick={() => void pay()}>
      {t('在沙箱中模拟支付')}
    </Button>
  )
}
