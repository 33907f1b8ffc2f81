import { detailListMaxColumns, themeColours } from '@saddle/contract/constants.ts'
import { readStored, writeStored } from '#kit/storage.ts'
import { createStore, useStore } from '#kit/store.ts'

/** Names of the specification, section 3; `appearance` is ours and colours the whole page. */
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
  readonly appearance: 'light' | 'dark'
}

const defaultTheme: ThemeSettings = {
  primaryColor: themeColours.blue,
  navTheme: 'dark',
  layout: 'sidemenu',
  contentWidth: 'Fixed',
  fixedHeader: true,
  fixSiderbar: true,
  autoHideHeader: false,
  colorWeak: false,
  multiTab: false,
  appearance: 'light',
}

const choices: Readonly<Partial<Record<keyof ThemeSettings, readonly string[]>>> = {
  navTheme: ['dark', 'light'],
  layout: ['sidemenu', 'topmenu'],
  contentWidth: ['Fixed', 'Fluid'],
  appearance: ['light', 'dark'],
  primaryColor: Object.values(themeColours),
}

const settings = createStore<ThemeSettings>(readTheme())

export const useTheme = (): ThemeSettings => useStore(settings)

/** Changes some settings, keeps them in this browser and colours the page. */
export function changeTheme(change: Partial<ThemeSettings>): void {
  const next = { ...settings.get(), ...change }
  writeStored('theme', next)
  settings.set(next)
  paintTheme()
}

/** Puts the settings where the style sheets look for them. */
export function paintTheme(): void {
  const { appearance, primaryColor, colorWeak } = settings.get()
  const root = document.documentElement
  root.dataset['appearance'] = appearance
  root.dataset['colourWeak'] = String(colorWeak)
  root.style.setProperty('--accent', appearance === 'dark' ? brighter(primaryColor) : primaryColor)
  root.style.setProperty('--detail-columns', String(detailListMaxColumns))
  root.style.colorScheme = appearance
}

/** The same hue with enough light for a dark page: a third of the way to white. */
export function brighter(hex: string): string {
  const lift = (start: number): string => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16)
    return Math.round(value + (255 - value) * 0.42)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${lift(1)}${lift(3)}${lift(5)}`
}

function readTheme(): ThemeSettings {
  const stored = readStored('theme')
  if (typeof stored !== 'object' || stored === null) return defaultTheme
  const known = Object.entries(stored).filter(([name, value]) => isSetting(name, value))
  return { ...defaultTheme, ...(Object.fromEntries(known) as Partial<ThemeSettings>) }
}

function isSetting(name: string, value: unknown): boolean {
  if (!Object.hasOwn(defaultTheme, name)) return false
  const key = name as keyof ThemeSettings
  const allowed = choices[key]
  return allowed === undefined ? typeof value === 'boolean' : typeof value === 'string' && allowed.includes(value)
}
