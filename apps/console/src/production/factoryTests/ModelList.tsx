import { useState, type ReactNode } from 'react'
import { factoryTestEndpoints, type FactoryModel } from '@saddle/contract/production/factoryTests.ts'
import {
  factoryStepLabels,
  factorySteps,
  type FactoryStep,
  type FactoryTerms,
} from '@saddle/contract/production/factoryWords.ts'
import { checks } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Views } from './Views.tsx'
import './factoryTests.css'

/** What is tested of each model. */
export function ModelList(): ReactNode {
  const { data, error, refetch } = useEndpoint(factoryTestEndpoints.listFactoryModels, {})
  const [chosen, setChosen] = useState<FactoryModel | null>(null)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('出厂检测')}</h1>
      </header>
      <Views view="models" />
      {data === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState size="page" error={error} onRetry={() => void refetch()} />
        )
      ) : data.data.list.length === 0 ? (
        <Empty size="page" title={t('还没有车型：导入车辆之后在这里设置检测项目')} />
      ) : (
        <div className="factory-models">
          {data.data.list.map((model) => (
            <Model key={`${model.agentId} ${model.model}`} model={model} onEdit={() => setChosen(model)} />
          ))}
        </div>
      )}
      {chosen !== null && <TermsForm model={chosen} onClose={() => setChosen(null)} />}
    </div>
  )
}

function voltageText({ voltageMinV, voltageMaxV }: FactoryTerms): string {
  if (voltageMinV === null && voltageMaxV === null) return t('不限')
  return `${voltageMinV ?? '…'} – ${voltageMaxV ?? '…'} V`
}

function Model({ model, onEdit }: { readonly model: FactoryModel; readonly onEdit: () => void }) {
  const { terms, changedAt, changedBy } = model
  return (
    <section className="page-card" aria-label={model.model}>
      <header>
        <h2>{model.model}</h2>
        <Permit action="0601">
          <Button aria-label={t('修改 {{model}} 的检测项目', { model: model.model })} onClick={onEdit}>
            {t('修改检测项目')}
          </Button>
        </Permit>
      </header>
      <Facts
        facts={[
          [t('加盟商'), `${model.company} · ${t('{{count}} 辆', { count: model.vehicles })}`],
          [t('检测项目'), terms.steps.map((step) => t(factoryStepLabels[step])).join(t('、'))],
          [t('要求的固件'), terms.firmware ?? t('不限')],
          [t('最低电量'), `${terms.batteryMinPercent}%`],
          [t('电压'), voltageText(terms)],
          [t('最近修改'), changedAt === null ? t('默认') : `${changedBy ?? ''} · ${dateTime(changedAt)}`],
        ]}
      />
    </section>
  )
}

function TermsForm({ model, onClose }: { readonly model: FactoryModel; readonly onClose: () => void }) {
  const { agentId, terms } = model
  return (
    <FormDialog
      title={t('{{model}} 的检测项目', { model: model.model })}
      call={factoryTestEndpoints.setFactoryTerms}
      about={`${agentId} ${model.model}`}
      fields={{
        steps: checks<FactoryStep>({
          label: t('检测项目'),
          initial: terms.steps,
          options: factorySteps.map((value) => ({ value, label: t(factoryStepLabels[value]) })),
        }),
        firmware: text({
          label: t('要求的固件'),
          initial: terms.firmware ?? '',
          hint: t('检测固件版本时须填写，与设备报告的完全一致'),
          isOptional: true,
        }),
        batteryMinPercent: number({ label: t('最低电量'), unit: '%', initial: terms.batteryMinPercent }),
        voltageMinV: number({
          label: t('最低电压'),
          unit: 'V',
          decimals: 1,
          isOptional: true,
          ...(terms.voltageMinV !== null && { initial: terms.voltageMinV }),
        }),
        voltageMaxV: number({
          label: t('最高电压'),
          unit: 'V',
          decimals: 1,
          isOptional: true,
          ...(terms.voltageMaxV !== null && { initial: terms.voltageMaxV }),
        }),
      }}
      input={(values) => ({ agentId, model: model.model, ...values })}
      submit={t('保存检测项目')}
      stale={[factoryTestEndpoints.listFactoryModels]}
      done={() => t('已保存，之后开始的检测按此进行')}
      onClose={onClose}
    />
  )
}
