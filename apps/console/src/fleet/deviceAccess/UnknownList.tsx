import type { ReactNode } from 'react'
import {
  heldReasonLabels,
  unknownDeviceEndpoints,
  unknownDeviceFields,
  unknownDeviceList,
  unknownDeviceStateLabels,
  type UnknownDevice,
} from '@saddle/contract/fleet/unknownDevices.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { UnknownMark } from './UnknownMark.tsx'
import { UnknownPanel } from './UnknownPanel.tsx'

const call = unknownDeviceEndpoints.listUnknownDevices
const unknownDevices = listOf({
  list: unknownDeviceList,
  call,
  file: unknownDeviceEndpoints.exportUnknownDevices,
  fields: unknownDeviceFields,
  usual: { states: ['open'] },
  rowKey: ({ name }) => name,
})
const refreshEveryMs = 30_000

interface Props {
  readonly title: string
  readonly actions: ReactNode
  readonly views: ReactNode
  readonly onRegister: (caller: UnknownDevice) => void
}

/** Devices that called and were not let in, decided one by one. */
export function UnknownList({ title, actions, views, onRegister }: Props): ReactNode {
  const list = useList(unknownDevices, { refreshEveryMs })
  return (
    <ListPage
      list={list}
      title={title}
      actions={actions}
      above={
        <>
          {views}
          <StateTabs
            list={list}
            call={call}
            name="states"
            title={t('状态')}
            labels={unknownDeviceStateLabels}
            refreshEveryMs={refreshEveryMs}
          />
        </>
      }
      layout="queue"
      filters={[
        keyword(t('IMEI、终端号或来源地址'), 'keyword'),
        many('states', t('状态'), unknownDeviceStateLabels),
        many('protocols', t('协议'), deviceProtocolLabels),
        many('reasons', t('被拒原因'), heldReasonLabels),
      ]}
      columns={columns}
      rowName={({ name }) => name}
      empty={t('未登记、密码不符或协议不符的设备来访后会出现在这里')}
      isWaiting={({ state }) => state === 'open'}
      renderPanel={(row, { goOn }) => (
        <UnknownPanel key={row.name} device={row} onRegister={() => onRegister(row)} onDecided={goOn} />
      )}
    />
  )
}

const columns = (): readonly ColumnSpec<UnknownDevice>[] => [
  { key: 'name', card: 'head' },
  { key: 'state', card: 'head', render: UnknownMark },
  'protocol',
  'reason',
  { key: 'vehicle', card: 'none', render: ({ vehicle }) => vehicle?.number ?? '--' },
  'tries',
  { key: 'firstSeenAt', card: 'none' },
  'lastSeenAt',
  { key: 'address', card: 'none' },
  { key: 'decidedBy', card: 'none' },
  { key: 'decidedAt', isOptional: true },
  { key: 'note', isOptional: true },
]
