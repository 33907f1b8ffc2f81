import type { Language } from '@saddle/contract/constants.ts'
import type { ErrorAnswer } from '@saddle/contract/errorAnswer.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { TokenError } from '@saddle/contract/wire/token.ts'
import { EnvelopeError } from '@saddle/contract/wire/envelope.ts'
import type { z } from 'zod'
import { refusalText } from './language.ts'
import { isDatabaseAway } from '#kit/db/pgErrors.ts'

/**
 * Any failure as a coded refusal. Forged tokens and envelopes tell the caller nothing of why;
 * only a wrong clock does, with the server's time, so that an honest client can sign again.
 */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof TokenError) return new AppError(error.fault === 'clock' ? 'clock_skew' : 'unauthorized')
  if (error instanceof EnvelopeError) return new AppError('unauthorized')
  if (isDatabaseAway(error)) return new AppError('unavailable', { cause: error })
  const status = callersFault(error)
  if (status === 413) return new AppError('payload_too_large')
  // A file that may not be read is as one that is not there.
  if (status === 404 || status === 403) return new AppError('not_found')
  if (status !== null) return new AppError('bad_request', { values: { detail: '格式不正确' } })
  return new AppError('server_error', { cause: error })
}

export function refusalBody(error: AppError, nowMs: number, language: Language = 'zh'): ErrorAnswer {
  const base = { code: error.code, promot: refusalText(error, language) }
  return { suc: false, error: error.code === 'clock_skew' ? { ...base, serverTime: nowMs } : base }
}

/** The first fault of an input: a catalogue code given in the schema speaks for itself, others name the field. */
export function inputError(fault: z.ZodError): AppError {
  const [issue] = fault.issues
  const message = issue?.message ?? ''
  if (isPhoneOrCodeFault(message)) return new AppError(message)
  const field = issue?.path.join('.') ?? ''
  return new AppError('bad_request', { values: { detail: field === '' ? message : `${field} ${message}` } })
}

function isPhoneOrCodeFault(message: string): message is 'phone_format' | 'code_invalid' {
  return message === 'phone_format' || message === 'code_invalid'
}

/** The status that Fastify gives what is the caller's fault; null where it is not. */
function callersFault(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null
  const { statusCode } = error
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : null
}
