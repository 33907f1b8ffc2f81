import type { ReactNode } from 'react'
import {
  operatorDeviceEndpoints,
  operatorDeviceFields,
  operatorDeviceList,
  operatorDeviceStateLabels,
  type OperatorDevice,
  type OperatorDeviceState,
} from '@saddle/contract/identity/devices.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Decisions } from './Decisions.tsx'
import { DeviceMark } from './DeviceMark.tsx'
import { DevicePanel } from './DevicePanel.tsx'
import { Policies, useCompanies } from './Policies.tsx'
import './devices.css'

const call = operatorDeviceEndpoints.deviceAuthorizeInfo
const devices = listOf({
  list: operatorDeviceList,
  call,
  file: operatorDeviceEndpoints.exportOperatorDevices,
  fields: operatorDeviceFields,
  usual: { states: ['requested'] },
})
const refreshEveryMs = 30_000
const isWaiting = ({ state }: OperatorDevice): boolean => state === 'requested'

/** Who asks first. */
const { unknown, requested, approved } = operatorDeviceStateLabels
const tabs: Readonly<Record<OperatorDeviceState, string>> = { requested, approved, unknown }

/** Browsers with which people log in: who asks for approval, who has it, and which companies ask for it at all. */
export default function DevicesPage(): ReactNode {
  const list = useList(devices, { refreshEveryMs })
  const companies = useCompanies()
  return (
    <ListPage
      list={list}
      title={t('登录设备授权')}
      above={
        <>
          <Policies />
          <StateTabs
            list={list}
            call={call}
            name="states"
            title={t('设备状态')}
            labels={tabs}
            refreshEveryMs={refreshEveryMs}
          />
        </>
      }
      layout="queue"
      filters={[
        keyword(t('姓名'), 'keyword'),
        many('states', t('状态'), tabs),
        many(
          'agentIds',
          t('公司'),
          companies.map(({ id, company }) => ({ value: id, label: company })),
        ),
      ]}
      columns={columns}
      rowName={({ operatorName, name }) => `${operatorName} · ${name}`}
      empty={list.filter.states?.join() === 'requested' ? t('没有等待授权的设备') : t('没有符合条件的设备')}
      selectable={({ isThis, state }) => !isThis || state !== 'approved'}
      renderTools={(rows, done) => <Decisions rows={rows} onDone={done} />}
      isWaiting={isWaiting}
      renderPanel={(row, { goOn }) => <DevicePanel key={row.id} device={row} onDecided={goOn} />}
    />
  )
}

const columns = (): readonly ColumnSpec<OperatorDevice>[] => [
  { key: 'operatorName', card: 'head' },
  { key: 'state', card: 'head', render: DeviceMark },
  'name',
  'phone',
  { key: 'company', card: 'none' },
  'requestedAt',
  { key: 'lastSeenAt', card: 'none' },
  {
    key: 'decidedAt',
    title: t('处理'),
    card: 'none',
    render: ({ decidedBy, decidedAt }) =>
      decidedBy === null ? (
        '--'
      ) : (
        <>
          {decidedBy} · <Moment at={decidedAt} />
        </>
      ),
  },
  { key: 'firstSeenAt', isOptional: true },
]
