import { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'
import { unknownDeviceStates, type unknownDeviceEndpoints } from '@saddle/contract/fleet/unknownDevices.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { fleetTopics } from '#fleet/public.ts'
import { assertSound, noteAct, registerOne, type AccessParts } from './register.ts'
import { accessOf } from './rules.ts'
import {
  countUnknown,
  decideUnknown,
  lockAccess,
  lockUnknown,
  selectUnknown,
  stateOf,
  unknownOf,
  type UnknownPlace,
  type UnknownRow,
} from './store.ts'

const placeSchema = z.tuple([z.string().regex(/^\d{1,17}$/), z.string().regex(/^\d{12,20}$/)])

/** Devices that called and were not let in: somebody registers them, or says why not. */
export function createUnknownDeviceHandlers(parts: AccessParts): Handlers<typeof unknownDeviceEndpoints> {
  const { kit, fleet } = parts
  const withUnknown = <T>(call: SessionCall, name: string, work: (tx: Tx, row: UnknownRow) => Promise<T>) =>
    kit.db.withScope(call.scope, async (tx) => {
      const row = await lockUnknown(tx, { name, scope: call.scope })
      if (row === undefined) throw new AppError('not_found')
      return await work(tx, row)
    })
  const again = async (tx: Tx, call: SessionCall, name: string) => {
    const row = await lockUnknown(tx, { name, scope: call.scope })
    if (row === undefined) throw new AppError('not_found')
    return { suc: true as const, data: unknownOf(row) }
  }
  const by = ({ caller }: SessionCall) => ({ id: caller.operatorId, name: caller.name })
  const at = () => new Date(kit.clock.now())
  return {
    listUnknownDevices: async ({ filter, cursor, pageSize }, { scope }) => {
      const after = cursor === undefined ? null : readPlace(cursor)
      const [rows, counted] = await Promise.all([
        kit.db.read(scope, (k) => selectUnknown({ scope, filter, after, limit: pageSize + 1 }).compile(k)),
        kit.db.read(scope, (k) => countUnknown({ scope, filter }).compile(k)),
      ])
      const shown = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? shown.at(-1) : undefined
      const count = (state: string): number => counted.find((row) => row.state === state)?.count ?? 0
      const [open, refused, accepted] = unknownDeviceStates
      return {
        suc: true,
        data: {
          list: shown.map(unknownOf),
          nextCursor: last === undefined ? null : writePlace({ micros: last.last_seen_micros, name: last.name }),
          counts: { [open]: count(open), [refused]: count(refused), [accepted]: count(accepted) },
        },
      }
    },

    acceptUnknownDevice: async ({ name, registration }, call) => {
      assertSound(registration)
      if (registration.imei !== name && registration.terminalNumber !== name) {
        throw new AppError('unknown_device_other')
      }
      return await withUnknown(call, name, async (tx, row) => {
        if (row.reason !== 'unknown') throw new AppError('unknown_device_registered')
        if (stateOf(row) !== 'open') throw new AppError('unknown_device_decided')
        const added = await registerOne(parts, tx, call, registration)
        const place = { agentId: added.agent_id, areaId: added.area_id }
        await decideUnknown(tx, { name, state: 'accepted', by: by(call), at: at(), reason: null, place })
        return { suc: true, data: accessOf(added, kit.config) }
      })
    },

    refuseUnknownDevice: ({ name, reason }, call) =>
      withUnknown(call, name, async (tx, row) => {
        if (stateOf(row) !== 'open') throw new AppError('unknown_device_decided')
        const place = { agentId: row.agent_id, areaId: row.area_id }
        await decideUnknown(tx, { name, state: 'refused', by: by(call), at: at(), reason, place })
        await noteUnknown(parts, tx, call, { row, action: 'onboard.refuse', after: { reason, tries: row.attempts } })
        return await again(tx, call, name)
      }),

    reopenUnknownDevice: ({ name }, call) =>
      withUnknown(call, name, async (tx, row) => {
        const state = stateOf(row)
        if (state === 'open') throw new AppError('unknown_device_decided')
        if (state === 'accepted' && row.vehicle_id !== null) {
          const vehicle = await lockAccess(tx, { vehicleId: row.vehicle_id, scope: call.scope })
          if (vehicle === undefined) throw new AppError('vehicle_not_found')
          if (!(await fleet.vehicles.unregister(tx, vehicle.vehicle_id))) throw new AppError('vehicle_in_service')
          const before = { number: vehicle.number, imei: vehicle.imei }
          await noteAct(parts, tx, call, { row: vehicle, action: 'onboard.unregister', before })
        }
        const place = { agentId: row.agent_id, areaId: row.area_id }
        await decideUnknown(tx, { name, state: 'open', by: null, at: null, reason: null, place })
        await noteUnknown(parts, tx, call, {
          row,
          action: 'onboard.reopen',
          before: row.decision_reason === null ? null : { reason: row.decision_reason },
        })
        // The gateway asks again at its next call.
        kit.db.afterCommit(tx, () => kit.bus.publish(fleetTopics.deviceChanged, [name]))
        return await again(tx, call, name)
      }),
  }
}

type Noted = {
  readonly row: UnknownRow
  readonly action: string
  readonly before?: Readonly<Record<string, unknown>> | null
  readonly after?: Readonly<Record<string, unknown>> | null
}

function noteUnknown(parts: AccessParts, tx: Tx, call: SessionCall, noted: Noted): Promise<void> {
  const { row, action, before = null, after = null } = noted
  return parts.audit.write(tx, {
    agentId: row.agent_id,
    areaId: row.area_id,
    operatorId: call.caller.operatorId,
    action,
    subjectKind: 'unknown_device',
    subjectId: row.name,
    before,
    after,
    address: call.address,
    requestId: call.requestId,
  })
}

const writePlace = ({ micros, name }: UnknownPlace): string =>
  Buffer.from(JSON.stringify([micros, name])).toString('base64url')

function readPlace(text: string): UnknownPlace {
  try {
    const [micros, name] = placeSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { micros, name }
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}
