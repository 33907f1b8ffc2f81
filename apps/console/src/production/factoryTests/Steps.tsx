import type { ReactNode } from 'react'
import {
  factoryFailureLabels,
  factoryStepLabels,
  factoryStepStateLabels,
  type FactoryStepResult,
} from '@saddle/contract/production/factoryWords.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { stepTone } from './words.ts'
import './factoryTests.css'

/** Each step of a test with what the vehicle said. */
export function Steps({ steps }: { readonly steps: readonly FactoryStepResult[] }): ReactNode {
  return (
    <ol className="factory-steps" aria-label={t('检测项目')}>
      {steps.map(({ step, state, failure, measured }) => (
        <li key={step} data-state={state}>
          <Mark tone={stepTone[state]}>{t(factoryStepStateLabels[state])}</Mark>
          <strong>{t(factoryStepLabels[step])}</strong>
          <span>
            {failure !== null && t(factoryFailureLabels[failure])} {measured}
            {state === 'running' && step === 'movement' && t('请推动或晃动车辆')}
          </span>
        </li>
      ))}
    </ol>
  )
}
