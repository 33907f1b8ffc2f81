import { t } from '#kit/i18n/index.ts'
import { keyword } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { keywordOf, readKeyword, type KeywordFilter } from './question.ts'

/** Which ride: by its rider's phone, by its order or by its vehicle. */
export function orderKeyword<F extends KeywordFilter & Readonly<Record<string, unknown>>>(): FilterSpec<F> {
  return keyword<F>(t('手机号、订单编号或车辆编号'), {
    names: ['phone', 'number', 'vehicleNumber'],
    read: (text) => readKeyword(text) as Partial<Record<keyof F & string, unknown>>,
    write: keywordOf,
  })
}
