import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'
import { partnerCalls, partnerPath, type PartnerCall } from '@saddle/contract/partners/api.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { addressBucket } from '#kit/address.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'
import type { Partners } from '#partners/public.ts'
import { faultsIn, languageOf } from './language.ts'
import { partnerApiDocument } from './partnerDocument.ts'
import { inputError } from './refusal.ts'

/** Wrong keys that one network may show a minute. */
const wrongKeysPerMinute = 30
const networksRemembered = 20_000

interface Deps {
  readonly http: FastifyInstance
  readonly kit: Kit
  readonly partners: Pick<Partners, 'access' | 'answers'>
}

/** The calls of partners' programs: plain JSON, by a key, each within the rows of the key's company. */
export function registerPartnerApi({ http, kit, partners }: Deps): void {
  const { clock } = kit
  const wrong = createLimiter({ limit: wrongKeysPerMinute, windowMs: minuteMs, maxKeys: networksRemembered, clock })
  /** Names of the company's rows and what they are good for never stand in an answer to a wrong key. */
  const enter = async (request: FastifyRequest, { scope }: PartnerCall): Promise<Scope> => {
    try {
      return await partners.access.enter(keyIn(request), scope)
    } catch (error) {
      const isUnauthorised = error instanceof AppError && error.code === 'unauthorized'
      if (isUnauthorised && !wrong.take(addressBucket(request.ip)).allowed) throw new AppError('too_many_requests')
      throw error
    }
  }
  for (const [name, call] of Object.entries(partnerCalls) as [keyof typeof partnerCalls, PartnerCall][]) {
    const answer = partners.answers[name] as (input: unknown, scope: Scope) => Promise<unknown>
    http.get(call.path, { exposeHeadRoute: false }, async (request, reply) => {
      reply.header('cache-control', 'no-store').header('vary', 'Authorization')
      const scope = await enter(request, call)
      const language = languageOf(request.headers['accept-language'])
      const parsed = z.safeParse(call.input, request.query, faultsIn(language))
      if (!parsed.success) throw inputError(parsed.error)
      return z.parse(call.output, await answer(parsed.data, scope))
    })
  }
  let document: string | null = null
  http.get(`${partnerPath}/openapi.json`, (_request, reply) => {
    document ??= JSON.stringify(partnerApiDocument())
    return reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(document)
  })
}

function keyIn({ headers }: FastifyRequest): string | undefined {
  return /^Bearer ([\w-]{1,100})$/.exec(headers.authorization ?? '')?.[1]
}
