import { screenCodeAlphabet, screenCodeLength } from '@saddle/contract/identity/screens.ts'
import { screenPages, screenPermissions, type ScreenPage } from '@saddle/contract/reports/screens.ts'
import type { Random } from '#kit/random.ts'

/** The codes of a screen's pages that its person still holds. */
export function screenCodes(of: {
  readonly pages: readonly string[]
  readonly held: ReadonlySet<string>
}): Set<string> {
  const codes = knownPages(of.pages).map((page) => screenPermissions[page])
  return new Set(codes.filter((code) => of.held.has(code)))
}

/** Forty random bits, in letters and digits that cannot be mistaken for each other. */
export const newScreenCode = (random: Random): string =>
  Array.from(random.bytes(screenCodeLength), (byte) => screenCodeAlphabet[byte % screenCodeAlphabet.length]).join('')

/** Pages that this version knows. */
export const knownPages = (pages: readonly string[]): ScreenPage[] => screenPages.filter((page) => pages.includes(page))
