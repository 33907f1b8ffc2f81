import { applicationStateSchema, type agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { addressBucket } from '#kit/address.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'
import { checkPlatform } from '#organisation/agents/platform.ts'
import { applicationRate } from './rules.ts'
import { findApplications } from './store.ts'
import { contactPurpose, phonePurpose, submitApplication } from './submit.ts'

type ApplicationHandlers = Pick<Handlers<typeof agentEndpoints>, 'applyToJoin' | 'listApplications'>

export function createApplicationHandlers(kit: Kit): ApplicationHandlers {
  const { db, clock, secrets } = kit
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

    listApplications: async (input, call) => {
      await checkPlatform(db, call)
      const { rows, count, waiting } = await findApplications({ db, state: input.state, ...input })
      const list = rows.map((row) => ({
        applicationNumber: row.number,
        company: row.company,
        contact: secrets.decryptText({ purpose: contactPurpose, sealed: row.contact_sealed, context: row.number }),
        phone: secrets.decryptText({ purpose: phonePurpose, sealed: row.phone_sealed, context: row.number }),
        city: row.city,
        plannedVehicles: row.planned_vehicles,
        remark: row.remark,
        state: applicationStateSchema.parse(row.state),
        createdAt: row.created_at.getTime(),
        decidedBy: row.decided_by,
        decidedAt: row.decided_at?.getTime() ?? null,
        refusal: row.refusal,
        agentId: row.opened_agent_id,
      }))
      return { suc: true, data: { list, count, waiting } }
    },
  }
}
