import type { ReactNode } from 'react'
import { factoryTestEndpoints } from '@saddle/contract/production/factoryTests.ts'
import {
  factoryTestFields,
  factoryTestList,
  factoryTestStateLabels,
  type FactoryTest,
} from '@saddle/contract/production/factoryWords.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { keyword, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Steps } from './Steps.tsx'
import { Views } from './Views.tsx'
import { benchPath, failedSteps, testTone } from './words.ts'

const tests = listOf({
  list: factoryTestList,
  call: factoryTestEndpoints.listFactoryTests,
  file: factoryTestEndpoints.exportFactoryTests,
  fields: factoryTestFields,
})

/** Tests of vehicles, the latest first. */
export function TestList(): ReactNode {
  const list = useList(tests)
  return (
    <ListPage
      list={list}
      title={t('出厂检测')}
      actions={
        <Permit action="0601">
          <ButtonLink to="/production/test-bench" look="primary">
            {t('扫码检测')}
          </ButtonLink>
        </Permit>
      }
      above={
        <>
          <Views view="tests" />
          <StateTabs
            list={list}
            call={factoryTestEndpoints.listFactoryTests}
            name="states"
            title={t('结果')}
            labels={factoryTestStateLabels}
          />
        </>
      }
      filters={[tabbed('states'), keyword(t('车辆编号'), 'number')]}
      columns={columns}
      rowName={({ number, id }) => `${number} #${id}`}
      empty={t('还没有检测记录：扫描一辆车开始检测')}
      renderPanel={(test) => <TestPanel key={test.id} test={test} />}
    />
  )
}

const columns = (): readonly ColumnSpec<FactoryTest>[] => [
  { key: 'number', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={testTone[state]}>{t(factoryTestStateLabels[state])}</Mark>,
  },
  { key: 'failed', card: 'wide', render: ({ steps }) => failedSteps(steps) || '--' },
  'model',
  'areaName',
  { key: 'company', isOptional: true },
  'begunAt',
  'begunBy',
  { key: 'endedAt', isOptional: true },
]

function TestPanel({ test }: { readonly test: FactoryTest }) {
  return (
    <DetailPanel
      label={t('检测详情')}
      title={
        <>
          <strong>{test.number}</strong>{' '}
          <Mark tone={testTone[test.state]}>{t(factoryTestStateLabels[test.state])}</Mark>
        </>
      }
      foot={
        <span className="form-choices">
          <ButtonLink to={`/vehicle-info?vehicle=${test.number}`}>{t('车辆详情')}</ButtonLink>
          <ButtonLink to={benchPath(test.number)} look="primary">
            {t('去检测工位')}
          </ButtonLink>
        </span>
      }
    >
      <Facts
        facts={[
          [t('型号'), test.model],
          [t('加盟商与服务区'), `${test.company} · ${test.areaName}`],
          [t('检测人'), test.begunBy],
          [t('开始时间'), dateTime(test.begunAt)],
          [t('结束时间'), test.endedAt === null ? '--' : dateTime(test.endedAt)],
        ]}
      />
      <Steps steps={test.steps} />
    </DetailPanel>
  )
}
