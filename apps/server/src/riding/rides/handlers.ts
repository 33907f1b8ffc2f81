import { ownRidesMax, type rideEndpoints } from '@saddle/contract/riding/rides.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { feeOf } from '../charges/store.ts'
import { lineOf } from '../orders/present.ts'
import { selectLines } from '../orders/store.ts'
import { keepReturnPhotos } from '../returns/photos.ts'
import { openReview } from '../returns/store.ts'
import { createBeginHandlers } from './begin.ts'
import { versionAt } from './finish.ts'
import type { LifeParts } from './parts.ts'
import { checkOwn, findRide, findVehicle, presentRide, readRide, scopeOf } from './ride.ts'
import { createStepHandlers } from './steps.ts'
import { lockRide, selectOwnRides } from './store.ts'

/** The calls of riders' applications. */
export function createRiderHandlers(parts: LifeParts): Handlers<typeof rideEndpoints> {
  const { kit } = parts
  const now = (): Date => new Date(kit.clock.now())
  return {
    ...createBeginHandlers(parts),
    ...createStepHandlers(parts),

    readRide: async (asked, call) => {
      const row = await findRide(parts, asked.orderId)
      checkOwn(parts, call, asked, row)
      return { suc: true, data: await presentRide(parts, row) }
    },

    ownRides: async ({ phone }, call) => {
      const riderIds = await parts.riders.idsByPhone(scopeOfAgent(call.app.agentIds), phone)
      const rows = await kit.db.systemRead((k) => selectOwnRides({ riderIds, limit: ownRidesMax }).compile(k))
      return { suc: true, data: await Promise.all(rows.map((row) => presentRide(parts, row))) }
    },

    disputeRide: async ({ claim, photos: files = [], ...asked }, call) => {
      await kit.db.system(async (tx) => {
        const row = await lockRide(tx, { id: asked.orderId })
        checkOwn(parts, call, asked, row)
        if (row.charged_cents === null) throw new AppError('ride_step_refused')
        const own = { orderId: row.id, agentId: row.agent_id, areaId: row.area_id }
        const scope = scopeOf(row)
        const lines = (await selectLines({ orderId: row.id, scope }).execute(tx)).rows.map(lineOf)
        await openReview(tx, { ...own, at: now(), cause: 'dispute', claim, feeCents: feeOf(lines) })
        await keepReturnPhotos(parts.photos, tx, { ...own, source: 'dispute', files })
      })
      return { suc: true, data: await readRide(parts, asked.orderId) }
    },

    quoteRide: async ({ vehicleNumber }, call) => {
      const data = await kit.db.system(async (tx) => {
        const vehicle = await findVehicle(tx, { call, vehicleNumber })
        const version = await versionAt(tx, { agentId: vehicle.agent_id, areaId: vehicle.area_id, at: now() })
        return {
          agentId: vehicle.agent_id,
          areaName: vehicle.area_name,
          versionName: version.name,
          rules: version.rules,
        }
      })
      return { suc: true, data }
    },
  }
}
