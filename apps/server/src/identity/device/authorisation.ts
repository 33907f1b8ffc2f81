import { AppError } from '@saddle/contract/errors.ts'
import type { Log } from '#kit/log.ts'

export interface DeviceQuestion {
  readonly operator: { readonly id: number; readonly agentId: number }
  /** Hash of the device cookie; null for a browser that has none. */
  readonly deviceHash: string | null
}

/** Whether a tenant lets an operator log in with a browser. A rejection means that the question could not be answered. */
export interface DeviceAuthorisation {
  isAuthorised(question: DeviceQuestion): Promise<boolean>
}

/** No tenant asks for approval. */
export const allowEveryDevice: DeviceAuthorisation = { isAuthorised: async () => true }

/** Throws `device_unauthorised` on a no, and `device_check_failed` when there is no answer: no answer is no login. */
export async function assertDevice(options: {
  authorisation: DeviceAuthorisation
  question: DeviceQuestion
  log: Log
}): Promise<void> {
  const { authorisation, question, log } = options
  let isAuthorised: boolean
  try {
    isAuthorised = await authorisation.isAuthorised(question)
  } catch (err) {
    log.error({ err, operatorId: question.operator.id }, 'device authorisation gave no answer')
    throw new AppError('device_check_failed', { cause: err })
  }
  if (!isAuthorised) throw new AppError('device_unauthorised')
}
