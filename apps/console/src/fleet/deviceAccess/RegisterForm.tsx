import type { ReactNode } from 'react'
import { registrationEndpoints, type DeviceAccess } from '@saddle/contract/fleet/registration.ts'
import { deviceProtocolLabels, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { unknownDeviceEndpoints, type UnknownDevice } from '@saddle/contract/fleet/unknownDevices.ts'
import { useAreaOptions } from '#kit/areaOptions.ts'
import { flag, select, type Option } from '#kit/form/choiceFields.tsx'
import type { Adjustments, Values } from '#kit/form/field.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { fixed } from '#kit/form/otherFields.tsx'
import { text, vehicleNumber } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

interface Props {
  /** The device that called, when it is registered from the list of those. */
  readonly caller: UnknownDevice | null
  readonly onClose: () => void
  readonly onDone: (access: DeviceAccess) => void
}

const stale = [unknownDeviceEndpoints.listUnknownDevices, searchEndpoints.searchVehicles]

/** Registers one vehicle with its device. */
export default function RegisterForm({ caller, onClose, onDone }: Props): ReactNode {
  const shared = {
    title: t('登记车辆'),
    widthPx: 560,
    stale,
    adjust,
    submit: ({ number }: { readonly number?: string }) =>
      number === undefined ? t('登记车辆') : t('登记 {{number}}', { number: number.toUpperCase() }),
    onClose,
    onDone: ({ data }: { readonly data: DeviceAccess }) => onDone(data),
  }
  const choices = { models: useModels(), areas: useAreaOptions() }
  if (caller === null) {
    return (
      <FormDialog
        {...shared}
        call={registrationEndpoints.registerVehicle}
        about="new"
        fields={fieldsOf({ ...choices, caller, under: '' })}
        input={(values) => values}
      />
    )
  }
  return (
    <FormDialog
      {...shared}
      call={unknownDeviceEndpoints.acceptUnknownDevice}
      about={caller.name}
      fields={fieldsOf({ ...choices, caller, under: 'registration.' })}
      input={(values) => ({ name: caller.name, registration: values })}
    />
  )
}

interface FieldsOptions {
  readonly caller: UnknownDevice | null
  /** Where the registration stands in the call's input. */
  readonly under: '' | 'registration.'
  readonly models: readonly string[]
  readonly areas: readonly Option<number>[]
}

const terminalNumberPattern = /^\d{12}$/

/** What the device itself has said cannot be changed. */
function fieldsOf({ caller, under, models, areas }: FieldsOptions) {
  const protocol = { label: t('协议'), at: `${under}protocol` }
  const imei = { label: 'IMEI', at: `${under}imei`, refusals: ['imei_taken', 'imei_check_digit'] as const }
  const terminalNumber = {
    label: t('终端号（2013 版终端）'),
    at: `${under}terminalNumber`,
    refusals: ['terminal_number_taken', 'terminal_number_unfit'] as const,
  }
  const own = caller?.name ?? ''
  return {
    number: vehicleNumber({ at: `${under}number`, refusals: ['vehicle_number_taken'], hint: 'SD000001' }),
    protocol:
      caller === null
        ? select<DeviceProtocol>({
            ...protocol,
            initial: 'mqtt',
            options: deviceProtocols.map((value) => ({ value, label: deviceProtocolLabels[value] })),
          })
        : fixed<DeviceProtocol>({
            ...protocol,
            value: caller.protocol,
            shown: deviceProtocolLabels[caller.protocol],
          }),
    imei: own.length === 15 ? fixed({ ...imei, value: own }) : text({ ...imei, hint: t('15 位数字') }),
    terminalNumber: terminalNumberPattern.test(own)
      ? fixed({ ...terminalNumber, value: own })
      : text({ ...terminalNumber, isOptional: true, hint: t('12 位数字，选填') }),
    model: text({ label: t('型号'), at: `${under}model`, suggestions: models }),
    areaId: select<number>({ label: t('加盟商与服务区'), at: `${under}areaId`, options: areas }),
    plate: text({ label: t('车牌'), at: `${under}plate`, isOptional: true, refusals: ['plate_taken'] }),
    isImeiUnchecked: flag({
      label: t('IMEI 校验位'),
      at: `${under}isImeiUnchecked`,
      initial: false,
      says: t('不核对 IMEI 校验位（少数厂家的编号不符合标准）'),
    }),
  }
}

type RegistrationFields = ReturnType<typeof fieldsOf>

function adjust({ protocol }: Values<RegistrationFields>): Adjustments<RegistrationFields> {
  if (protocol !== 'jt808') return { terminalNumber: { isHidden: true } }
  return { plate: { label: t('车牌（终端注册时会核对）'), hint: t('没有登记车牌时不核对') } }
}

function useModels(): readonly string[] {
  const { data } = useEndpoint(searchEndpoints.vehicleChoices, {}, { staleMs: 300_000, quiet: true })
  return data?.data.models ?? []
}
