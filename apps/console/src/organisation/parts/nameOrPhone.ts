import { phonePattern } from '@saddle/contract/constants.ts'
import { t } from '#kit/i18n/index.ts'
import { keyword } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'

/** Somebody by part of their name, or by their whole phone number. */
export function nameOrPhone<
  F extends { readonly keyword?: string | undefined; readonly phone?: string | undefined },
>(): FilterSpec<F> {
  return keyword<F>(t('姓名，或完整手机号'), {
    names: ['keyword', 'phone'],
    read: (text) =>
      (phonePattern.test(text) ? { phone: text } : { keyword: text }) as Partial<Record<keyof F & string, unknown>>,
    write: ({ keyword: word, phone }) => phone ?? word ?? '',
  })
}
