import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { importEndpoints } from '@saddle/contract/production/imports.ts'
import { unitEndpoints, unitStageLabels, type Unit } from '@saddle/contract/production/units.ts'
import { Form } from '#kit/form/Form.tsx'
import { flag } from '#kit/form/choiceFields.tsx'
import { text, vehicleNumber } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { stageTone, staleUnits } from './words.ts'
import './units.css'

const listPath = '/production/vehicle-list'

/** Corrects what a vehicle is called and the numbers of its parts. The address names it: `?vehicle=1001`. */
export default function UnitEditPage(): ReactNode {
  const [params] = useSearchParams()
  const id = Number(params.get('vehicle'))
  const back = <ButtonLink to={listPath}>{t('去车辆列表')}</ButtonLink>
  if (!Number.isSafeInteger(id) || id <= 0) {
    return <Empty size="page" isHeading title={t('还没有选择车辆')} action={back} />
  }
  return <Loaded key={id} id={id} back={back} />
}

function Loaded({ id, back }: { readonly id: number; readonly back: ReactNode }) {
  const { data, error, refetch } = useEndpoint(unitEndpoints.listUnits, { filter: { id }, pageSize: 1 })
  if (data === undefined) {
    return error === null ? (
      <Loading size="page" />
    ) : (
      <ErrorState size="page" error={error} onRetry={() => void refetch()} />
    )
  }
  const [unit] = data.data.list
  if (unit === undefined) return <Empty size="page" isHeading title={t('没有这辆车')} action={back} />
  return (
    <div className="page">
      <header className="page-head">
        <h1>
          {t('车辆编辑')} {unit.number} <Mark tone={stageTone[unit.stage]}>{t(unitStageLabels[unit.stage])}</Mark>
        </h1>
        {back}
      </header>
      <section className="page-card unit-edit" aria-label={t('更正标识')}>
        <EditForm unit={unit} />
      </section>
    </div>
  )
}

function EditForm({ unit }: { readonly unit: Unit }) {
  const navigate = useNavigate()
  const wasHeard = unit.heardAt !== null || unit.state !== 'removed'
  return (
    <Form
      call={importEndpoints.uploadCarIdUpdate}
      about={unit.id}
      fields={{
        number: vehicleNumber({ initial: unit.number, refusals: ['vehicle_number_taken'] }),
        imei: text({ label: 'IMEI', initial: unit.imei, refusals: ['imei_taken', 'imei_check_digit'] }),
        model: text({ label: t('型号'), initial: unit.model, refusals: ['unit_in_contact'] }),
        serial: text({ label: 'SN', initial: unit.serial ?? '', isOptional: true, refusals: ['serial_taken'] }),
        mac: text({ label: 'MAC', initial: unit.mac ?? '', isOptional: true, refusals: ['mac_taken'] }),
        iccid: text({ label: 'ICCID', initial: unit.iccid ?? '', isOptional: true, refusals: ['iccid_taken'] }),
        isImeiUnchecked: flag({
          label: t('IMEI 校验位'),
          initial: false,
          says: t('不核对 IMEI 校验位（少数厂家的编号不符合标准）'),
        }),
      }}
      input={(values) => ({ ...values, vehicleId: unit.id })}
      submit={t('保存更正')}
      stale={staleUnits}
      done={() => t('已更正')}
      onDone={() => void navigate(listPath)}
    >
      <p>
        {wasHeard
          ? t('设备已连接过平台或车辆已投放：只能更正 SN、MAC 与 ICCID。')
          : t('设备首次连接之前，各项都可以更正。')}
      </p>
    </Form>
  )
}
