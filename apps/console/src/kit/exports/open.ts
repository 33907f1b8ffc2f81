import { dayMs } from '@saddle/contract/time.ts'
import { readStored, writeStored } from '#kit/storage.ts'
import { createStore } from '#kit/store.ts'

interface OpenExport {
  readonly exportId: string
  readonly fileName: string
}

const key = 'exports'
const openMax = 20
const lifetimeMs = dayMs

/** Files that are being made for this person, as far as this browser asked for them; a reload keeps them. */
export const openExports = createStore<readonly OpenExport[]>(readOpen(readStored(key)))
openExports.subscribe(() => writeStored(key, openExports.get(), lifetimeMs))

export function watchExport(file: OpenExport): void {
  openExports.set([...openExports.get(), file].slice(-openMax))
}

export function forgetExports(ids: ReadonlySet<string>): void {
  openExports.set(openExports.get().filter(({ exportId }) => !ids.has(exportId)))
}

function readOpen(value: unknown): readonly OpenExport[] {
  return Array.isArray(value) ? value.filter(isOpen).slice(-openMax) : []
}

const isOpen = (one: unknown): one is OpenExport =>
  typeof one === 'object' &&
  one !== null &&
  'exportId' in one &&
  typeof one.exportId === 'string' &&
  'fileName' in one &&
  typeof one.fileName === 'string'
