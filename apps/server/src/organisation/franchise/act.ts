import type { SessionCall } from '#kit/call.ts'

/** What every audit line of a call has in common. */
export function actOf({ caller, address, requestId }: SessionCall) {
  return { operatorId: caller.operatorId, address, requestId }
}
