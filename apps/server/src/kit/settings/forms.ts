import { isIP } from 'node:net'
import { z } from 'zod'

/** What one process can run: the whole server, or the finance host beside it. */
export const SERVICES = ['api', 'gateway', 'worker', 'finance'] as const
export type Service = (typeof SERVICES)[number]
/** Services of the server. Its `api` answers the calls of every host, those of finance too. */
export const SERVER_SERVICES = ['api', 'gateway', 'worker'] as const satisfies readonly Service[]

/** One environment variable: what it does, its form, and its default (null: none). */
export type Variable<S extends z.ZodType> = {
  name: string
  about: string
  schema: S
  fallback: string | null
  secret: boolean
}

type Declaration<S extends z.ZodType> = { name: string; about: string; schema: S; fallback?: string; secret?: boolean }

export function variable<S extends z.ZodType>(declaration: Declaration<S>): Variable<S> {
  return { fallback: null, secret: false, ...declaration }
}

export const text = z.string().min(1).max(4_000)
export const optionalText = text.optional()
export const port = whole({ min: 0, max: 65_535 })
export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .transform((value) => value.replace(/\/+$/, ''))
export const host = z.union([z.literal('').transform(() => ''), webAddress])
export const tilesAddress = webAddress.refine(
  (address) => ['{z}', '{x}', '{y}'].every((part) => decodeURI(address).includes(part)),
  'must have {z}, {x} and {y} in it',
)
export const postgresAddress = z.url({ protocol: /^postgres(?:ql)?$/, error: 'must be a postgresql:// address' })
/** Addresses of NATS servers; any of them will do. */
export const natsServers = z.string().transform((value, context): URL[] => {
  const servers = value.split(',').map((part) => part.trim())
  const isWhole = servers.every((part) => /^(?:nats|tls):$/.test(URL.parse(part)?.protocol ?? ''))
  if (!isWhole) context.addIssue('must be nats:// or tls:// addresses separated by commas')
  return isWhole ? servers.map((part) => new URL(part)) : []
})
export const yesOrNo = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((value) => value === 'true')

export function whole(options: { min: number; max: number }): z.ZodType<number, string> {
  const { min, max } = options
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error)
}

export const trustProxy = z.string().transform((value, context): false | number | string[] => {
  if (value === 'false') return false
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const addresses = value.split(',').map((part) => part.trim())
  // `true` would believe whatever address the farthest client claims to have.
  if (!addresses.every(isNetwork))
    context.addIssue(
      'must be the number of proxies in front, or their addresses separated by commas (`true` is not taken)',
    )
  return addresses
})

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export const networks = z.string().transform((value, context): string[] => {
  const list = value.split(',').map((part) => part.trim())
  if (!list.every(isNetwork)) context.addIssue('must be addresses or CIDR networks separated by commas')
  return list
})

export const origins = z.string().transform((value, context): string[] => {
  const list = value.split(',').map((one) => one.trim())
  const found = list.filter((one) => one !== '')
  const isOrigin = (one: string): boolean =>
    /^https?:\/\//.test(one) && URL.canParse(one) && new URL(one).origin === one
  if (!found.every(isOrigin))
    context.addIssue('must be origins such as https://console.example.cn, separated by commas')
  return found
})

export const services = z.string().transform((value, context): Service[] => {
  const names = value.split(',').map((name) => name.trim())
  const known = SERVICES.filter((service) => names.includes(service))
  if (known.length !== names.length) context.addIssue(`must be some of ${SERVICES.join(',')}`)
  return known
})

/** `name:key` separated by commas; a key is 32 bytes in base64. */
export const artefactKeys = z.string().transform((value, context): { name: string; key: string }[] => {
  const pairs = value.split(',').filter((part) => part.trim() !== '')
  const keys = pairs.map((pair) => /^([\w.-]{1,40}):([A-Za-z0-9+/]{43}=)$/.exec(pair.trim()))
  if (keys.some((key) => key === null))
    context.addIssue('must be name:key with 32 bytes in base64, separated by commas')
  return keys.flatMap((key) => (key === null ? [] : [{ name: key[1] ?? '', key: key[2] ?? '' }]))
})
