import { useState, type ReactNode } from 'react'
import {
  vehicleModelEndpoints,
  vehicleModelFields,
  vehicleModelList,
  type VehicleModel,
} from '@saddle/contract/fleet/models.ts'
import { hasModelProfiles } from '@saddle/contract/fleet/deviceProfiles.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { followedBy, profileLabel, provedBy, turnedBy } from './profileWords.ts'
import './deviceAccess.css'

const ModelForm = onDemand(
  () => import('./ModelForm.tsx'),
  ({ onClose }) => onClose(),
)

const models = listOf({
  list: vehicleModelList,
  call: vehicleModelEndpoints.listVehicleModels,
  file: vehicleModelEndpoints.exportVehicleModels,
  fields: vehicleModelFields,
  rowKey: ({ model, protocol }) => `${protocol} ${model}`,
})

interface Props {
  readonly title: string
  readonly actions: ReactNode
  readonly views: ReactNode
}

/** The models of the scope's vehicles, and how the locks of each are controlled. */
export function ModelList({ title, actions, views }: Props): ReactNode {
  const list = useList(models)
  const [shown, setShown] = useState<VehicleModel | null>(null)
  const maySet = list.rows?.[0]?.maySet
  return (
    <>
      <ListPage
        list={list}
        title={title}
        actions={actions}
        above={
          <>
            {views}
            <p className="da-note">
              {t('同一型号的终端按同一套锁控协议工作：它决定开锁、关锁时下发哪条消息，以及凭什么确认车锁已动作。')}
              {maySet === false && t('型号属于厂家，锁控协议由平台统一设置。')}
            </p>
          </>
        }
        filters={[keyword(t('型号'), 'keyword'), many('protocols', t('协议'), deviceProtocolLabels)]}
        columns={[...columns(), ...(maySet === true ? [actColumn(setShown)] : [])]}
        rowName={({ model }) => model}
        empty={t('登记车辆时填写的型号会出现在这里')}
      />
      {shown !== null && <ModelForm shown={shown} onClose={() => setShown(null)} />}
    </>
  )
}

/** Devices of one model may follow several profiles, as long as the model has none. */
const lines = (texts: readonly string[]): ReactNode =>
  [...new Set(texts)].map((text) => (
    <span key={text} className="da-line">
      {text}
    </span>
  ))

function ProfileCell(row: VehicleModel): ReactNode {
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

const columns = (): readonly ColumnSpec<VehicleModel>[] => [
  { key: 'model', card: 'head' },
  { key: 'protocol', card: 'head' },
  'vehicles',
  { key: 'profile', render: ProfileCell },
  { key: 'turn', title: t('开锁 · 关锁'), render: (row) => lines(followedBy(row).flatMap(turnedBy)) },
  { key: 'proof', title: t('确认依据'), card: 'none', render: (row) => lines(followedBy(row).map(provedBy)) },
  {
    key: 'changedAt',
    card: 'none',
    render: ({ changedAt, changedBy }) =>
      changedAt === null ? '--' : lines([...(changedBy === null ? [] : [changedBy]), dateTime(changedAt)]),
  },
]

const actColumn = (onOpen: (row: VehicleModel) => void): ColumnSpec<VehicleModel> => ({
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
})
