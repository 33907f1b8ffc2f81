import { readStored, writeStored } from '#kit/storage.ts'

const key = 'chatDrafts'
const draftsMax = 50

/** A text that was begun but not sent, by conversation; `mine` is one's own with the support. */
export function readDraft(conversation: string): string {
  const text = drafts()[conversation]
  return typeof text === 'string' ? text : ''
}

export function keepDraft(conversation: string, text: string): void {
  const rest = Object.entries(drafts()).filter(([name]) => name !== conversation)
  const entries = text === '' ? rest : [...rest, [conversation, text] as const]
  writeStored(key, Object.fromEntries(entries.slice(-draftsMax)))
}

function drafts(): Readonly<Record<string, unknown>> {
  const value = readStored(key)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
