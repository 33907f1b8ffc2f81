import { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { t } from '#kit/i18n/index.ts'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { useEndpointMutation } from '#kit/query.ts'

/** Takes back what has not begun in an area; for a while it can be planned again as it was. */
export function usePlans(): { readonly isBusy: boolean; readonly withdraw: (areaId: number) => void } {
  const invalidates = [priceEndpoints.listPriceVersions]
  const again = useEndpointMutation(priceEndpoints.publishPriceVersion, {
    invalidates,
    onSuccess: () => notify.success({ text: t('已恢复原来的安排') }),
  })
  const take = useEndpointMutation(priceEndpoints.withdrawPriceVersions, {
    invalidates,
    onSuccess: ({ data: { list } }) => {
      const names = list.map(({ name }) => name).join(t('、'))
      const plan = () => {
        for (const { areaId, name, rules, validFrom } of list) {
          again.mutate({ input: { areaIds: [areaId], name, rules, validFrom }, idempotencyKey: newIdempotencyKey() })
        }
      }
      if (list.length === 0) notify.info({ text: t('没有尚未生效的版本') })
      else notify.success({ text: t('已撤回“{{names}}”', { names }), action: { label: t('撤销'), run: plan } })
    },
  })
  const withdraw = (areaId: number) => {
    if (!take.isPending) take.mutate({ input: { areaIds: [areaId] }, idempotencyKey: newIdempotencyKey() })
  }
  return { isBusy: take.isPending, withdraw }
}
