import { readStored, removeStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

type Kind = 'success' | 'info' | 'warning' | 'error'

export interface Message {
  readonly title?: string
  readonly text: string
  /** An action for the message, e.g. undo. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

export interface Toast extends Message {
  readonly id: number
  readonly kind: Kind
}

const shownMs: Readonly<Record<Kind, number>> = { success: 4_000, info: 5_000, warning: 6_000, error: 8_000 }
/** Messages with an undo action stay longer: people need time to read, think and reach the button. */
const shownWithActionMs = 9_000
const maxShown = 4
const flashKey = 'flash'

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

export const useToasts = (): readonly Toast[] => useStore(toasts)
export const currentToasts = (): readonly Toast[] => toasts.get()

const timers = new Map<number, ReturnType<typeof setTimeout>>()
let isHeld = false

export function dismiss(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
  // Closing a message removes it from under the pointer without a leave event.
  if (isHeld) releaseToasts()
}

function show(kind: Kind, message: Message): void {
  // A message with the same text replaces the earlier one.
  const others = toasts.get().filter((toast) => toast.text !== message.text || toast.title !== message.title)
  const id = ++lastId
  toasts.set([...others, { ...message, kind, id }].slice(-maxShown))
  if (!isHeld) dismissLater({ kind, id, ...message })
}

function dismissLater({ id, kind, action }: Toast): void {
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => dismiss(id), action === undefined ? shownMs[kind] : shownWithActionMs),
  )
}

/** No message expires while the pointer or the focus is on the messages. */
export function holdToasts(): void {
  isHeld = true
  for (const timer of timers.values()) clearTimeout(timer)
}

/** Messages expire again, each after its full time. */
export function releaseToasts(): void {
  isHeld = false
  for (const toast of toasts.get()) dismissLater(toast)
}

/** Messages in the corner, read out by screen readers. Texts are already in the person's language. */
export const notify = {
  success: (message: Message): void => show('success', message),
  info: (message: Message): void => show('info', message),
  warning: (message: Message): void => show('warning', message),
  error: (message: Message): void => show('error', message),
  /** Shown after the page has been reloaded. */
  afterReload: (kind: Kind, message: Message): void => writeStored(flashKey, { kind, ...message }, 30_000),
}

/** Shows the message that was stored before the reload. */
export function showFlash(): void {
  const left = readStored(flashKey)
  removeStored(flashKey)
  if (typeof left !== 'object' || left === null || !('text' in left) || typeof left.text !== 'string') return
  const title = 'title' in left && typeof left.title === 'string' ? { title: left.title } : {}
  const kind = 'kind' in left && isKind(left.kind) ? left.kind : 'info'
  show(kind, { ...title, text: left.text })
}

/** For tests: removes all messages. */
export function clearToasts(): void {
  isHeld = false
  for (const { id } of toasts.get()) dismiss(id)
}

const isKind = (value: unknown): value is Kind => typeof value === 'string' && Object.hasOwn(shownMs, value)
