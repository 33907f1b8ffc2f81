import { createStore, type Store } from '#kit/store.ts'
import type { Unfolded } from './model.ts'

/** State of the menu; outside React, so that it survives a change of language. */
export const unfolded: Store<Unfolded> = createStore<Unfolded>({ collapsed: false, open: [], remembered: [] })
