import { generateKeyPairSync } from 'node:crypto'
import type { Clock } from '#kit/clock.ts'
import type { Random } from '#kit/random.ts'
import type { Send } from '#finance/payments/channel.ts'
import type { BankAnswer } from '../adapter.ts'
import { openEnvelope, sealEnvelope, type EnvelopeKeys } from '../envelope.ts'
import { BankRefusal, bankServices, type BankNotice, type BankService } from '../provider.ts'
import { LostError, type SandboxBank } from './bank.ts'

export const sandboxMember = 'saddle-sandbox'

export type SandboxKeys = { readonly platform: () => EnvelopeKeys; readonly bank: () => EnvelopeKeys }

/** The keys of both sides, made when they are first needed. */
export function createSandboxKeys(): SandboxKeys {
  let made: { platform: EnvelopeKeys; bank: EnvelopeKeys } | null = null
  const keys = () => {
    if (made !== null) return made
    const pair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const [ours, theirs] = [pair(), pair()]
    made = {
      platform: { own: ours.privateKey, other: theirs.publicKey },
      bank: { own: theirs.privateKey, other: ours.publicKey },
    }
    return made
  }
  return { platform: () => keys().platform, bank: () => keys().bank }
}

export type SandboxServer = {
  readonly memberId: string
  /** One request of a member, as the bytes came; 400 for one that is not a member's, 504 for one that got lost. */
  serve(service: string, body: string): { readonly status: number; readonly body: string }
  /** Sends what is due to the platform; a notice that is not taken is not sent again: the platform asks. */
  sendNotices(): Promise<number>
}

const isService = (name: string): name is BankService => Object.hasOwn(bankServices, name)

/** The bank's side of the line: opens requests, seals answers and notices. */
export function createSandboxServer(options: {
  readonly clock: Clock
  readonly random: Random
  readonly bank: SandboxBank
  readonly keys: () => EnvelopeKeys
  readonly deliver: (body: string) => Promise<boolean>
}): SandboxServer {
  const { clock, random, bank, keys, deliver } = options
  const answerTo = (service: BankService, content: unknown): BankAnswer => {
    try {
      return { isTaken: true, data: bank.serve(service, content) }
    } catch (error) {
      if (!(error instanceof BankRefusal)) throw error
      return { isTaken: false, code: error.code, message: error.message }
    }
  }
  const seal = (service: string, content: unknown, nonce?: string): string =>
    sealEnvelope({
      keys: keys(),
      random,
      clock,
      memberId: sandboxMember,
      service,
      content,
      ...(nonce !== undefined && { nonce }),
    })
  const sendNotice = async (notice: BankNotice): Promise<void> => {
    await deliver(seal('notice', notice)).catch(() => false)
  }
  return {
    memberId: sandboxMember,
    serve: (service, body) => {
      try {
        const opened = openEnvelope({ keys: keys(), clock, body })
        if (opened.service !== service || opened.memberId !== sandboxMember || !isService(service)) {
          return { status: 400, body: '' }
        }
        return { status: 200, body: seal(service, answerTo(service, opened.content), opened.nonce) }
      } catch (error) {
        return { status: error instanceof LostError ? 504 : 400, body: '' }
      }
    },
    sendNotices: async () => {
      const due = bank.work()
      for (const notice of due) await sendNotice(notice)
      return due.length
    },
  }
}

/** The line to a sandbox of this process, for tests: what is sent is what would be sent over HTTP. */
export const sendInside =
  (server: SandboxServer): Send =>
  async ({ url, body }) => ({ ...server.serve(url.split('/').at(-1) ?? '', body), headers: {} })
