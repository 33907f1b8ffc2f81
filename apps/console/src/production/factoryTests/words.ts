import { lifeEndpoints } from '@saddle/contract/fleet/life.ts'
import { factoryTestEndpoints } from '@saddle/contract/production/factoryTests.ts'
import {
  wordsOfFailures,
  type FactoryStepResult,
  type FactoryStepState,
  type FactoryTestState,
  type Rework,
  type ReworkState,
} from '@saddle/contract/production/factoryWords.ts'
import { unitEndpoints } from '@saddle/contract/production/units.ts'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

/** Readings that an act on tests or reworks makes stale. */
export const staleTests = [
  factoryTestEndpoints.listFactoryTests,
  factoryTestEndpoints.factoryTestBench,
  factoryTestEndpoints.listReworks,
  unitEndpoints.listUnits,
  lifeEndpoints.vehicleLife,
]

export const testTone: Readonly<Record<FactoryTestState, Tone>> = {
  running: 'info',
  passed: 'good',
  failed: 'bad',
  cancelled: 'off',
}

export const stepTone: Readonly<Record<FactoryStepState, Tone>> = {
  waiting: 'off',
  running: 'info',
  passed: 'good',
  failed: 'bad',
  skipped: 'off',
}

export const reworkTone: Readonly<Record<ReworkState, Tone>> = { open: 'warn', done: 'good' }

export const benchPath = (number: string): string => `/production/test-bench?vehicle=${number}`

/** Why a vehicle is mended, in the reader's language. */
export const reasonOf = ({ failures, reason }: Pick<Rework, 'failures' | 'reason'>): string =>
  failures.length === 0 ? reason : wordsOfFailures(failures, t)

/** Steps that failed, in the reader's language. */
export const failedSteps = (steps: readonly FactoryStepResult[]): string =>
  wordsOfFailures(
    steps.flatMap(({ step, failure }) => (failure === null ? [] : [{ step, failure }])),
    t,
  )
