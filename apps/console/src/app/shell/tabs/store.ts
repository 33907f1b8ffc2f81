import { createStore, type Store } from '#kit/store.ts'
import type { Tabs } from './rules.ts'

/** Opened pages live outside React: changing the language mounts the root anew and must not lose them. */
export const openTabs: Store<Tabs> = createStore<Tabs>({ list: [], active: '' })
