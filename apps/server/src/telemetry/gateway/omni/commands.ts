import type { OmniCommandBody, OmniMessage } from '@saddle/device-protocols/omni/codec.ts'
import type { CommandKind } from '@saddle/contract/fleet/commands.ts'
import type { ClaimedCommand } from '#fleet/public.ts'

const ringTimes = 3
const openCompartment = 1
const shutDown = 1
const restart = 2
const middleSensitivity = 2
const defaultHeartbeatS = 240
const defaultReportS = 10

/** The instructions for a command other than lock or unlock; empty where the protocol has none. */
export function otherCommand({ kind, parameters }: ClaimedCommand): OmniCommandBody[] {
  switch (kind) {
    case 'ring':
      return [{ instruction: 'S8', times: ringTimes }]
    case 'open_battery':
      return [{ instruction: 'L5', operation: openCompartment }]
    case 'power_off':
      return [{ instruction: 'S1', event: shutDown }]
    case 'restart':
      return [{ instruction: 'S1', event: restart }]
    case 'locate':
      return [{ instruction: 'D0' }]
    case 'ask_version':
      return [{ instruction: 'G0' }]
    case 'set_parameters': {
      const { reportSeconds, heartbeatSeconds } = parameters ?? {}
      if (reportSeconds === undefined && heartbeatSeconds === undefined) return []
      return [
        {
          instruction: 'S5',
          sensitivity: middleSensitivity,
          uploadWhileUnlocked: 1,
          heartbeatS: heartbeatSeconds ?? defaultHeartbeatS,
          uploadIntervalS: reportSeconds ?? defaultReportS,
        },
      ]
    }
    case 'unlock':
    case 'lock':
      return []
  }
}

const answers: Partial<Record<CommandKind, OmniMessage['instruction']>> = {
  ring: 'S8',
  open_battery: 'L5',
  power_off: 'S1',
  restart: 'S1',
  ask_version: 'G0',
  set_parameters: 'S5',
}

/** Whether a message is the device's answer to a command of this kind. */
export function isAnswerTo(kind: CommandKind, message: OmniMessage): boolean {
  // A periodic position is not the answer to a request.
  if (kind === 'locate') return message.instruction === 'D0' && message.trigger === 0
  return answers[kind] === message.instruction
}
