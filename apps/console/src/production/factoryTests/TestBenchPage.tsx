import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { factoryTestEndpoints } from '@saddle/contract/production/factoryTests.ts'
import { factoryTestStateLabels } from '@saddle/contract/production/factoryWords.ts'
import { unitStageLabels } from '@saddle/contract/production/units.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Scanner } from '#kit/scan/Scanner.tsx'
import { Ago } from '#kit/ui/Ago.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { LabelForm } from '../labels/LabelForm.tsx'
import { SwapForm } from '../units/SwapForm.tsx'
import { stageTone } from '../units/words.ts'
import { FinishForm, OpenReworkForm } from './FinishForm.tsx'
import { Steps } from './Steps.tsx'
import { staleTests, testTone } from './words.ts'
import './factoryTests.css'

const refreshEveryMs = 1_500

/** A place where vehicles are tested one after the other, on a phone or beside the line. */
export default function TestBenchPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const vehicle = params.get('vehicle') ?? ''
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('检测工位')}</h1>
        <ButtonLink to="/production/factory-test">{t('检测记录')}</ButtonLink>
      </header>
      <section className="page-card factory-bench" aria-label={t('扫描车辆')}>
        <Scanner key={vehicle} onNumber={(number) => setParams({ vehicle: number })} />
        {vehicle !== '' && <OnBench text={vehicle} />}
      </section>
    </div>
  )
}

type Bench = AnswerOf<typeof factoryTestEndpoints.factoryTestBench>['data']

function OnBench({ text }: { readonly text: string }) {
  const { data, error, refetch } = useEndpoint(
    factoryTestEndpoints.factoryTestBench,
    { text },
    { refetchIntervalMs: refreshEveryMs },
  )
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const { data: bench } = data
  return (
    <>
      <h2>
        {bench.number} <Mark tone={stageTone[bench.stage]}>{t(unitStageLabels[bench.stage])}</Mark>
      </h2>
      <Facts
        facts={[
          [t('型号'), bench.model],
          ['IMEI', bench.imei],
          [t('服务区'), bench.areaName],
          [t('最近上报'), <Ago key="heard" at={bench.heardAt} />],
        ]}
      />
      <Permit action="0601">
        <Acts bench={bench} />
      </Permit>
      {bench.test !== null && (
        <section aria-label={t('最近一次检测')} aria-live="polite">
          <h3>
            {t('最近一次检测')}{' '}
            <Mark tone={testTone[bench.test.state]}>{t(factoryTestStateLabels[bench.test.state])}</Mark>
          </h3>
          <Steps steps={bench.test.steps} />
        </section>
      )}
    </>
  )
}

type Open = 'rework' | 'finish' | 'swap' | 'label'

function Acts({ bench }: { readonly bench: Bench }) {
  const { vehicleId, stage, test } = bench
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const begin = useAction(factoryTestEndpoints.beginFactoryTest, {
    stale: staleTests,
    done: () => t('已开始检测'),
    undo: (answer) => ({ id: answer.data.id }),
    undone: () => t('已取消检测'),
  })
  const cancel = useAction(factoryTestEndpoints.cancelFactoryTest, { stale: staleTests, done: () => t('已取消检测') })
  const rework = useEndpoint(
    factoryTestEndpoints.listReworks,
    { filter: { vehicleId, states: ['open'] }, pageSize: 1 },
    { enabled: stage === 'rework', quiet: true },
  )
  const [due] = rework.data?.data.list ?? []
  const isStock = stage === 'made' || stage === 'tested' || stage === 'delivered'
  return (
    <div className="form-choices">
      {isStock && (
        <Button look="primary" busy={begin.isBusy} onClick={() => begin.send({ vehicleId })}>
          {stage === 'tested' ? t('重新检测') : t('开始检测')}
        </Button>
      )}
      {stage === 'in_test' && test !== null && (
        <Button busy={cancel.isBusy} onClick={() => cancel.send({ id: test.id })}>
          {t('取消检测')}
        </Button>
      )}
      {isStock && <Button onClick={() => setOpen('rework')}>{t('转入返修')}</Button>}
      {stage === 'rework' && <Button onClick={() => setOpen('swap')}>{t('更换部件')}</Button>}
      {due !== undefined && stage === 'rework' && (
        <Button look="primary" onClick={() => setOpen('finish')}>
          {t('返修完成')}
        </Button>
      )}
      {stage !== 'in_test' && <Button onClick={() => setOpen('label')}>{t('打印标签')}</Button>}
      {(stage === 'activated' || stage === 'retired') && (
        <small className="form-hint">{t('已投放或已退役的车辆不再检测')}</small>
      )}
      {open === 'rework' && <OpenReworkForm vehicleId={vehicleId} onClose={close} />}
      {open === 'finish' && due !== undefined && <FinishForm id={due.id} onClose={close} />}
      {open === 'swap' && <SwapForm vehicleId={vehicleId} onClose={close} />}
      {open === 'label' && <LabelForm of={{ vehicleIds: [vehicleId] }} onClose={close} />}
    </div>
  )
}
