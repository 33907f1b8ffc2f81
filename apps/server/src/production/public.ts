import type { artefactEndpoints } from '@saddle/contract/production/artefacts.ts'
import type { importEndpoints } from '@saddle/contract/production/imports.ts'
import type { unitEndpoints } from '@saddle/contract/production/units.ts'
import type { upgradeEndpoints } from '@saddle/contract/production/upgrades.ts'
import type { Audit } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startJob } from '#kit/job.ts'
import type { Kit } from '#kit/kit.ts'
import { createArtefactHandlers } from './artefacts/handlers.ts'
import { createSigners, type Signers } from './artefacts/signers.ts'
import { createImportHandlers } from './imports/handlers.ts'
import { createUnitHandlers } from './units/handlers.ts'
import { createUpgradeHandlers } from './upgrades/handlers.ts'
import { workCampaigns } from './upgrades/work.ts'
import { createFiles, type Files } from './transfers/files.ts'
import { createTransfers, type Transfers } from './transfers/service.ts'

export { productionTopics } from './messages.ts'
export { artefactPath } from './transfers/addresses.ts'
export { mqttPackageBytes } from './transfers/files.ts'
export type { Transfer, Transfers } from './transfers/service.ts'

export type Production = {
  readonly handlers: Handlers<
    typeof artefactEndpoints & typeof importEndpoints & typeof unitEndpoints & typeof upgradeEndpoints
  >
  /** What the gateway sends of upgrades. */
  readonly transfers: Transfers
  /** What devices fetch by HTTP. */
  readonly files: Files
  readonly signers: Pick<Signers, 'trust'>
  /** Looks at every running campaign once. For the worker. */
  work(): Promise<void>
  startBackground(): () => Promise<void>
}

const workEveryMs = 5_000

/** Firmware and voice packs, and the campaigns that bring them to devices. */
export function createProduction(
  kit: Kit,
  { audit, fleet }: { readonly audit: Audit; readonly fleet: Pick<Fleet, 'turnVehicles' | 'vehicles'> },
): Production {
  const signers = createSigners(kit.config.artefactKeys)
  const deps = { kit, audit, fleet, signers }
  const service = createTransfers(kit, { fleet, signers })
  const { transfers, images } = service
  const work = () => workCampaigns({ ...deps, service })
  return {
    handlers: {
      ...createArtefactHandlers(deps),
      ...createImportHandlers(deps),
      ...createUnitHandlers(deps),
      ...createUpgradeHandlers({ ...deps, service }),
    },
    transfers,
    files: createFiles(kit, { addresses: transfers.addresses, images }),
    signers,
    work,
    startBackground: () => {
      const job = startJob({ log: kit.log, everyMs: workEveryMs, run: work, failure: 'the look at upgrades failed' })
      return () => job.stop()
    },
  }
}
