import type { ChannelState } from '@saddle/contract/notices/config.ts'
import type { NoticeChannel } from '@saddle/contract/notices/words.ts'
import { RefusedError } from '#kit/webhook.ts'

/** A notice on its way out of the platform. */
export interface Outgoing {
  /** The same for every attempt: receivers tell repeated ones by it. */
  readonly id: string
  /** A telephone number, an e-mail address, or where and with which key a company's system is told. */
  readonly to: string
  readonly title: string
  readonly body: string
  /** The page that it leads to. */
  readonly path: string
  readonly event: string
  readonly atMs: number
  /** When this attempt is made. */
  readonly nowMs: number
}

/** Sends by one channel. `send` resolves when the message was accepted; `RefusedError` ends the attempts. */
export interface Channel {
  readonly state: ChannelState
  send(message: Outgoing): Promise<void>
}

export type Channels = Readonly<Record<Exclude<NoticeChannel, 'in_app'>, Channel>>

export const sendTimeoutMs = 10_000

export const closedChannel: Channel = {
  state: 'off',
  send: async () => {
    throw new RefusedError('the channel is not configured')
  },
}
