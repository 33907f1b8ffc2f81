import { createStore, type Store } from '#kit/store.ts'
import type { Unfolded } from './model.ts'

/** How the menu stands; outside React, so that a change of language leaves it as it is. */
export const unfolded: Store<Unfolded> = createStore<Unfolded>({ collapsed: false, open: [], remembered: [] })
