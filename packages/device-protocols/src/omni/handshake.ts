import { omniResult, type OmniBody, type OmniCommandBody, type OmniMessage, type OmniOperation } from './messages.ts'

/**
 * Unlocking and locking take five frames: the platform asks for a key (R0), the device issues one (R0), the
 * platform uses it (L0 or L1), the device reports the result, the platform acknowledges it. Both sides are pure
 * state machines here: gateway and simulated device keep the state, send what comes out and own the clock.
 */

/** Longer than a device on a poor network needs; after it the command has failed. */
export const omniHandshakeTimeoutMs = 20_000

type Request = { operation: OmniOperation; userId: number; timestamp: number }

export type OmniPlatformState =
  | { phase: 'idle' }
  | { phase: 'awaiting_key'; request: Request; deadlineMs: number }
  | { phase: 'awaiting_result'; request: Request; deadlineMs: number }

export type OmniPlatformEvent =
  /** The device issued the key: it heard us, nothing has moved yet. */
  | { kind: 'key_received'; operation: OmniOperation }
  | { kind: 'done'; operation: OmniOperation; ridingTimeMin?: number }
  | { kind: 'refused'; operation: OmniOperation; reason: 'failed' | 'key_error' | 'riding' | 'other'; result: number }
  | { kind: 'expired'; operation: OmniOperation }
  /** A result that answers no pending request: late, repeated, or of a lock turned by hand. */
  | { kind: 'unasked_result'; operation: OmniOperation; result: number }
  /** A key that nobody asked for: somebody else talks to the device. It is never answered with L0. */
  | { kind: 'tamper' }

export type OmniPlatformStep = {
  state: OmniPlatformState
  send: OmniCommandBody[]
  event: OmniPlatformEvent | null
}

const idle: OmniPlatformState = { phase: 'idle' }

/** Begins an unlock (operation 0) or a lock (1). The key lives `keySeconds` at the device. */
export function beginOmniHandshake({
  operation,
  userId,
  timestamp,
  nowMs,
  keySeconds = 20,
  timeoutMs = omniHandshakeTimeoutMs,
}: Request & { nowMs: number; keySeconds?: number; timeoutMs?: number }): OmniPlatformStep {
  return {
    state: { phase: 'awaiting_key', request: { operation, userId, timestamp }, deadlineMs: nowMs + timeoutMs },
    send: [{ instruction: 'R0', operation, keySeconds, userId, timestamp }],
    event: null,
  }
}

/** Fails a handshake whose time is over. */
export function expireOmniHandshake(state: OmniPlatformState, nowMs: number): OmniPlatformStep {
  if (state.phase === 'idle' || nowMs < state.deadlineMs) return { state, send: [], event: null }
  return { state: idle, send: [], event: { kind: 'expired', operation: state.request.operation } }
}

/** Takes any message of the device; those that are not part of the handshake change nothing. */
export function stepOmniHandshake(state: OmniPlatformState, message: OmniMessage): OmniPlatformStep {
  if (message.instruction === 'R0') return takeKey(state, message)
  if (message.instruction === 'L0' || message.instruction === 'L1') return takeResult(state, message)
  return { state, send: [], event: null }
}

function takeKey(state: OmniPlatformState, answer: Extract<OmniMessage, { instruction: 'R0' }>): OmniPlatformStep {
  const asked = state.phase === 'awaiting_key' && sameRequest(state.request, answer)
  if (!asked) {
    // The answer to our own R0 may come twice when the network repeats it; that is no attack.
    const repeated = state.phase === 'awaiting_result' && sameRequest(state.request, answer)
    return { state, send: [], event: repeated ? null : { kind: 'tamper' } }
  }
  const { operation, userId, timestamp } = state.request
  const { key } = answer
  return {
    state: { phase: 'awaiting_result', request: state.request, deadlineMs: state.deadlineMs },
    send: [operation === 0 ? { instruction: 'L0', key, userId, timestamp } : { instruction: 'L1', key }],
    event: { kind: 'key_received', operation },
  }
}

const sameRequest = (request: Request, answer: Request) =>
  request.operation === answer.operation && request.userId === answer.userId && request.timestamp === answer.timestamp

const refusals: Record<number, 'failed' | 'key_error' | 'riding'> = {
  [omniResult.failed]: 'failed',
  [omniResult.keyError]: 'key_error',
  [omniResult.riding]: 'riding',
}

