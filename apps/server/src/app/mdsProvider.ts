import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  mdsAcceptedVersion,
  mdsCsv,
  mdsJson,
  mdsMediaType,
  mdsPath,
  mdsReportMediaType,
  mdsTokenPath,
} from '@saddle/contract/feeds/mdsRecords.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Feeds, MdsAnswer, MdsReader } from '#feeds/public.ts'
import { addressBucket } from '#kit/address.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'
import { asAppError } from './refusal.ts'

/** Wrong credentials and tokens that one network may show a minute. */
const wrongPerMinute = 30
const networksRemembered = 20_000
const formBytesMax = 4_096

interface Deps {
  readonly http: FastifyInstance
  readonly kit: Kit
  readonly mds: Feeds['mds']
}

/** An answer in the form of MDS that is not the records asked for. */
class MdsRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: readonly string[]
  constructor(status: number, code: string, description: string, details: readonly string[] = []) {
    super(description)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** MDS 2.0 for cities: a token for credentials, and the records that it reads. */
export function registerMds({ http, kit, mds }: Deps): void {
  const wrong = createLimiter({
    limit: wrongPerMinute,
    windowMs: minuteMs,
    maxKeys: networksRemembered,
    clock: kit.clock,
  })
  const refusedCaller = ({ ip }: FastifyRequest, code: string, description: string): MdsRefusal =>
    wrong.take(addressBucket(ip)).allowed
      ? new MdsRefusal(401, code, description)
      : new MdsRefusal(429, 'too_many_requests', 'Too many wrong credentials: try again in a minute.')
  void http.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => refuse(kit, error, reply))
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytesMax },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.post(mdsTokenPath, { bodyLimit: formBytesMax }, async (request, reply) => {
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      if (form.get('grant_type') !== 'client_credentials')
        throw new MdsRefusal(400, 'unsupported_grant_type', 'grant_type must be client_credentials.')
      const { id, secret } = credentialsOf(request, form)
      const made = await mds.access.token(id, secret)
      if (made === null) {
        reply.header('www-authenticate', 'Basic realm="mds"')
        throw refusedCaller(request, 'invalid_client', 'Unknown or ended credentials.')
      }
      return { access_token: made.token, token_type: 'Bearer', expires_in: made.seconds }
    })
    registerRecords({ scope, mds, refusedCaller })
  })
}

function credentialsOf(request: FastifyRequest, form: URLSearchParams): { id: string; secret: string } {
  const basic = /^Basic ([\w+/=-]{1,400})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic === undefined) return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return { id, secret }
}

interface Records {
  readonly scope: FastifyInstance
  readonly mds: Feeds['mds']
  readonly refusedCaller: (request: FastifyRequest, code: string, description: string) => MdsRefusal
}

type Query = Readonly<Record<string, string>>

