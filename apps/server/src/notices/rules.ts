import { repeatMinutesDefault } from '@saddle/contract/notices/config.ts'
import { filled, noticeEvent, type NoticeEventName, type NoticeVariable } from '@saddle/contract/notices/events.ts'
import {
  disturbingChannels,
  type DeliveryReason,
  type DeliveryState,
  type DisturbingChannel,
  type NoticeChannel,
} from '@saddle/contract/notices/words.ts'
import type { Language } from '@saddle/contract/constants.ts'
import { yuanText } from '@saddle/contract/money.ts'
import { businessOffsetMs, dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { inLanguage } from '#kit/language.ts'

/** What a company has decided of an event. */
export interface Rule {
  readonly channels: readonly NoticeChannel[]
  readonly roleIds: readonly number[] | null
  readonly isUrgent: boolean
  readonly repeatMinutes: number
}

export const defaultRule = (event: NoticeEventName): Rule => ({
  channels: noticeEvent(event).channels,
  roleIds: null,
  isUrgent: noticeEvent(event).isUrgent,
  repeatMinutes: repeatMinutesDefault,
})

export interface Words {
  readonly title: string
  readonly body: string
}

export function defaultWords(event: NoticeEventName, language: Language): Words {
  const { subject, body } = noticeEvent(event)
  return { title: inLanguage(language, subject), body: inLanguage(language, body) }
}

const titleMax = 200
const bodyMax = 2_000

/** The text with the values of a notice, in this language. */
export function written(
  words: Words,
  {
    event,
    values,
    language,
  }: { event: NoticeEventName; values: Readonly<Record<string, unknown>>; language: Language },
): Words {
  const texts = Object.fromEntries(
    Object.entries(noticeEvent(event).variables).map(([name, variable]) => [
      name,
      textOf(variable, values[name], language),
    ]),
  )
  return {
    title: filled(words.title, texts).slice(0, titleMax),
    body: filled(words.body, texts).slice(0, bodyMax),
  }
}

/** Samples of an event's values, for a preview of what has not happened yet. */
export const sampleValues = (event: NoticeEventName): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(noticeEvent(event).variables).map(([name, { sample }]) => [name, sample]))

function textOf(variable: NoticeVariable, value: unknown, language: Language): string {
  if (value === undefined || value === null || value === '') return '--'
  if (variable.as === 'code') {
    const code = value as string
    return inLanguage(language, variable.labels[code] ?? code)
  }
  if (typeof value !== 'number') return value as string
  if (variable.as === 'text') return String(value)
  if (variable.as === 'cents') return `¥${yuanText(value)}`
  if (variable.as === 'percent') return `${value}%`
  if (variable.as === 'count') return value.toLocaleString('en-US')
  return new Date(value + businessOffsetMs).toISOString().slice(0, 16).replace('T', ' ')
}

/** The end of the quiet hours in which an instant lies; null outside of them. Minutes of the business day. */
export function quietUntil(atMs: number, { from, to }: { readonly from: number; readonly to: number }): number | null {
  if (from === to) return null
  const dayStart = Math.floor((atMs + businessOffsetMs) / dayMs) * dayMs - businessOffsetMs
  const minute = (atMs - dayStart) / minuteMs
  if (from < to) return minute >= from && minute < to ? dayStart + to * minuteMs : null
  if (minute >= from) return dayStart + dayMs + to * minuteMs
  return minute < to ? dayStart + to * minuteMs : null
}

export const isDisturbing = (channel: NoticeChannel): channel is DisturbingChannel =>
  disturbingChannels.some((known) => known === channel)

/** How a delivery begins. */
export interface Beginning {
  readonly state: Extract<DeliveryState, 'queued' | 'sent' | 'suppressed'>
  readonly reason: DeliveryReason | null
  /** Of what is queued. */
  readonly nextAt: number | null
}

export interface Circumstances {
  readonly channel: NoticeChannel
  readonly nowMs: number
  readonly isUrgent: boolean
  readonly quiet: { readonly from: number; readonly to: number }
  /** Sent to the person by this channel today, and how many may be. */
  readonly usedToday: number
  readonly cap: number
  readonly isRepeated: boolean
  readonly hasAddress: boolean
  readonly isConfigured: boolean
}

/** Whether a delivery is sent at once, later or not at all, and why. */
export function beginningOf(of: Circumstances): Beginning {
  const { channel, nowMs } = of
  if (channel === 'in_app') return { state: 'sent', reason: null, nextAt: null }
  const suppressed = (reason: DeliveryReason): Beginning => ({ state: 'suppressed', reason, nextAt: null })
  if (!of.isConfigured) return suppressed('not_configured')
  if (!of.hasAddress) return suppressed('no_address')
  if (of.isRepeated) return suppressed('repeated')
  if (!isDisturbing(channel)) return { state: 'queued', reason: null, nextAt: nowMs }
  if (of.usedToday >= of.cap) return suppressed('cap')
  const until = of.isUrgent ? null : quietUntil(nowMs, of.quiet)
  return until === null
    ? { state: 'queued', reason: null, nextAt: nowMs }
    : { state: 'queued', reason: 'quiet_hours', nextAt: until }
}

const pauses = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs] as const
export const attemptsMax = pauses.length + 1

/** When a delivery is tried again after so many attempts; null: no more. */
export const retryAt = (nowMs: number, attempts: number): number | null => {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : nowMs + pause
}
