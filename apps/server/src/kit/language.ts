import type { Language } from '@saddle/contract/constants.ts'
import english from '@saddle/contract/english.json' with { type: 'json' }

const catalogue: Readonly<Record<string, string>> = english

/** The text in this language; a text without a translation stays as it is. */
export const inLanguage = (language: Language, text: string, context = ''): string =>
  language === 'en' ? (catalogue[`${text}_${context}`] ?? catalogue[text] ?? text) : text
