import { t } from '#kit/i18n/index.ts'
import { keyword } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { readWord, wordOf } from './riderWord.ts'

/** Finds a rider by phone number or by the rider's own number. */
export function riderKeyword<
  F extends { readonly phone?: string | undefined; readonly riderId?: number | undefined },
>(): FilterSpec<F> {
  return keyword<F>(t('手机号或用户编号'), {
    names: ['phone', 'riderId'],
    read: (text) => {
      const { phone, riderId } = readWord(text)
      return { phone, riderId } as Partial<Record<keyof F & string, unknown>>
    },
    write: wordOf,
  })
}
