import type { Language } from '@saddle/contract/constants.ts'
import { fillText } from '@saddle/contract/coreErrors.ts'
import { errorCatalogue, type AppError } from '@saddle/contract/errors.ts'
import { z } from 'zod'
import { inLanguage } from '#kit/language.ts'

/** A longer header is not read to its end. */
const headerMaxLength = 500

/**
 * The language that an `Accept-Language` header prefers of the two that are spoken here (RFC 9110, section 12.5.4);
 * Chinese when it names neither.
 */
export function languageOf(header: string | undefined): Language {
  let best: { language: Language; quality: number } = { language: 'zh', quality: 0 }
  for (const range of (header ?? '').slice(0, headerMaxLength).split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
    const weight = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
    const quality = weight === undefined ? 1 : Number(weight)
    const language = /^en(-|$)/.test(tag.trim()) ? 'en' : /^zh(-|$)/.test(tag.trim()) ? 'zh' : null
    if (language !== null && quality > best.quality) best = { language, quality }
  }
  return best.language
}

/** The text of a refusal in this language. */
export function refusalText(error: AppError, language: Language): string {
  if (language === 'zh') return error.message
  const values = Object.fromEntries(
    Object.entries(error.values).map(([name, value]) => [
      name,
      typeof value === 'string' ? inLanguage(language, value) : value,
    ]),
  )
  return fillText(inLanguage(language, errorCatalogue[error.code].promot), values)
}

const englishFaults = z.locales.en().localeError

/** How the faults of an input are told; the process is configured for Chinese. */
export const faultsIn = (language: Language): { error?: typeof englishFaults } =>
  language === 'en' ? { error: englishFaults } : {}
