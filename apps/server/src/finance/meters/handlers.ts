import { defaultAgentId } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { meterEndpoints } from '@saddle/contract/finance/meters.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { MeterDeps } from './deps.ts'
import { insertPrice, presentPrice, selectPrices } from './store.ts'

/** The company that runs the platform sets prices and grants waivers. */
export const isPlatform = ({ caller }: Pick<SessionCall, 'caller'>): boolean => caller.agentId === defaultAgentId

/** What meters cost: everybody sees every version, the platform adds the next one. */
export function createMeterHandlers({ kit, audit }: MeterDeps): Handlers<typeof meterEndpoints> {
  const { db, clock } = kit
  return {
    meterPrices: async (_input, call) => {
      const rows = await db.read(call.scope, (k) => selectPrices({}).compile(k))
      return { suc: true, data: { list: rows.map(presentPrice), maySet: isPlatform(call) } }
    },

    setMeterPrice: async (input, call) => {
      if (!isPlatform(call)) throw new AppError('forbidden')
      const nowMs = clock.now()
      if (input.firstDay <= businessDayOf(nowMs)) throw new AppError('meter_price_too_early')
      const { caller } = call
      try {
        const data = await db.system(async (tx) => {
          const made = await insertPrice(tx, {
            ...input,
            at: new Date(nowMs),
            by: caller.name,
            byId: caller.operatorId,
          })
          await audit.act(tx, call, {
            agentId: caller.agentId,
            action: 'meter_price.set',
            subjectKind: 'meter_price',
            subjectId: made.id,
            after: { ...input, version: made.version },
          })
          return made
        })
        return { suc: true, data }
      } catch (error) {
        if (isTaken(error)) throw new AppError('conflict')
        throw error
      }
    },
  }
}
