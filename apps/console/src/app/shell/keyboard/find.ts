import { isRoutePermitted, menuRows, menuTrail } from '@saddle/contract/menu.ts'

export interface Found {
  readonly kind: 'page' | 'vehicle'
  readonly to: string
  readonly title: string
  /** Titles of the groups above a page. */
  readonly above: readonly string[]
}

export const foundMax = 12

/** Two letters or more and digits: the printed number of a vehicle. */
const vehicleNumber = /^[a-z]{1,4}\d{3,10}$/i
const imei = /^\d{15}$/

/** Pages that match the text, best first, and the vehicle number it may be. */
export function find(text: string, held: ReadonlySet<string>, t: (key: string) => string): readonly Found[] {
  const wanted = text.trim().toLowerCase()
  const mayMap = isRoutePermitted('/vehicle/operation-map', held)
  const vehicle: Found[] =
    mayMap && (vehicleNumber.test(wanted) || imei.test(wanted))
      ? [
          {
            kind: 'vehicle',
            to: `/vehicle/operation-map?vehicle=${encodeURIComponent(wanted.toUpperCase())}`,
            title: wanted.toUpperCase(),
            above: [t('在运营地图上查看车辆')],
          },
        ]
      : []
  return [...vehicle, ...pages(wanted, held, t)].slice(0, foundMax)
}

function pages(wanted: string, held: ReadonlySet<string>, t: (key: string) => string): Found[] {
  const ranked: { found: Found; rank: number }[] = []
  for (const row of menuRows) {
    const reachable = row.path === '/log' || (!row.hidden && !row.group)
    if (!reachable || row.public || !isRoutePermitted(row.path, held)) continue
    const above = menuTrail(row.path)
      .slice(0, -1)
      .map((each) => t(each.title))
    const rank = rankOf(wanted, [t(row.title), row.title, row.path, ...above])
    if (rank !== null) ranked.push({ found: { kind: 'page', to: row.path, title: t(row.title), above }, rank })
  }
  return ranked.toSorted((one, other) => one.rank - other.rank).map((each) => each.found)
}

/** Smaller is better: a beginning of the title, then a part of it, then the Chinese title, the path, the group. */
function rankOf(wanted: string, texts: readonly string[]): number | null {
  if (wanted === '') return 0
  const at = texts.findIndex((text) => text.toLowerCase().includes(wanted))
  if (at === -1) return null
  return at * 2 + (texts[at]?.toLowerCase().startsWith(wanted) ? 0 : 1)
}
