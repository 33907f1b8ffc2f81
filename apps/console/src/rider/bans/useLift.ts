import { banEndpoints, type Ban } from '@saddle/contract/rider/bans.ts'
import { createAction } from '#kit/action/action.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { staleRiderLists } from '../parts/stale.ts'

const stale = [banEndpoints.listBans, ...staleRiderLists]

/** Takes riders off the blacklist; the message that follows puts them back as they were. */
export function useLift(onDone?: () => void): {
  readonly lift: (riderIds: readonly number[]) => void
  readonly busy: boolean
} {
  const action = useAction(banEndpoints.liftBans, {
    stale,
    onDone: ({ data: { lifted } }) => {
      notify.success({
        text: t('已移出 {{count}} 位用户，可以重新用车', { count: lifted.length }),
        action: { label: t('撤销'), run: () => lifted.forEach(restore) },
      })
      onDone?.()
    },
  })
  return {
    busy: action.isBusy,
    lift: (riderIds) => {
      if (riderIds.length > 0) action.send({ riderIds: [...riderIds] })
    },
  }
}

/** Each had a reason and a term of their own. */
function restore({ riderId, reason, until }: Ban): void {
  const done = ({ data }: { data: { banned: readonly number[] } }) =>
    t('已恢复 {{count}} 位用户', { count: data.banned.length })
  createAction(banEndpoints.banRiders, { stale, done }).send({
    riderIds: [riderId],
    reason,
    ...(until !== null && { until }),
  })
}
