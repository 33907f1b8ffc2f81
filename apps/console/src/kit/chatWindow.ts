import { createStore, useStore, type Store } from './store.ts'

/** What the floating chat shows; pages that lead to it open it here. */
export type ChatWindow = 'shut' | 'mine' | 'inbox'

export const chatWindow: Store<ChatWindow> = createStore<ChatWindow>('shut')
export const useChatWindow = (): ChatWindow => useStore(chatWindow)
