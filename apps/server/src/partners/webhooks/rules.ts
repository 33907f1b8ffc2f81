import type { SentEventName } from '@saddle/contract/partners/webhookEvents.ts'

export interface Message {
  readonly id: number
  readonly event: SentEventName
  readonly subject: string
  /** Columns of the database. */
  readonly data: unknown
  readonly created_at: Date
}

/** What is sent, and what the log shows of it. */
export const bodyOf = ({ id, event, subject, data, created_at: at }: Message): string =>
  JSON.stringify({ id: String(id), event, subject, at: at.getTime(), data: shownData(data) })

/** Columns as partners read them: camel case, instants in milliseconds. */
function shownData(data: unknown): Record<string, unknown> {
  if (typeof data !== 'object' || data === null) return {}
  return Object.fromEntries(
    Object.entries(data).map(([column, value]: [string, unknown]) => [
      column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      column.endsWith('_at') && typeof value === 'string' ? Date.parse(value) : value,
    ]),
  )
}
