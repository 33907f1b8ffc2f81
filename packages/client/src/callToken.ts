import { callTokenLifetimeMs } from '@saddle/contract/constants.ts'
import { toBase64Url } from '@saddle/contract/wire/bytes.ts'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import type { Identity, Selection, Sender } from './client.ts'

interface TokenOptions {
  readonly identity: Identity
  readonly sender: Sender
  readonly selection: Selection
  /** By the server's clock. */
  readonly nowMs: number
  readonly callId: string
  readonly method: string
  readonly path: string
  readonly bodyHash: string
  readonly idempotencyKey?: string | undefined
}

/** The claims of one call's token. */
export function callTokenOf(options: TokenOptions): CallToken {
  const { identity, sender, selection, idempotencyKey } = options
  const { agentIds, opAreaIds, opAreaIdsBigScreen } = selection
  const issuedAt = Math.floor(options.nowMs / 1000)
  return {
    ...(agentIds && { agentIds: [...agentIds] }),
    ...(opAreaIds && { opAreaIds: [...opAreaIds] }),
    ...(opAreaIdsBigScreen && { opAreaIdsBigScreen: [...opAreaIdsBigScreen] }),
    userId: identity.objectId,
    phone: identity.phone,
    agentId: identity.agentId,
    build: sender.build,
    devId: sender.devId,
    package: sender.package,
    iat: issuedAt,
    exp: issuedAt + callTokenLifetimeMs / 1000,
    jti: options.callId,
    htm: options.method,
    htu: options.path,
    bodyHash: options.bodyHash,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}

/** So many random bytes as text. */
export const randomText = (bytes: number): string => toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)))

/** A fresh id of one call: 128 random bits. */
export const newCallId = (): string => randomText(16)
