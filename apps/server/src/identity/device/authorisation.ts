import { AppError } from '@saddle/contract/errors.ts'
import type { Database } from '#kit/db/pool.ts'
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

/** As the operator's company has set it: any browser, or only those that an administrator has approved. */
export function createDeviceAuthorisation(db: Database): DeviceAuthorisation {
  return {
    isAuthorised: async ({ operator, deviceHash }) => {
      const [row] = await db.systemRead((kysely) =>
        kysely
          .selectFrom('agent')
          .leftJoin('operator_device', (join) =>
            join
              .on('operator_device.operator_id', '=', operator.id)
              .on('operator_device.device_hash', '=', deviceHash ?? ''),
          )
          .select(['agent.device_policy', 'operator_device.approved'])
          .where('agent.id', '=', operator.agentId)
          .compile(),
      )
      return row?.device_policy === 'open' || row?.approved === true
    },
  }
}

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
