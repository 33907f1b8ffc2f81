import { AppError } from '@saddle/contract/errors.ts'
import {
  modelsMax,
  vehicleModelFields,
  vehicleModelList,
  type vehicleModelEndpoints,
} from '@saddle/contract/fleet/models.ts'
import type { Organisation } from '#organisation/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import { modelOf, notedProfile, profileIn, sortedModels } from './modelRules.ts'
import type { AccessDeps } from './register.ts'
import { selectModels } from './store.ts'

type ModelDeps = AccessDeps & { readonly organisation: Pick<Organisation, 'agent'> }

/**
 * How the devices of a model are told to turn their locks. A model is its maker's: its profile is the platform's and
 * holds for every company, so that whoever has vehicles of it sees the profile and only the platform's people set it.
 */
export function createModelHandlers(deps: ModelDeps): Handlers<typeof vehicleModelEndpoints> {
  const { kit, fleet, audit, organisation } = deps
  const isPlatform = async ({ grant, caller }: SessionCall): Promise<boolean> =>
    (await organisation.agent(grant, caller.agentId))?.isRoot === true
  const list = serveComputedList(deps, vehicleModelList, {
    name: 'vehicle-models',
    sorted: sortedModels,
    file: { action: 'onboard.models_export', fields: vehicleModelFields },
    all: async (filter, call) => {
      const { scope } = call
      const [maySet, rows] = await Promise.all([
        isPlatform(call),
        kit.db.read(scope, (k) => selectModels({ scope, filter, limit: modelsMax }).compile(k)),
      ])
      const profiles = await fleet.vehicles.profilesOf(rows.map(({ model, protocol }) => ({ model, protocol })))
      return rows.map((counted) => {
        const stored = profiles.find(({ name, protocol }) => name === counted.model && protocol === counted.protocol)
        return modelOf({ counted, stored, isPlatform: maySet })
      })
    },
  })
  return {
    listVehicleModels: list.page,
    exportVehicleModels: list.file,

    setVehicleModel: async ({ model, protocol, profile, version, reason }, call) => {
      if (!(await isPlatform(call))) throw new AppError('forbidden')
      if (profile !== null && profile.protocol !== protocol) throw new AppError('model_profile_protocol')
      const { scope, caller } = call
      const only = { scope, filter: { protocols: [protocol] }, model, limit: 1 }
      const [counted] = await kit.db.read(scope, (k) => selectModels(only).compile(k))
      if (counted === undefined) throw new AppError('not_found')
      const stored = await kit.db.system(async (tx) => {
        const before = await fleet.vehicles.lockProfile(tx, { model, protocol })
        if ((before?.version ?? 0) !== version) throw new AppError('conflict')
        const by = { id: caller.operatorId, name: caller.name }
        await fleet.vehicles.setProfile(tx, { model, protocol, profile, version: version + 1, by })
        await audit.act(tx, call, {
          agentId: caller.agentId,
          action: 'onboard.set_model',
          subjectKind: 'vehicle_model',
          subjectId: model,
          before: notedProfile(profileIn(before)),
          after: { ...notedProfile(profile), protocol, reason },
        })
        return await fleet.vehicles.lockProfile(tx, { model, protocol })
      })
      return { suc: true, data: modelOf({ counted, stored, isPlatform: true }) }
    },
  }
}
