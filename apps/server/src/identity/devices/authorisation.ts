import { AppError } from '@saddle/contract/errors.ts'
import type { Database } from '#kit/db/pool.ts'
import type { Log } from '#kit/log.ts'

export interface DeviceCheck {
  readonly operator: { readonly id: number; readonly agentId: number }
  /** Hash of the device cookie; null for a browser that has none. */
  readonly deviceHash: string | null
}

/** Whether a tenant allows an operator to log in with a browser. Rejects when the check could not be made. */
export interface DeviceAuthorisation {
  isAuthorised(check: DeviceCheck): Promise<boolean>
}

/** The policy of the operator's company: any browser, or only those that an administrator has approved. */
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

/** Throws `device_unauthorised` when not allowed, and `device_check_failed` when the check failed: without an answer there is no login. */
export async function assertDevice(options: {
  authorisation: DeviceAuthorisation
  check: DeviceCheck
  log: Log
}): Promise<void> {
  const { authorisation, check, log } = options
  let isAuthorised: boolean
  try {
    isAuthorised = await authorisation.isAuthorised(check)
  } catch (err) {
    log.error({ err, operatorId: check.operator.id }, 'device authorisation could not be checked')
    throw new AppError('device_check_failed', { cause: err })
  }
  if (!isAuthorised) throw new AppError('device_unauthorised')
}
