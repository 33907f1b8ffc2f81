import type { artefactEndpoints } from '@saddle/contract/production/artefacts.ts'
import type { factoryTestEndpoints } from '@saddle/contract/production/factoryTests.ts'
import type { importEndpoints } from '@saddle/contract/production/imports.ts'
import type { labelEndpoints } from '@saddle/contract/production/labels.ts'
import type { unitEndpoints } from '@saddle/contract/production/units.ts'
import type { upgradeEndpoints } from '@saddle/contract/production/upgrades.ts'
import type { voltageEndpoints } from '@saddle/contract/production/voltage.ts'
import type { Audit } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startJob } from '#kit/job.ts'
import type { Kit } from '#kit/kit.ts'
import { createArtefactHandlers } from './artefacts/handlers.ts'
import { createSigners, type Signers } from './artefacts/signers.ts'
import { createFactoryTestHandlers } from './factoryTests/handlers.ts'
import { workFactoryTests } from './factoryTests/run.ts'
import { createImportHandlers } from './imports/handlers.ts'
import { createLabelHandlers } from './labels/handlers.ts'
import { createUnitHandlers } from './units/handlers.ts'
import { createUpgradeHandlers } from './upgrades/handlers.ts'
import { workCampaigns } from './upgrades/work.ts'
import { createVoltageHandlers } from './voltage/handlers.ts'
import { workReplays } from './voltage/replay.ts'
import { createFiles, type Files } from './transfers/files.ts'
import { createTransfers, type Transfers } from './transfers/service.ts'

export { productionTopics } from './messages.ts'
export { artefactPath } from './transfers/addresses.ts'
export { mqttPackageBytes } from './transfers/files.ts'
export type { Transfer, Transfers } from './transfers/service.ts'

export type Production = {
  readonly handlers: Handlers<
    typeof artefactEndpoints &
      typeof factoryTestEndpoints &
      typeof importEndpoints &
      typeof labelEndpoints &
      typeof unitEndpoints &
      typeof upgradeEndpoints &
      typeof voltageEndpoints
  >
  /** What the gateway sends of upgrades. */
  readonly transfers: Transfers
  /** What devices fetch by HTTP. */
  readonly files: Files
  readonly signers: Pick<Signers, 'trust'>
  /** Looks at every running campaign once. For the worker. */
  work(): Promise<void>
  /** Looks at every running factory test once. For the worker. */
  workTests(): Promise<void>
  /** Goes on with replays of voltage schemes. For the worker; safe on several at once. */
  workReplays(): Promise<void>
  startBackground(): () => Promise<void>
}

const workEveryMs = 5_000
const testsEveryMs = 1_000

/** Firmware and voice packs, and the campaigns that bring them to devices. */
export function createProduction(
  kit: Kit,
  {
    audit,
    fleet,
  }: { readonly audit: Audit; readonly fleet: Pick<Fleet, 'queueCommand' | 'turnVehicles' | 'vehicles'> },
): Production {
  const signers = createSigners(kit.config.artefactKeys)
  const deps = { kit, audit, fleet, signers }
  const service = createTransfers(kit, { fleet, signers })
  const { transfers, images } = service
  const work = () => workCampaigns({ ...deps, service })
  const workTests = () => workFactoryTests(deps)
  const replays = () => workReplays(kit)
  return {
    handlers: {
      ...createArtefactHandlers(deps),
      ...createFactoryTestHandlers(deps),
      ...createImportHandlers(deps),
      ...createLabelHandlers(deps),
      ...createUnitHandlers(deps),
      ...createUpgradeHandlers({ ...deps, service }),
      ...createVoltageHandlers(deps),
    },
    transfers,
    files: createFiles(kit, { addresses: transfers.addresses, images }),
    signers,
    work,
    workTests,
    workReplays: replays,
    startBackground: () => {
      const { log } = kit
      const jobs = [
        startJob({ log, everyMs: workEveryMs, run: work, failure: 'the look at upgrades failed' }),
        startJob({ log, everyMs: testsEveryMs, run: workTests, failure: 'the look at factory tests failed' }),
        startJob({ log, everyMs: workEveryMs, run: replays, failure: 'the replay of a voltage scheme failed' }),
      ]
      return async () => {
        await Promise.all(jobs.map((job) => job.stop()))
      }
    },
  }
}
