import { screenPermissions, type ScreenPage } from '@saddle/contract/reports/screens.ts'

/** The code of a wall in the address of a screen's page: what the wall's QR code opens. */
export const pairingQuery = 'pair'
const pageOf: Readonly<Record<ScreenPage, string>> = { operations: '/screenHome', revenue: '/screenHome1' }

/** What a telephone opens that reads the wall's QR code. */
export const pairingAddress = (code: string): string => {
  const url = new URL(location.href)
  url.search = ''
  url.hash = `${pageOf.operations}?${pairingQuery}=${code}`
  return url.href
}

/** The pages that somebody with these codes may give to a wall. */
export const pagesHeld = (held: ReadonlySet<string>): ScreenPage[] =>
  (Object.keys(screenPermissions) as ScreenPage[]).filter((page) => held.has(screenPermissions[page]))
