import { z } from 'zod'
import type { Clock } from '#kit/clock.ts'
import type { Random } from '#kit/random.ts'
import type { Send } from '../payments/channel.ts'
import { EnvelopeError, openEnvelope, sealEnvelope, type EnvelopeKeys } from './envelope.ts'
import { BankRefusal, bankServices, noticeSchema, type Bank, type BankService } from './provider.ts'

export type AdapterOptions = {
  readonly clock: Clock
  readonly random: Random
  readonly send: Send
  /** What the bank calls us. */
  readonly memberId: string
  /** Where its services are; the name of the service is added. */
  readonly url: () => string
  readonly keys: () => EnvelopeKeys
}

const answerSchema = z.discriminatedUnion('isTaken', [
  z.object({ isTaken: z.literal(true), data: z.unknown() }),
  z.object({ isTaken: z.literal(false), code: z.string().max(40), message: z.string().max(200) }),
])
export type BankAnswer = z.input<typeof answerSchema>

/** Speaks with a bank over HTTP: requests are signed and encrypted, answers and notices verified. */
export function createBankAdapter(options: AdapterOptions): Bank {
  const { clock, random, send, memberId } = options

  const exchange = async (service: BankService, input: unknown): Promise<unknown> => {
    const keys = options.keys()
    const nonce = Buffer.from(random.bytes(16)).toString('hex')
    const body = sealEnvelope({ keys, random, clock, memberId, service, nonce, content: input })
    const url = `${options.url()}/${service}`
    const answer = await send({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body })
    if (answer.status !== 200) throw new Error(`the bank answered ${service} with ${answer.status}`)
    const opened = openEnvelope({ keys, clock, body: answer.body })
    // An answer to another request, also a true one of before, is none to this.
    if (opened.nonce !== nonce || opened.service !== service || opened.memberId !== memberId) {
      throw new EnvelopeError(`the answer is none to this ${service}`)
    }
    const told = answerSchema.parse(opened.content)
    if (!told.isTaken) throw new BankRefusal(told.code, told.message)
    return told.data
  }

  return {
    ask: async (service, input) => {
      const { input: takes, output } = bankServices[service]
      // The table has both of one service.
      return output.parse(await exchange(service, takes.parse(input))) as never
    },
    read: (body) => {
      const opened = openEnvelope({ keys: options.keys(), clock, body: body.toString('utf8') })
      if (opened.service !== 'notice' || opened.memberId !== memberId) throw new EnvelopeError('no notice for us')
      const parsed = noticeSchema.safeParse(opened.content)
      if (!parsed.success) throw new EnvelopeError('the content of the notice has another form')
      return parsed.data
    },
  }
}
