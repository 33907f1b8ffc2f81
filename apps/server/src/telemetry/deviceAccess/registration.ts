import { AppError } from '@saddle/contract/errors.ts'
import type { DeviceAccess, registrationEndpoints } from '@saddle/contract/fleet/registration.ts'
import { registrationWindowMinutes } from '@saddle/contract/fleet/registration.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { gatewayProtocols } from '../gateway/protocols.ts'
import { createDeviceSecrets } from '../gateway/secrets.ts'
import { assertNotRefused, assertSound, noteAct, registerOne, windowEnd, type AccessDeps } from './register.ts'
import { accessOf } from './rules.ts'
import { lockAccess, selectAccess, type AccessRow } from './store.ts'

/** What staff do with the devices of vehicles: register, take off the register, secrets, and the time for terminals. */
export function createRegistrationHandlers(deps: AccessDeps): Handlers<typeof registrationEndpoints> {
  const { kit, fleet } = deps
  const secrets = createDeviceSecrets(kit.secrets)
  const answer = (row: AccessRow): { suc: true; data: DeviceAccess } => ({
    suc: true,
    data: accessOf(row, kit.config),
  })
  const withVehicle = <T>(call: SessionCall, vehicleId: number, work: (tx: Tx, row: AccessRow) => Promise<T>) =>
    kit.db.withScope(call.scope, async (tx) => {
      const row = await lockAccess(tx, { vehicleId, scope: call.scope })
      if (row === undefined) throw new AppError('vehicle_not_found')
      return await work(tx, row)
    })
  const again = async (tx: Tx, call: SessionCall, vehicleId: number) => {
    const row = await lockAccess(tx, { vehicleId, scope: call.scope })
    if (row === undefined) throw new AppError('vehicle_not_found')
    return answer(row)
  }
  return {
    registerVehicle: async (form, call) => {
      assertSound(form)
      await assertNotRefused(deps, form)
      return answer(await kit.db.withScope(call.scope, (tx) => registerOne(deps, tx, call, form)))
    },

    unregisterVehicle: ({ vehicleId, reason }, call) =>
      withVehicle(call, vehicleId, async (tx, row) => {
        const { number } = row
        if (!(await fleet.vehicles.unregister(tx, vehicleId))) throw new AppError('vehicle_in_service')
        await noteAct(deps, tx, call, {
          row,
          action: 'onboard.unregister',
          before: { number, imei: row.imei },
          after: { reason },
        })
        return { suc: true, data: { number } }
      }),

    deviceAccess: async ({ vehicleId }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectAccess({ vehicleId, scope }).compile(k))
      if (row === undefined) throw new AppError('vehicle_not_found')
      return answer(row)
    },

    showDeviceSecret: ({ vehicleId }, call) =>
      withVehicle(call, vehicleId, async (tx, row) => {
        const { secretOf } = gatewayProtocols[row.protocol]
        if (secretOf === null) throw new AppError('device_without_secret')
        const device = { imei: row.imei, secretGeneration: row.secret_generation }
        await noteAct(deps, tx, call, { row, action: 'onboard.show_secret' })
        return { suc: true, data: { secret: secretOf(secrets, device) } }
      }),

    changeDeviceSecret: ({ vehicleId, reason }, call) =>
      withVehicle(call, vehicleId, async (tx, row) => {
        const { secretOf, hasRegistration } = gatewayProtocols[row.protocol]
        if (secretOf === null) throw new AppError('device_without_secret')
        const registrationOpenUntil = hasRegistration ? windowEnd(deps, registrationWindowMinutes.usual) : null
        await fleet.vehicles.changeSecret(tx, { vehicleId, registrationOpenUntil })
        const before = { secretChanges: row.secret_generation }
        const after = {
          secretChanges: row.secret_generation + 1,
          reason,
          openUntilAt: registrationOpenUntil ?? undefined,
        }
        const action = hasRegistration ? 'onboard.release' : 'onboard.change_secret'
        await noteAct(deps, tx, call, { row, action, before, after })
        return await again(tx, call, vehicleId)
      }),

    openRegistration: ({ vehicleId, minutes }, call) =>
      withVehicle(call, vehicleId, async (tx, row) => {
        if (!gatewayProtocols[row.protocol].hasRegistration) throw new AppError('device_not_terminal')
        const until = windowEnd(deps, minutes)
        await fleet.vehicles.openRegistration(tx, { vehicleId, until })
        const action = until === null ? 'onboard.close_registration' : 'onboard.open_registration'
        await noteAct(deps, tx, call, { row, action, ...(until !== null && { after: { openUntilAt: until } }) })
        return await again(tx, call, vehicleId)
      }),
  }
}
