import { meterUnits, type Meter, type MeterPrice } from '@saddle/contract/finance/meters.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

export const quantityText = (meter: Meter, quantity: number): string => `${number(quantity)} ${t(meterUnits[meter])}`

/** What a unit costs, or so many of them. */
export function priceText({
  meter,
  priceCents,
  perQuantity,
}: Pick<MeterPrice, 'meter' | 'priceCents' | 'perQuantity'>): string {
  const unit = t(meterUnits[meter])
  const yuan = money(priceCents)
  return perQuantity === 1
    ? t('{{yuan}} 元 / {{unit}}', { yuan, unit })
    : t('{{yuan}} 元 / {{quantity}} {{unit}}', { yuan, unit, quantity: number(perQuantity) })
}
