import type { FastifyInstance } from 'fastify'
import { sandboxMoodSchema, type Finance } from '#finance/public.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { isFromThisMachine } from './transport.ts'

// A channel's message is a few kilobytes.
const MAX_BODY_BYTES = 65_536
const orderNumber = /^[\w-]{1,64}$/

/**
 * Where payment channels tell what was paid: no session and no envelope, but a signature over the bytes as they came,
 * which is why nothing parses them before. In demo mode a program on this machine can also pay in the sandbox, and say how
 * well the sandbox works from now on.
 */
export function registerPaymentCallBacks({
  http,
  finance,
}: {
  http: FastifyInstance
  finance: Pick<Finance, 'payments' | 'sandbox'>
}): void {
  const { payments, sandbox } = finance
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post<{ Params: { channel: string } }>('/pay/callback/:channel', async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join() : value]),
      )
      const answer = await payments.take(request.params.channel, { headers, body })
      return reply.status(answer.status).type(answer.contentType).send(answer.body)
    })
    if (sandbox === null) return
    scope.post<{ Params: { number: string } }>('/pay/sandbox/:number', async (request, reply) => {
      if (!isFromThisMachine(request.raw)) throw new AppError('not_found')
      // What is none of ours is not looked for.
      if (!orderNumber.test(request.params.number)) throw new AppError('not_found')
      await sandbox.pay(request.params.number)
      return reply.status(204).send()
    })
    scope.put('/pay/sandbox', async (request, reply) => {
      if (!isFromThisMachine(request.raw)) throw new AppError('not_found')
      sandbox.setMood(readMood(request.body))
      return reply.status(204).send()
    })
  })
}

function readMood(body: unknown): ReturnType<typeof sandboxMoodSchema.parse> {
  try {
    return sandboxMoodSchema.parse(JSON.parse(String(body)))
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'mood' }, cause })
  }
}
