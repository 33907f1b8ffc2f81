import { storagePrefix } from '@saddle/contract/constants.ts'
import { currentSession } from '#kit/session/store.ts'
import { createStore, type Store } from '#kit/store.ts'
import { readTabs, type Tabs } from './rules.ts'

/** Of this window alone: two windows of a browser have tabs of their own. */
const storedKey = `${storagePrefix}tabs`

const ownId = (): string => currentSession()?.opManId ?? ''

function create(): Store<Tabs> {
  let stored: string | null = null
  try {
    stored = sessionStorage.getItem(storedKey)
  } catch {
    // Blocked storage: the window begins without tabs.
  }
  const store = createStore<Tabs>(readTabs(stored, ownId()))
  store.subscribe(() => {
    try {
      sessionStorage.setItem(storedKey, JSON.stringify({ of: ownId(), list: store.get().list }))
    } catch {
      // Full or blocked storage is no error: a reload begins with one tab.
    }
  })
  return store
}

/**
 * Opened pages live outside React: changing the language mounts the root anew and must not lose them. They are there
 * again after a reload, each with the address that it had.
 */
export const openTabs: Store<Tabs> = create()
