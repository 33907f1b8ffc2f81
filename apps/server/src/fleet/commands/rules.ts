import type { CommandKind, CommandState } from '@saddle/contract/fleet/commands.ts'
import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'

/** From when it is sent, a vehicle has so long to tell the outcome, over a lost connection too. */
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
} as const

/** Whether a vehicle in this state may be told so at all; whether its lock can turn, the vehicle says itself. */
export function mayCommand(options: { state: VehicleState; kind: CommandKind }): boolean {
  if (options.state === 'removed') return false
  return !(options.kind === 'unlock' && (options.state === 'reserved' || options.state === 'on_trip'))
}
