import { serviceEndpoints } from '@saddle/contract/fleet/service.ts'
import { tellRefused } from '#kit/action/refused.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { staleVehicles } from './stale.ts'

/** Puts vehicles back into service. Taking them out again needs a reason, so it is no undo. */
export function useReturn(onDone?: () => void) {
  return useAction(serviceEndpoints.returnToService, {
    stale: staleVehicles,
    done: ({ data: { done } }) => (done.length === 0 ? null : t('已恢复 {{count}} 辆车', { count: done.length })),
    onDone: ({ data: { refused } }) => {
      tellRefused(refused)
      onDone?.()
    },
  })
}
