import type { CommandKind, CommandOutlook, CommandState } from '@saddle/contract/fleet/commands.ts'
import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'

/** From when it is sent, a vehicle has so long to tell the outcome, over a lost connection too. */
/** A caller that gives no reason is a program: the console asks for one. */
export const statedReason = (reason: string): string => (reason === '' ? '未说明（接口调用）' : reason)

export const commandAnswerMs = 30_000

const before: Readonly<Record<CommandState, readonly CommandState[]>> = {
  queued: [],
  sent: ['queued'],
  acknowledged: ['sent'],
  // A device may lose the connection after it heard us and tell the outcome in the next one.
  confirmed: ['sent', 'acknowledged'],
  failed: ['sent', 'acknowledged'],
  expired: ['queued', 'sent', 'acknowledged'],
}

/** The states from which a command may come to `state`; a final state is left by nothing. */
export function statesBefore(state: CommandState): readonly CommandState[] {
  return before[state]
}

/** Why a vehicle did not do it, for the person who asked. */
export const commandFailures = {
  failed: '车辆执行失败，请检查车锁是否被卡住',
  key_error: '车辆拒绝了操作密钥，请重试',
  riding: '车辆正在行驶，不能关锁',
  other: '车辆返回了未知结果',
  notDelivered: '车辆不在线，指令未送达',
  noAnswer: '车辆没有应答',
  unsupported: '该车辆的设备不支持此指令',
} as const

/** Why a command is not even given, for the person who would give it. */
export const commandRefusals = {
  removed: '车辆已撤出，不能下发指令',
  in_use: '车辆已被预约或正在骑行，不能远程开锁',
  riding: '车辆正在骑行，不能断电或重启',
  pending: '上一条同类指令尚未结束',
} as const

/** Commands that would throw a rider off the saddle, or take a vehicle from somebody who waits for it. */
const dangerousWhileRiding: ReadonlySet<CommandKind> = new Set(['power_off', 'restart'])

/**
 * Why a vehicle in this state may not get the command; null if it may. The vehicle itself reports if its lock can turn.
 */
export function refusalOf(options: { state: VehicleState; kind: CommandKind }): keyof typeof commandRefusals | null {
  const { state, kind } = options
  if (state === 'removed') return 'removed'
  if (kind === 'unlock' && (state === 'reserved' || state === 'on_trip')) return 'in_use'
  if (state === 'on_trip' && dangerousWhileRiding.has(kind)) return 'riding'
  return null
}

/** The expected result of a command, and the text of its refusal. */
export function outlookOf(options: { state: VehicleState; kind: CommandKind; isOnline: boolean; isPending: boolean }): {
  outlook: CommandOutlook
  refusal: string | null
} {
  const refusal = refusalOf(options) ?? (options.isPending ? 'pending' : null)
  if (refusal !== null) return { outlook: 'refused', refusal: commandRefusals[refusal] }
  return { outlook: options.isOnline ? 'now' : 'when_online', refusal: null }
}
