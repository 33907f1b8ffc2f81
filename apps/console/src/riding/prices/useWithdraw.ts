import { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { useAction, type Action } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'

const { withdrawPriceVersions, listPriceVersions } = priceEndpoints

/** Takes back what has not begun in an area; for a while it can be planned again as it was. */
export const useWithdraw = (): Action<typeof withdrawPriceVersions> =>
  useAction(withdrawPriceVersions, {
    stale: [listPriceVersions],
    done: ({ data: { list } }) =>
      list.length === 0
        ? t('没有尚未生效的版本')
        : t('已撤回“{{names}}”', { names: list.map(({ name }) => name).join(t('、')) }),
    undo: ({ data: { list } }) =>
      list.map(({ areaId, name, rules, validFrom }) => ({ areaIds: [areaId], name, rules, validFrom })),
    undone: () => t('已恢复原来的安排'),
  })
