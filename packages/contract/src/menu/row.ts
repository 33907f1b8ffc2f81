import type { Permission } from '#contract/permissions.ts'

export type MenuIcon =
  | 'home'
  | 'screen'
  | 'revenue'
  | 'vehicle'
  | 'riders'
  | 'maintenance'
  | 'log'
  | 'permission'
  | 'marketing'
  | 'config'
  | 'report'
  | 'agent'
  | 'production'
  | 'feedback'
  | 'finance'

export interface MenuRow {
  readonly path: string
  /** Chinese title; the English one is in the console's catalogue under this key. */
  readonly title: string
  /** One of these is enough; null asks for none. `all` is held by every operator. */
  readonly permission: readonly [Permission, ...Permission[]] | null
  /** The group of the menu (and of the breadcrumb) that the page stands in. */
  readonly parent: string | null
  readonly hidden?: true
  /** The page of the menu that is marked while this hidden one is open. */
  readonly entry?: string
  readonly layout?: 'user' | 'blank'
  /** May be opened without a login. */
  readonly public?: true
  readonly redirect?: string
  readonly icon?: MenuIcon
  /** A root of the menu: it has no page of its own and opens its redirect or its first permitted page. */
  readonly group?: true
  readonly keepAlive?: true
}
