import type { ExportFormat } from '@saddle/contract/exported.ts'
import { readStored, writeStored } from '#kit/storage.ts'
import { createStore, useStore, type Store } from '#kit/store.ts'
import { currentSession } from '#kit/session/store.ts'
import { changeOwn } from '#kit/theme/changeOwn.ts'
import { useTheme } from '#kit/theme/settings.ts'

export type Density = 'compact' | 'comfortable'

export interface SavedView {
  readonly name: string
  /** What the address of the list has behind the question mark. */
  readonly search: string
}

/** A person's settings for one list. */
export interface ListPreferences {
  /** Keys of the columns in order; columns not named keep their declared place. */
  readonly order: readonly string[]
  readonly visibility: Readonly<Record<string, boolean>>
  /** Keys of columns fixed at an edge; null: the first and the last column. */
  readonly pinned: { readonly start: readonly string[]; readonly end: readonly string[] } | null
  /** Widths in px. */
  readonly sizes: Readonly<Record<string, number>>
  readonly pageSize: number | null
  readonly views: readonly SavedView[]
}

export const noPreferences: ListPreferences = {
  order: [],
  visibility: {},
  pinned: null,
  sizes: {},
  pageSize: null,
  views: [],
}

export const savedViewsMax = 20

const stores = new Map<string, Store<ListPreferences>>()
const exportChoices = new Map<string, Store<ExportChoice>>()

/** They stay in this browser after logout, under the person's own key: they contain no personal data. */
const keyOf = (name: string): string => `lists-${currentSession()?.opManId ?? ''}-${name}`

function preferencesStore(name: string): Store<ListPreferences> {
  const key = keyOf(name)
  const known = stores.get(key)
  if (known !== undefined) return known
  const store = createStore(readPreferences(readStored(key)))
  store.subscribe(() => writeStored(key, store.get()))
  stores.set(key, store)
  return store
}

export type ChangePreferences = (change: Partial<ListPreferences>) => void

/** The logged-in person's settings for a list. */
export function usePreferences(name: string): readonly [ListPreferences, ChangePreferences] {
  const store = preferencesStore(name)
  const current = useStore(store)
  return [current, (change) => store.set({ ...store.get(), ...change })]
}

/** Height of rows: one choice for all lists, kept in the person's account. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  return [useTheme().density, (density) => void changeOwn({ density })]
}

interface ExportChoice {
  readonly format: ExportFormat
  /** Without the columns that are hidden in the table. */
  readonly isAsShown: boolean
}

function exportStore(): Store<ExportChoice> {
  const key = keyOf('export')
  const known = exportChoices.get(key)
  if (known !== undefined) return known
  const stored = readStored(key) as { readonly format?: unknown; readonly isAsShown?: unknown } | null
  const store = createStore<ExportChoice>({
    format: stored?.format === 'csv' ? 'csv' : 'xlsx',
    isAsShown: stored?.isAsShown === true,
  })
  store.subscribe(() => writeStored(key, store.get()))
  exportChoices.set(key, store)
  return store
}

/** How files are exported: one choice for all lists. */
export function useExportChoice(): readonly [ExportChoice, (choice: ExportChoice) => void] {
  const store = exportStore()
  return [useStore(store), store.set]
}

/** For tests: the state of a newly started browser. */
export function forgetPreferences(): void {
  stores.clear()
  exportChoices.clear()
}

function readPreferences(value: unknown): ListPreferences {
  if (typeof value !== 'object' || value === null) return noPreferences
  const read = value as Partial<Record<keyof ListPreferences, unknown>>
  const pinned = read.pinned as { start?: unknown; end?: unknown } | null | undefined
  return {
    order: texts(read.order),
    visibility: recordOf(read.visibility, isFlag),
    pinned:
      typeof pinned === 'object' && pinned !== null ? { start: texts(pinned.start), end: texts(pinned.end) } : null,
    sizes: recordOf(read.sizes, isPx),
    pageSize: typeof read.pageSize === 'number' ? read.pageSize : null,
    views: Array.isArray(read.views) ? read.views.filter(isView).slice(0, savedViewsMax) : [],
  }
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

function recordOf<T>(value: unknown, fits: (one: unknown) => one is T): Readonly<Record<string, T>> {
  if (typeof value !== 'object' || value === null) return {}
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  return Object.fromEntries(entries.flatMap(([key, one]) => (fits(one) ? [[key, one]] : [])))
}

const isFlag = (one: unknown): one is boolean => typeof one === 'boolean'
const isPx = (one: unknown): one is number => typeof one === 'number' && Number.isFinite(one)

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'search' in value &&
  typeof value.search === 'string'
