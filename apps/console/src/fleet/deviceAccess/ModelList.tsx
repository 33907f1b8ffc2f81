import { useState, type ReactNode } from 'react'
import {
  vehicleModelEndpoints,
  vehicleModelFilterSchema,
  type VehicleModel,
  type VehicleModelFilter,
} from '@saddle/contract/fleet/models.ts'
import { hasModelProfiles } from '@saddle/contract/fleet/deviceProfiles.ts'
import { deviceProtocolLabels, deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { One } from '#kit/list/Choices.tsx'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { FilterBar, Keyword } from '#kit/list/FilterBar.tsx'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { followedBy, profileLabel, provedBy, turnedBy } from './profileWords.ts'
import '#kit/list/list.css'
import './deviceAccess.css'

const ModelForm = onDemand(
  () => import('./ModelForm.tsx'),
  ({ onClose }) => onClose(),
)

/** The models of the scope's vehicles, and how the locks of each are turned. */
export function ModelList(): ReactNode {
  const [filter, setFilter] = useAddressFilter(vehicleModelFilterSchema)
  const [shown, setShown] = useState<VehicleModel | null>(null)
  const { data, error, isPlaceholderData, refetch } = useEndpoint(
    vehicleModelEndpoints.listVehicleModels,
    { filter },
    { keepPrevious: true },
  )
  const page = data?.data
  const change = (part: Partial<Record<keyof VehicleModelFilter, unknown>>) => setFilter(changeFilter(filter, part))
  return (
    <>
      <FilterBar count={Object.keys(filter).length} onClear={() => setFilter({})}>
        <Keyword
          label={t('型号')}
          value={filter.keyword ?? ''}
          onChange={(text) => change({ keyword: text === '' ? undefined : text })}
        />
        <One
          label={t('协议')}
          value={filter.protocol}
          options={deviceProtocols.map((value) => ({ value, label: deviceProtocolLabels[value] }))}
          onChange={(protocol) => change({ protocol })}
        />
      </FilterBar>
      <section className="page-card">
        <p className="da-note da-lead">
          {t('同一型号的终端按同一套锁控协议工作：它决定开锁、关锁时下发哪条消息，以及凭什么确认车锁已动作。')}
          {page?.maySet === false && t('型号属于厂家，锁控协议由平台统一设置。')}
        </p>
        <DataTable<VehicleModel>
          label={t('车型与锁控协议')}
          columns={columnsOf({ maySet: page?.maySet === true, onOpen: setShown })}
          rows={page?.list}
          rowKey={({ model, protocol }) => `${protocol} ${model}`}
          loading={isPlaceholderData}
          error={error}
          onRetry={() => void refetch()}
          cardHead={nameCell}
          empty={<Empty title={t('没有车型')} text={t('登记车辆时填写的型号会出现在这里')} />}
        />
        {page?.hasMore === true && <p className="da-note da-lead">{t('车型较多，仅显示一部分，请用筛选缩小范围。')}</p>}
      </section>
      {shown !== null && <ModelForm shown={shown} onClose={() => setShown(null)} />}
    </>
  )
}

const nameCell = ({ model }: VehicleModel): ReactNode => <strong>{model}</strong>

/** Devices of one model may follow several profiles, as long as the model has none. */
const lines = (texts: readonly string[]): ReactNode =>
  [...new Set(texts)].map((text) => (
    <span key={text} className="da-line">
      {text}
    </span>
  ))

function ProfileCell({ row }: { row: VehicleModel }) {
  const isUnreadable = row.version > 0 && row.profile === null
  return (
    <>
      {lines(followedBy(row).map(profileLabel))}
      {row.profile === null && hasModelProfiles(row.protocol) && (
        <small className="da-own" data-bad={isUnreadable}>
          {isUnreadable ? t('已设置的内容无法读取，请重新设置') : t('未按车型设置')}
        </small>
      )}
    </>
  )
}

function columnsOf(options: { maySet: boolean; onOpen: (row: VehicleModel) => void }): readonly Column<VehicleModel>[] {
  const { maySet, onOpen } = options
  const columns: Column<VehicleModel>[] = [
    { key: 'model', title: t('型号'), inHead: true, render: nameCell },
    { key: 'protocol', title: t('协议'), render: ({ protocol }) => deviceProtocolLabels[protocol] },
    { key: 'vehicles', title: t('车辆'), unit: t('辆'), numeric: true, render: ({ vehicles }) => vehicles },
    { key: 'profile', title: t('锁控协议'), render: (row) => <ProfileCell row={row} /> },
    { key: 'turn', title: t('开锁 · 关锁'), render: (row) => lines(followedBy(row).flatMap(turnedBy)) },
    { key: 'proof', title: t('确认依据'), render: (row) => lines(followedBy(row).map(provedBy)) },
    {
      key: 'by',
      title: t('最近修改'),
      render: ({ changedAt, changedBy }) =>
        changedAt === null ? '--' : lines([...(changedBy === null ? [] : [changedBy]), dateTime(changedAt)]),
    },
  ]
  if (!maySet) return columns
  const act: Column<VehicleModel> = {
    key: 'act',
    title: t('操作'),
    render: (row) =>
      !hasModelProfiles(row.protocol) ? (
        '--'
      ) : (
        <Permit action="030803">
          <Button aria-label={t('设置 {{model}} 的锁控协议', { model: row.model })} onClick={() => onOpen(row)}>
            {t('设置')}
          </Button>
        </Permit>
      ),
  }
  return [...columns, act]
}
