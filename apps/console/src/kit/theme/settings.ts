import { detailListMaxColumns, themeColours } from '@saddle/contract/constants.ts'
import type { Layout } from '@saddle/contract/organisation/appearance.ts'
import { readStored, removeStored, writeStored } from '#kit/storage.ts'
import { createStore, useStore } from '#kit/store.ts'

/** Names of the specification, section 3; `density` and `appearance` (the colours of the whole page) are our additions. */
export interface ThemeSettings {
  readonly primaryColor: string
  readonly navTheme: 'dark' | 'light'
  readonly layout: 'sidemenu' | 'topmenu'
  readonly contentWidth: 'Fixed' | 'Fluid'
  readonly fixedHeader: boolean
  readonly fixSiderbar: boolean
  readonly autoHideHeader: boolean
  readonly colorWeak: boolean
  readonly multiTab: boolean
  readonly density: 'compact' | 'comfortable'
  readonly appearance: 'light' | 'dark'
}

export const defaultTheme: ThemeSettings = {
  primaryColor: themeColours.blue,
  navTheme: 'dark',
  layout: 'sidemenu',
  contentWidth: 'Fixed',
  fixedHeader: true,
  fixSiderbar: true,
  autoHideHeader: false,
  colorWeak: false,
  multiTab: false,
  density: 'compact',
  appearance: 'light',
}

const choices: Readonly<Partial<Record<keyof ThemeSettings, readonly string[]>>> = {
  navTheme: ['dark', 'light'],
  layout: ['sidemenu', 'topmenu'],
  contentWidth: ['Fixed', 'Fluid'],
  density: ['compact', 'comfortable'],
  appearance: ['light', 'dark'],
  primaryColor: Object.values(themeColours),
}

/** The settings of company and person from the server; cached, so that the next page uses them at once. */
const givenKey = 'layout'
/** Settings changed in this browser only: they take precedence. */
const localKey = 'theme'

let given = readSettings(givenKey)
let local = readSettings(localKey)
const settings = createStore<ThemeSettings>({ ...defaultTheme, ...given, ...local })

export const useTheme = (): ThemeSettings => useStore(settings)

/** Changes some settings, keeps them in this browser and applies them to the page. */
export function changeTheme(change: Partial<ThemeSettings>): void {
  local = { ...local, ...change }
  writeStored(localKey, local)
  show()
}

/** Applies the server's settings: the company's defaults and the person's own values. */
export function adoptLayout({ company, own }: { readonly company: Layout; readonly own: Layout }): void {
  given = { ...knownOf(company), ...knownOf(own) }
  writeStored(givenKey, given)
  show()
}

/** The same after the person has saved settings: this browser's own values for them are dropped. */
export function settleLayout(kept: { readonly company: Layout; readonly own: Layout }): void {
  const names = new Set<string>([...Object.keys(kept.own), ...Object.keys(given)])
  local = Object.fromEntries(Object.entries(local).filter(([name]) => !names.has(name)))
  writeStored(localKey, local)
  adoptLayout(kept)
}

/** Resets after logout: the next person has settings of their own. */
export function forgetLayout(): void {
  if (Object.keys(given).length === 0) return
  given = {}
  removeStored(givenKey)
  show()
}

function show(): void {
  settings.set({ ...defaultTheme, ...given, ...local })
  paintTheme()
}

/** Writes the settings where the style sheets read them. */
export function paintTheme(): void {
  const { appearance, primaryColor, colorWeak } = settings.get()
  const root = document.documentElement
  root.dataset['appearance'] = appearance
  root.dataset['colourWeak'] = String(colorWeak)
  root.style.setProperty('--accent', appearance === 'dark' ? brighter(primaryColor) : primaryColor)
  root.style.setProperty('--detail-columns', String(detailListMaxColumns))
  root.style.colorScheme = appearance
}

/** The same hue, light enough for a dark page: a third of the way to white. */
export function brighter(hex: string): string {
  const lift = (start: number): string => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16)
    return Math.round(value + (255 - value) * 0.42)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${lift(1)}${lift(3)}${lift(5)}`
}

function readSettings(key: string): Partial<ThemeSettings> {
  return knownOf(readStored(key))
}

function knownOf(value: unknown): Partial<ThemeSettings> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).filter(([name, one]) => isSetting(name, one)))
}

function isSetting(name: string, value: unknown): boolean {
  if (!Object.hasOwn(defaultTheme, name)) return false
  const key = name as keyof ThemeSettings
  const allowed = choices[key]
  return allowed === undefined ? typeof value === 'boolean' : typeof value === 'string' && allowed.includes(value)
}
