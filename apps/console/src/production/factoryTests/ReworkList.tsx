import { useState, type ReactNode } from 'react'
import { factoryTestEndpoints } from '@saddle/contract/production/factoryTests.ts'
import { reworkFields, reworkList, reworkStateLabels, type Rework } from '@saddle/contract/production/factoryWords.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { keyword, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { SwapForm } from '../units/SwapForm.tsx'
import { FinishForm } from './FinishForm.tsx'
import { Steps } from './Steps.tsx'
import { Views } from './Views.tsx'
import { benchPath, reasonOf, reworkTone } from './words.ts'

const reworks = listOf({
  list: reworkList,
  call: factoryTestEndpoints.listReworks,
  file: factoryTestEndpoints.exportReworks,
  fields: reworkFields,
})

/** Vehicles that did not pass, until they are mended. */
export function ReworkList(): ReactNode {
  const list = useList(reworks)
  return (
    <ListPage
      list={list}
      title={t('出厂检测')}
      above={
        <>
          <Views view="reworks" />
          <StateTabs
            list={list}
            call={factoryTestEndpoints.listReworks}
            name="states"
            title={t('状态')}
            labels={reworkStateLabels}
          />
        </>
      }
      filters={[tabbed('states'), keyword(t('车辆编号'), 'number')]}
      columns={columns}
      rowName={({ number, id }) => `${number} #${id}`}
      empty={t('没有需要返修的车辆')}
      renderPanel={(rework) => <ReworkPanel key={rework.id} rework={rework} />}
    />
  )
}

const columns = (): readonly ColumnSpec<Rework>[] => [
  { key: 'number', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={reworkTone[state]}>{t(reworkStateLabels[state])}</Mark>,
  },
  { key: 'reason', card: 'wide', render: reasonOf },
  'model',
  'areaName',
  { key: 'company', isOptional: true },
  'openedAt',
  { key: 'openedBy', card: 'none' },
  { key: 'note', card: 'none' },
  { key: 'doneAt', isOptional: true },
  { key: 'doneBy', isOptional: true },
]

function ReworkPanel({ rework }: { readonly rework: Rework }) {
  const { id, vehicleId, number, state, testId } = rework
  const [open, setOpen] = useState<'finish' | 'swap' | null>(null)
  const close = () => setOpen(null)
  return (
    <DetailPanel
      label={t('返修详情')}
      title={
        <>
          <strong>{number}</strong> <Mark tone={reworkTone[state]}>{t(reworkStateLabels[state])}</Mark>
        </>
      }
      foot={
        <span className="form-choices">
          <ButtonLink to={benchPath(number)}>{t('去检测工位')}</ButtonLink>
          {state === 'open' && (
            <Permit action="0601">
              <Button onClick={() => setOpen('swap')}>{t('更换部件')}</Button>
              <Button look="primary" onClick={() => setOpen('finish')}>
                {t('返修完成')}
              </Button>
            </Permit>
          )}
        </span>
      }
    >
      <Facts
        facts={[
          [t('原因'), reasonOf(rework)],
          [t('型号'), rework.model],
          [t('加盟商与服务区'), `${rework.company} · ${rework.areaName}`],
          [t('转入'), `${rework.openedBy} · ${dateTime(rework.openedAt)}`],
          ...(rework.doneAt === null
            ? []
            : ([
                [t('处理说明'), rework.note],
                [t('完成'), `${rework.doneBy ?? ''} · ${dateTime(rework.doneAt)}`],
              ] as const)),
        ]}
      />
      {testId !== null && <TestOf testId={testId} />}
      {open === 'finish' && <FinishForm id={id} onClose={close} />}
      {open === 'swap' && <SwapForm vehicleId={vehicleId} onClose={close} />}
    </DetailPanel>
  )
}

/** The test that the vehicle did not pass. */
function TestOf({ testId }: { readonly testId: number }) {
  const { data } = useEndpoint(
    factoryTestEndpoints.listFactoryTests,
    { filter: { id: testId }, pageSize: 1 },
    { quiet: true },
  )
  const [test] = data?.data.list ?? []
  return test === undefined ? null : <Steps steps={test.steps} />
}
