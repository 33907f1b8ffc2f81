import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

// Words that never reach a log, at the top of a line and inside the objects that callers usually log.
const SECRET_KEYS = [
  'phone',
  'mobile',
  'mobilePhoneNumber',
  'code',
  'smsCode',
  'password',
  'secret',
  'key',
  'aesKey',
  'signKey',
  'token',
  'ticket',
  'params',
  'authorization',
  'cookie',
  '"set-cookie"',
  '"x-csrf-token"',
]

function redactedPaths(): string[] {
  const at = (prefix: string, key: string): string => (key.startsWith('"') ? `${prefix}[${key}]` : `${prefix}.${key}`)
  return SECRET_KEYS.flatMap((key) => [
    key.startsWith('"') ? `[${key}]` : key,
    at('*', key),
    at('*.headers', key),
    at('*.*', key),
  ])
}

/** What went wrong in the database or a socket, as `23505` or `ECONNRESET`; a code by SMS has six digits. */
const faultCode = /^(?:[\dA-Z]{5}|[A-Z][A-Z_]{4,40})$/

/** An error as it is logged; its code stands under a name that is not redacted. */
function serializedError(error: Error): object {
  const told = pino.stdSerializers.err(error)
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' && faultCode.test(code) ? { ...told, state: code } : told
}

/** Structured log, one JSON object a line on standard output; phones, codes, keys, cookies and params are redacted. */
export function createLog(options: { level: LogLevel; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths(), censor: '[redacted]' },
    // The query string may carry `params` or a quick-login origin, so only the path of an address is kept.
    serializers: { err: serializedError, url: (url: unknown) => String(url).split('?')[0] },
  }
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination)
}

/** A log without output, for tests and tools. */
export const silentLog: Log = pino({ level: 'silent' })
