import type { applicationEndpoints } from '@saddle/contract/organisation/applications.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { addressBucket } from '#kit/address.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'
import { applicationRate } from './rules.ts'
import { submitApplication } from './submit.ts'

type ApplicationHandlers = Pick<Handlers<typeof applicationEndpoints>, 'applyToJoin'>

export function createApplicationHandlers(kit: Kit): ApplicationHandlers {
  const { clock } = kit
  const perAddress = createLimiter({
    limit: applicationRate.perAddressPerHour,
    windowMs: hourMs,
    maxKeys: applicationRate.maxAddresses,
    clock,
  })
  const inAll = createLimiter({ limit: applicationRate.totalPerHour, windowMs: hourMs, maxKeys: 1, clock })

  return {
    applyToJoin: async (input, { address }) => {
      if (!perAddress.take(addressBucket(address)).allowed || !inAll.take('all').allowed)
        throw new AppError('too_many_requests')
      const number = await submitApplication(kit, input)
      return { suc: true, data: { applicationNumber: number } }
    },
  }
}
