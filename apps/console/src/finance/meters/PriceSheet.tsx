import { useState, type ReactNode } from 'react'
import {
  meterEndpoints,
  meterLabels,
  meterUnits,
  meters,
  type Meter,
  type MeterPrice,
} from '@saddle/contract/finance/meters.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { select } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number, reason, text, yuan } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { Sheet } from '#kit/ui/Sheet.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { priceText } from './words.ts'
import '../serviceBills/serviceBills.css'

/** Versions of prices: which one holds, who made it when and why. The platform adds the next one. */
export default function PriceSheet({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useEndpoint(meterEndpoints.meterPrices, {})
  const [isNew, setNew] = useState(false)
  const prices = data?.data.list
  return (
    <Sheet
      label={t('计量单价')}
      title={t('计量单价')}
      onClose={onClose}
      {...(data?.data.maySet === true && {
        foot: (
          <Button look="primary" onClick={() => setNew(true)}>
            {t('发布新单价')}
          </Button>
        ),
      })}
    >
      {prices === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Versions prices={prices} />
      )}
      {isNew && <NewPrice onClose={() => setNew(false)} />}
    </Sheet>
  )
}

function Versions({ prices }: { readonly prices: readonly MeterPrice[] }) {
  const today = businessDayOf(serverNow())
  const current = new Map<Meter, MeterPrice>()
  for (const price of prices.toReversed()) {
    const known = current.get(price.meter)
    const isLater = known === undefined || [price.firstDay, price.version] >= [known.firstDay, known.version]
    if (price.firstDay <= today && isLater) current.set(price.meter, price)
  }
  return (
    <table className="service-days" aria-label={t('计量单价')}>
      <thead>
        <tr>
          <th>{t('计量项')}</th>
          <th>{t('单价')}</th>
          <th>{t('生效日')}</th>
          <th>{t('发布')}</th>
        </tr>
      </thead>
      <tbody>
        {prices.map((price) => (
          <tr key={price.id}>
            <td>
              {t(meterLabels[price.meter])} {current.get(price.meter) === price && <Mark tone="good">{t('现行')}</Mark>}
              {price.firstDay > today && <Mark tone="info">{t('待生效')}</Mark>}
            </td>
            <td>{priceText(price)}</td>
            <td>{price.firstDay}</td>
            <td>
              {price.madeBy} · {dateTime(price.madeAt)}
              <br />
              <small>{price.reason}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function NewPrice({ onClose }: { readonly onClose: () => void }) {
  const tomorrow = addDays(businessDayOf(serverNow()), 1)
  return (
    <FormDialog
      title={t('发布新单价')}
      call={meterEndpoints.setMeterPrice}
      about="meter-price"
      fields={{
        meter: select<Meter>({
          label: t('计量项'),
          options: meters.map((value) => ({ value, label: `${t(meterLabels[value])}（${t(meterUnits[value])}）` })),
        }),
        priceCents: yuan({ label: t('金额') }),
        perQuantity: number({ label: t('计价数量'), hint: t('这么多单位收取上面的金额'), initial: 1 }),
        firstDay: text({
          label: t('生效日'),
          hint: t('YYYY-MM-DD，最早从明天起；已过去的日子不变'),
          initial: tomorrow,
          refusals: ['meter_price_too_early'],
        }),
        reason: reason({ note: t('加盟商可见'), presets: [t('年度调价'), t('供应商调价')] }),
      }}
      input={(values) => values}
      submit={t('发布新单价')}
      stale={[meterEndpoints.meterPrices]}
      done={() => t('已发布新单价')}
      onClose={onClose}
    >
      <p>{t('新单价对所有加盟商生效，从生效日起计量的用量按它计费；已出的账单不变。')}</p>
    </FormDialog>
  )
}
