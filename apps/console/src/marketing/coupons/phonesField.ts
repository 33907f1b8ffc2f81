import { phonePattern } from '@saddle/contract/constants.ts'
import type { Field } from '#kit/form/field.ts'
import { longText } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'

const wordsOf = (typed: string): string[] => typed.split(/[\s,，;；]+/).filter((word) => word !== '')

/** Phone numbers as they are copied out of a sheet. */
export const phonesField = (): Field<string, string[]> => ({
  ...longText({ label: t('手机号'), rows: 6, hint: t('每行一个，最多 1000 个'), isSecret: true }),
  read: (typed) => {
    const phones = wordsOf(typed)
    const wrong = phones.find((phone) => !phonePattern.test(phone))
    if (phones.length === 0) return { fault: t('请填写手机号') }
    return wrong === undefined ? { value: phones } : { fault: t('{{phone}} 不是手机号', { phone: wrong }) }
  },
})
