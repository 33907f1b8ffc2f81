import { between, clearing, entry, own, type Channel, type Movement } from './recipes.ts'
import type { Entry } from './rules.ts'

const differenceTargets = {
  adjust: 'adjustment',
  suspend: 'suspense',
  write_off: 'write_off',
  refund: 'suspense',
} as const

/**
 * What a channel's bill has more than the books, below zero what it has less, after two people have decided about it. With
 * `isSuspended` it was on the suspense account before. `refunded`: the channel has given it back.
 */
export function channelDifference(
  input: Movement & {
    readonly channel: Channel
    readonly differenceId: number
    readonly step: keyof typeof differenceTargets | 'refunded'
    readonly isSuspended?: boolean
    readonly reason?: string
  },
): Entry {
  const { cents, channel, differenceId, step, isSuspended = false, reason = '' } = input
  const source = isSuspended ? own('suspense') : clearing(channel)
  const target = own(step === 'refunded' ? 'suspense' : differenceTargets[step])
  const lines = cents > 0 ? between(cents, source, target) : between(-cents, target, source)
  return { ...entry('channel_difference', `channel-difference:${differenceId}`, input, lines), key: step, memo: reason }
}