function takeResult(
  state: OmniPlatformState,
  message: Extract<OmniMessage, { instruction: 'L0' | 'L1' }>,
): OmniPlatformStep {
  const operation: OmniOperation = message.instruction === 'L0' ? 0 : 1
  // Every result is acknowledged, asked for or not: the device repeats it until then.
  const send: OmniCommandBody[] = [{ instruction: 'ack', of: message.instruction }]
  const { result, userId, timestamp } = message
  const echoed = (own: Request) =>
    (userId === undefined || userId === own.userId) && (timestamp === undefined || timestamp === own.timestamp)
  const expected = state.phase === 'awaiting_result' && state.request.operation === operation && echoed(state.request)
  if (!expected) return { state, send, event: { kind: 'unasked_result', operation, result } }
  if (result !== omniResult.success) {
    const reason = refusals[result] ?? 'other'
    return { state: idle, send, event: { kind: 'refused', operation, reason, result } }
  }
  const ridingTimeMin = message.instruction === 'L1' ? message.ridingTimeMin : undefined
  return {
    state: idle,
    send,
    event: { kind: 'done', operation, ...(ridingTimeMin === undefined ? {} : { ridingTimeMin }) },
  }
}

/** A device repeats its result at most so often, then lets the next heartbeat tell it. */
export const omniResultRepeats = 3
export const omniResultRepeatMs = 5_000

type IssuedKey = { request: Request; key: number; expiresAtMs: number }
type OpenResult = { body: Extract<OmniBody, { instruction: 'L0' | 'L1' }>; repeatAtMs: number; repeatsLeft: number }

export type OmniDeviceLockState = { issued: IssuedKey | null; openResult: OpenResult | null }

export type OmniDeviceLockStep = {
  state: OmniDeviceLockState
  send: OmniBody[]
  /** What the lock must do now; null when it stays as it is. */
  action: 'unlock' | 'lock' | null
}

export const omniDeviceLockAtRest: OmniDeviceLockState = { issued: null, openResult: null }

export type OmniDeviceSituation = {
  nowMs: number
  /** A fresh key for R0, 0 to 255, from the device's own randomness. */
  freshKey: number
  speedKmh: number
  ridingTimeMin: number
  /** False when the bolt is stuck: the result is then 1. */
  lockWorks: boolean
}

/** At this speed and above the lock refuses to close. */
export const omniRidingSpeedKmh = 1

/** The device's side: takes a command of the platform; those that are not part of the handshake change nothing. */
export function stepOmniDeviceLock(
  state: OmniDeviceLockState,
  command: OmniCommandBody,
  situation: OmniDeviceSituation,
): OmniDeviceLockStep {
  if (command.instruction === 'R0') {
    const { operation, userId, timestamp, keySeconds } = command
    const request = { operation, userId, timestamp }
    const issued = { request, key: situation.freshKey, expiresAtMs: situation.nowMs + keySeconds * 1000 }
    return { state: { ...state, issued }, send: [{ instruction: 'R0', ...request, key: issued.key }], action: null }
  }
  if (command.instruction === 'L0' || command.instruction === 'L1') return turnLock(state, command, situation)
  const settled = command.instruction === 'ack' && command.of === state.openResult?.body.instruction
  return { state: settled ? { ...state, openResult: null } : state, send: [], action: null }
}

function turnLock(
  state: OmniDeviceLockState,
  command: Extract<OmniCommandBody, { instruction: 'L0' | 'L1' }>,
  situation: OmniDeviceSituation,
): OmniDeviceLockStep {
  const { nowMs, speedKmh, lockWorks, ridingTimeMin } = situation
  const { issued } = state
  const operation = command.instruction === 'L0' ? 0 : 1
  const keyFits =
    issued !== null &&
    issued.key === command.key &&
    issued.request.operation === operation &&
    nowMs <= issued.expiresAtMs
  const result = !keyFits
    ? omniResult.keyError
    : operation === 1 && speedKmh >= omniRidingSpeedKmh
      ? omniResult.riding
      : lockWorks
        ? omniResult.success
        : omniResult.failed
  // A wrong key has no request to name; the device then echoes what the command said.
  const userId = issued?.request.userId ?? (command.instruction === 'L0' ? command.userId : 0)
  const timestamp = issued?.request.timestamp ?? (command.instruction === 'L0' ? command.timestamp : 0)
  const body =
    command.instruction === 'L0'
      ? ({ instruction: 'L0', result, userId, timestamp } as const)
      : ({ instruction: 'L1', result, userId, timestamp, ridingTimeMin } as const)
  const openResult = { body, repeatAtMs: nowMs + omniResultRepeatMs, repeatsLeft: omniResultRepeats }
  const action = result !== omniResult.success ? null : operation === 0 ? 'unlock' : 'lock'
  // A key is good for one use, right or wrong.
  return { state: { issued: null, openResult }, send: [body], action }
}

/** Repeats a result that the platform has not acknowledged. */
export function tickOmniDeviceLock(state: OmniDeviceLockState, nowMs: number): OmniDeviceLockStep {
  const open = state.openResult
  if (open === null || nowMs < open.repeatAtMs) return { state, send: [], action: null }
  if (open.repeatsLeft === 0) return { state: { ...state, openResult: null }, send: [], action: null }
  const openResult = { ...open, repeatAtMs: nowMs + omniResultRepeatMs, repeatsLeft: open.repeatsLeft - 1 }
  return { state: { ...state, openResult }, send: [open.body], action: null }
}
