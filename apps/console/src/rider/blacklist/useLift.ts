import { banEndpoints, type Ban } from '@saddle/contract/rider/bans.ts'
import { riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'
import { t } from '#kit/i18n/index.ts'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { useEndpointMutation } from '#kit/query.ts'

const stale = [
  banEndpoints.listBans,
  riderPeopleEndpoints.searchRiders,
  riderPeopleEndpoints.riderDetail,
  timelineEndpoints.riderTimeline,
]

/** Takes riders off the blacklist; the message that follows puts them back as they were. */
export function useLift(): { readonly lift: (riderIds: readonly number[]) => void; readonly busy: boolean } {
  const again = useEndpointMutation(banEndpoints.banRiders, {
    invalidates: stale,
    onSuccess: ({ data }) => notify.success({ text: t('已恢复 {{count}} 位用户', { count: data.banned.length }) }),
  })
  const send = useEndpointMutation(banEndpoints.liftBans, {
    invalidates: stale,
    onSuccess: ({ data: { lifted } }) =>
      notify.success({
        text: t('已移出 {{count}} 位用户，可以重新用车', { count: lifted.length }),
        action: { label: t('撤销'), run: () => lifted.forEach(restore) },
      }),
  })
  const restore = ({ riderId, reason, until }: Ban) =>
    again.mutate({
      input: { riderIds: [riderId], reason, ...(until !== null && { until }) },
      idempotencyKey: newIdempotencyKey(),
    })
  return {
    busy: send.isPending,
    lift: (riderIds) => {
      if (send.isPending || riderIds.length === 0) return
      send.mutate({ input: { riderIds: [...riderIds] }, idempotencyKey: newIdempotencyKey() })
    },
  }
}
