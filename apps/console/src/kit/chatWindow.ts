import { createStore, useStore, type Store } from './store.ts'

/** State of the floating chat; pages that link to the chat open it here. */
export type ChatWindow = 'shut' | 'mine' | 'inbox'

export const chatWindow: Store<ChatWindow> = createStore<ChatWindow>('shut')
export const useChatWindow = (): ChatWindow => useStore(chatWindow)
