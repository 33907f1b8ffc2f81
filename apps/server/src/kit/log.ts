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

/** Structured log, one JSON object a line on standard output; phones, codes, keys, cookies and params are redacted. */
export function createLog(options: { level: LogLevel; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths(), censor: '[redacted]' },
    // The query string may carry `params` or a quick-login origin, so only the path of an address is kept.
    serializers: { err: pino.stdSerializers.err, url: (url: unknown) => String(url).split('?')[0] },
  }
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination)
}

/** A log that says nothing, for tests and tools. */
export const silentLog: Log = pino({ level: 'silent' })
