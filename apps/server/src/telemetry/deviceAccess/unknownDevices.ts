import { AppError } from '@saddle/contract/errors.ts'
import {
  unknownDeviceFields,
  unknownDeviceList,
  type unknownDeviceEndpoints,
} from '@saddle/contract/fleet/unknownDevices.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serveList } from '#kit/list/serveList.ts'
import { fleetTopics } from '#fleet/public.ts'
import { assertSound, noteAct, registerOne, type AccessDeps } from './register.ts'
import { accessOf } from './rules.ts'
import { decideUnknown, lockAccess, lockUnknown, unknownOf, unknownRows, type UnknownRow } from './store.ts'

/** Devices that called and were not let in: somebody registers them, or says why not. */
export function createUnknownDeviceHandlers(deps: AccessDeps): Handlers<typeof unknownDeviceEndpoints> {
  const { kit, fleet } = deps
  const list = serveList(deps, unknownDeviceList, {
    name: 'unknown-devices',
    rows: unknownRows,
    present: unknownOf,
    file: { action: 'onboard.export', fields: unknownDeviceFields },
  })
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
    listUnknownDevices: list.page,
    exportUnknownDevices: list.file,

    acceptUnknownDevice: async ({ name, registration }, call) => {
      assertSound(registration)
      if (registration.imei !== name && registration.terminalNumber !== name) {
        throw new AppError('unknown_device_other')
      }
      return await withUnknown(call, name, async (tx, row) => {
        if (row.reason !== 'unknown') throw new AppError('unknown_device_registered')
        if (row.state !== 'open') throw new AppError('unknown_device_decided')
        const added = await registerOne(deps, tx, call, registration)
        const tenant = { agentId: added.agent_id, areaId: added.area_id }
        await decideUnknown(tx, { name, state: 'accepted', by: by(call), at: at(), reason: null, tenant })
        return { suc: true, data: accessOf(added, kit.config) }
      })
    },

    refuseUnknownDevice: ({ name, reason }, call) =>
      withUnknown(call, name, async (tx, row) => {
        if (row.state !== 'open') throw new AppError('unknown_device_decided')
        const tenant = { agentId: row.agent_id, areaId: row.area_id }
        await decideUnknown(tx, { name, state: 'refused', by: by(call), at: at(), reason, tenant })
        await noteUnknown(deps, tx, call, { row, action: 'onboard.refuse', after: { reason, tries: row.tries } })
        return await again(tx, call, name)
      }),

    reopenUnknownDevice: ({ name }, call) =>
      withUnknown(call, name, async (tx, row) => {
        const { state } = row
        if (state === 'open') throw new AppError('unknown_device_decided')
        if (state === 'accepted' && row.vehicle_id !== null) {
          const vehicle = await lockAccess(tx, { vehicleId: row.vehicle_id, scope: call.scope })
          if (vehicle === undefined) throw new AppError('vehicle_not_found')
          if (!(await fleet.vehicles.unregister(tx, vehicle.vehicle_id))) throw new AppError('vehicle_in_service')
          const before = { number: vehicle.number, imei: vehicle.imei }
          await noteAct(deps, tx, call, { row: vehicle, action: 'onboard.unregister', before })
        }
        const tenant = { agentId: row.agent_id, areaId: row.area_id }
        await decideUnknown(tx, { name, state: 'open', by: null, at: null, reason: null, tenant })
        await noteUnknown(deps, tx, call, {
          row,
          action: 'onboard.reopen',
          before: row.note === null ? null : { reason: row.note },
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

function noteUnknown({ audit }: AccessDeps, tx: Tx, call: SessionCall, noted: Noted): Promise<void> {
  const { row, action, before = null, after = null } = noted
  return audit.act(tx, call, {
    agentId: row.agent_id,
    areaId: row.area_id,
    action,
    subjectKind: 'unknown_device',
    subjectId: row.name,
    before,
    after,
  })
}
