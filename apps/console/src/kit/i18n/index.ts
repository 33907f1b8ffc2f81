import i18next from 'i18next'
import type { Language } from '@saddle/contract/constants.ts'
import { number } from '#kit/number.ts'
import { readStored, writeStored } from '#kit/storage.ts'
import { createStore, useStore } from '#kit/store.ts'

/** The Chinese sentence is the key, so Chinese needs no catalogue; dots and colons in it are only characters. */
const ready = i18next.createInstance()
void ready.init({
  lng: 'zh',
  fallbackLng: false,
  resources: { zh: {} },
  keySeparator: false,
  nsSeparator: false,
  // A counter such as 辆 has no English: '' is a translation.
  returnEmptyString: true,
  initAsync: false,
  interpolation: { escapeValue: false },
})

// `{{rides, plural(one: ride; other: rides)}}` is the noun for a number that is not called `count`.
ready.services.formatter?.add('plural', (value: unknown, locale, forms: Readonly<Record<string, string>>) => {
  const form = pluralRules(locale ?? 'en').select(Number(String(value).replaceAll(',', '')))
  return forms[form] ?? forms['other'] ?? ''
})

const rulesOf = new Map<string, Intl.PluralRules>()
function pluralRules(locale: string): Intl.PluralRules {
  const rules = rulesOf.get(locale) ?? new Intl.PluralRules(locale)
  rulesOf.set(locale, rules)
  return rules
}

/** English writes the sign before the currency, where the catalogue has `¥{{yuan}}` and the amount is negative. */
const signOfMoney = /¥-(?=\d)/g

const language = createStore<Language>('zh')

/** Texts of errors with their placeholders: only a translation needs them. */
let errorTemplates: Readonly<Record<string, { readonly promot: string }>> = {}

/** The Chinese text of an error with its placeholders unfilled, known once another language has been loaded. */
export const errorTemplate = (code: string): string | undefined => errorTemplates[code]?.promot

/**
 * The text in the user's language. `{{name}}` is filled from `values`, `count` chooses an English plural, and `context`
 * chooses the English of a Chinese word that has several senses: the catalogue holds it as `<sentence>_<context>`.
 * A plain function: the root is mounted anew when the language changes, so no component has to subscribe.
 */
export function t(sentence: string, values?: Readonly<Record<string, string | number>>): string {
  if (values === undefined) return ready.t(sentence)
  const { count } = values
  // `count` chooses the plural as a number and stands in the sentence as `1,234`.
  const written = typeof count === 'number' ? { ...values, count: number(count) } : values
  return ready.t(sentence, { ...values, replace: written }).replace(signOfMoney, '-¥')
}

export const useLanguage = (): Language => useStore(language)

/** Loads the catalogue when it is needed for the first time, then shows everything in that language. */
export async function setLanguage(next: Language): Promise<void> {
  if (next === 'en' && !ready.hasResourceBundle('en', 'translation')) {
    const [catalogue, errors] = await Promise.all([
      import('@saddle/contract/english.json'),
      import('@saddle/contract/errors.ts'),
    ])
    ready.addResourceBundle('en', 'translation', catalogue.default)
    errorTemplates = errors.errorCatalogue
  }
  await ready.changeLanguage(next)
  document.documentElement.lang = next === 'zh' ? 'zh-CN' : 'en'
  writeStored('language', next)
  language.set(next)
}

/** The language chosen earlier in this browser; Chinese at first. */
export async function restoreLanguage(): Promise<void> {
  if (readStored('language') === 'en') await setLanguage('en')
}