function registerRecords({ scope, mds, refusedCaller }: Records): void {
  const enter = async (request: FastifyRequest, reply: FastifyReply, mediaType: string): Promise<MdsReader> => {
    reply.header('cache-control', 'no-store').header('vary', 'Accept, Authorization')
    if (!isAccepted(request.headers.accept, mediaType))
      throw new MdsRefusal(406, 'not_acceptable', `Accept must name ${mediaType};version=${mdsAcceptedVersion}.`, [
        mdsAcceptedVersion,
      ])
    const token = /^Bearer ([\w.-]{1,2000})$/i.exec(request.headers.authorization ?? '')?.[1]
    const found = token === undefined ? 'refused' : await mds.access.enter(token)
    if (found === 'too_many') throw new MdsRefusal(429, 'too_many_requests', 'Too many calls: try again in a minute.')
    if (found === 'refused') {
      reply.header('www-authenticate', 'Bearer realm="mds"')
      throw refusedCaller(
        request,
        'invalid_token',
        'A token is missing, wrong, too old, or its credentials have ended.',
      )
    }
    return found
  }
  const get = (path: string, answer: (reader: MdsReader, query: Query, id?: string) => Promise<MdsAnswer>): void => {
    const handle = async (request: FastifyRequest<{ Params: { id?: string } }>, reply: FastifyReply) => {
      const reader = await enter(request, reply, mdsMediaType)
      const { id } = request.params
      if (id !== undefined && !isUuid(id)) throw new MdsRefusal(400, 'bad_param', 'The id is no UUID.', ['id'])
      return send(reply, await answer(reader, queryOf(request), id))
    }
    scope.get(`${mdsPath}${path}`, { exposeHeadRoute: false }, handle)
    scope.options(`${mdsPath}${path}`, (request, reply) => negotiate(request, reply))
  }
  const { provider } = mds
  get('/vehicles', (reader, query) => provider.vehicles(reader, query))
  get('/vehicles/:id', (reader, query, id) => provider.vehicles(reader, query, id))
  get('/vehicles/status', (reader, query) => provider.vehiclesStatus(reader, query))
  get('/vehicles/status/:id', (reader, query, id) => provider.vehiclesStatus(reader, query, id))
  get('/trips', (reader, query) => provider.trips(reader, query))
  get('/events/historical', (reader, query) => provider.eventsHistorical(reader, query))
  get('/events/recent', (reader, query) => provider.eventsRecent(reader, query))
  get('/stops', (reader) => provider.stops(reader))
  get('/stops/:id', (reader, _query, id) => provider.stops(reader, id))
  scope.get(`${mdsPath}/telemetry`, { exposeHeadRoute: false }, async (request, reply) => {
    const reader = await enter(request, reply, mdsMediaType)
    const answer = await provider.telemetry(reader, queryOf(request)['telemetry_time'] ?? '')
    if (answer.status !== 200) return send(reply, answer)
    return reply.type(mdsJson).send(Readable.from(answer.pieces, { objectMode: false }))
  })
  scope.get<{ Params: { file: string } }>(
    `${mdsPath}/reports/:file`,
    { exposeHeadRoute: false },
    async (request, reply) => {
      const reader = await enter(request, reply, mdsReportMediaType)
      const month = /^(.{7})\.csv$/.exec(request.params.file)?.[1]
      const report = month === undefined ? null : await provider.monthReport(reader, month)
      if (report === null) throw notFound()
      return reply.type(mdsCsv).send(report)
    },
  )
}

const notFound = (): MdsRefusal => new MdsRefusal(404, 'not_found', 'There are no records of this name or time.')

const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** The query of a call; of a name that stands twice the first. */
function queryOf({ url }: FastifyRequest): Query {
  const found: Record<string, string> = {}
  for (const [name, value] of new URL(url, 'http://mds').searchParams) found[name] ??= value
  return found
}

function send(reply: FastifyReply, answer: MdsAnswer): FastifyReply {
  // As bytes: of a text the framework would write the type anew, with a charset that the standard does not name.
  if (answer.status === 200) return reply.type(mdsJson).send(Buffer.from(JSON.stringify(answer.body)))
  if (answer.status === 404) throw notFound()
  if (answer.status === 400) throw new MdsRefusal(400, 'bad_param', 'A parameter is missing or wrong.', answer.details)
  return reply.status(202).header('retry-after', '60').type(mdsJson).send(Buffer.from('{}'))
}

/** Whether the client takes the version that is answered: by its name, as the standard demands; a wildcard names none. */
function isAccepted(accept: string | undefined, mediaType: string): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase().replaceAll('"', ''))
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
    return type === mediaType && parameters.includes(`version=${mdsAcceptedVersion}`) && !isRefused
  })
}

/** Answers which version a client would get. */
function negotiate(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!isAccepted(request.headers.accept, mdsMediaType))
    throw new MdsRefusal(406, 'not_acceptable', `The only version is ${mdsAcceptedVersion}.`, [mdsAcceptedVersion])
  return reply.status(200).type(mdsJson).header('allow', 'GET, OPTIONS').send(Buffer.alloc(0))
}

function refuse(kit: Kit, error: unknown, reply: FastifyReply): FastifyReply {
  const known = error instanceof MdsRefusal ? error : ofPlatform(error)
  if (known.status >= 500) kit.log.error({ err: error }, 'an answer to MDS failed')
  const isVersion = known.status === 406
  return reply
    .status(known.status)
    .type(isVersion ? 'application/json; charset=utf-8' : mdsJson)
    .send(
      Buffer.from(
        JSON.stringify({
          error: known.code,
          error_description: known.message,
          error_details: known.details,
          ...(isVersion && { supported_versions: [mdsAcceptedVersion] }),
        }),
      ),
    )
}

function ofPlatform(error: unknown): MdsRefusal {
  const { status, code } = asAppError(error)
  return new MdsRefusal(status, code, 'The request could not be answered.')
}
