import type { ReactNode } from 'react'
import {
  gbfsFormFactorLabels,
  gbfsFormFactors,
  gbfsPropulsionLabels,
  gbfsPropulsions,
} from '@saddle/contract/feeds/gbfs.ts'
import { feedEndpoints } from '@saddle/contract/feeds/publication.ts'
import { choice, select } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import type { ShownPublication } from './shown.ts'

interface Props {
  readonly shown: ShownPublication
  readonly model: ShownPublication['models'][number]
  readonly onClose: () => void
}

/** What a model is in the words of the standard. */
export function ModelForm({ shown, model, onClose }: Props): ReactNode {
  const { agentId, version } = shown
  return (
    <FormDialog
      title={t('车型 {{model}}', { model: model.model })}
      call={feedEndpoints.saveVehicleForm}
      about={`${agentId} ${model.model}`}
      submit={t('保存')}
      stale={[feedEndpoints.feedPublication]}
      done={() => t('已保存，一分钟内生效')}
      onClose={onClose}
      fields={{
        formFactor: select({
          label: t('车辆类型'),
          initial: model.isSet ? model.formFactor : null,
          options: gbfsFormFactors.map((value) => ({ value, label: t(gbfsFormFactorLabels[value]) })),
        }),
        propulsion: choice({
          label: t('动力'),
          initial: model.propulsion,
          options: gbfsPropulsions.map((value) => ({ value, label: t(gbfsPropulsionLabels[value]) })),
        }),
        maxRangeM: number({
          label: t('满电续航'),
          unit: t('米'),
          initial: model.maxRangeM,
          hint: t('按电量比例计算每辆车的剩余续航'),
        }),
      }}
      input={(typed) => ({ agentId, model: model.model, version, ...typed })}
    />
  )
}
