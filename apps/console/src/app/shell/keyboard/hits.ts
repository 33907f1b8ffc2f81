import type { CommandKind } from '@saddle/contract/fleet/commands.ts'
import { commandKindLabels, commandKinds } from '@saddle/contract/fleet/commands.ts'
import type { Hit, HitKind } from '@saddle/contract/lookup/lookup.ts'
import { isRoutePermitted } from '@saddle/contract/menu.ts'

/** Where a thing is shown, the first page that the reader may open. */
const pages: Readonly<Record<HitKind, (hit: Pick<Hit, 'id' | 'title'>) => readonly string[]>> = {
  vehicle: ({ title }) => [
    `/vehicle/operation-map?vehicle=${encodeURIComponent(title)}`,
    `/vehicle-info?vehicle=${encodeURIComponent(title)}`,
  ],
  order: ({ id }) => [`/user-order-detail?order=${id}`],
  rider: ({ id }) => [`/user-info-detail?rider=${id}`],
  ticket: ({ id }) => [`/user-worksheet-detail?ticket=${id}`],
  task: ({ id }) => [`/data/operation-tasks?task=${id}`],
  place: ({ title }) => [`/electronic/parking-fence?${filterOf({ keyword: title })}`],
  person: ({ title }) => [`/permissions/user?${filterOf({ keyword: title })}`],
  account: ({ title }) => [`/agent/account-management?${filterOf({ keyword: title })}`],
}

const filterOf = (filter: object): string => `filter=${encodeURIComponent(JSON.stringify(filter))}`

export const isOpenTo = (to: string, held: ReadonlySet<string>): boolean =>
  isRoutePermitted(to.split('?')[0] ?? '', held)

/** The page of a hit; null when the reader may open none. */
export const hitLink = (hit: Pick<Hit, 'kind' | 'id' | 'title'>, held: ReadonlySet<string>): string | null =>
  pages[hit.kind](hit).find((to) => isOpenTo(to, held)) ?? null

/** What people say for a command, beside its name on the screen. */
const sayings: Readonly<Partial<Record<CommandKind, readonly string[]>>> = {
  unlock: ['解锁'],
  lock: ['锁车'],
  ring: ['响铃', '寻车'],
  locate: ['定位'],
}

export interface Act {
  readonly kind: CommandKind
  /** What names the vehicle. */
  readonly vehicle: string
}

/** A command and what names a vehicle, in either order: `开锁 SD100223`. */
export function actOf(text: string, t: (key: string) => string): Act | null {
  const typed = text.trim().toLowerCase()
  for (const kind of commandKinds) {
    const label = commandKindLabels[kind]
    for (const word of [label, t(label).toLowerCase(), ...(sayings[kind] ?? [])]) {
      if (!typed.startsWith(word) && !typed.endsWith(word)) continue
      const vehicle = (typed.startsWith(word) ? typed.slice(word.length) : typed.slice(0, -word.length)).trim()
      if (/^[a-z]{0,4}\d{3,15}$/.test(vehicle)) return { kind, vehicle: vehicle.toUpperCase() }
    }
  }
  return null
}
