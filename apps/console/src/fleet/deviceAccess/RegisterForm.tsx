import Modal from 'antd/es/modal'
import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import {
  imeiSchema,
  registrationEndpoints,
  vehicleNumberSchema,
  type DeviceAccess,
} from '@saddle/contract/fleet/registration.ts'
import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { unknownDeviceEndpoints, type UnknownDevice } from '@saddle/contract/fleet/unknownDevices.ts'
import { deviceProtocolLabels, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { t } from '#kit/i18n/index.ts'
import { wordsOf } from '#kit/api/client.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint, useEndpointMutation } from '#kit/query.ts'
import { AccessFacts } from './AccessCard.tsx'

interface Props {
  /** The device that called, when it is registered from the list of those. */
  readonly caller: UnknownDevice | null
  readonly onClose: () => void
}

const terminalNumberPattern = /^\d{12}$/

/** One vehicle with its device comes into the register; then it says what the device must be told. */
export default function RegisterForm({ caller, onClose }: Props): ReactNode {
  const [done, setDone] = useState<DeviceAccess | null>(null)
  return (
    <Modal
      open
      width={560}
      footer={null}
      title={done === null ? t('登记车辆') : t('{{number}} 已登记', { number: done.number })}
      onCancel={onClose}
    >
      {done === null ? (
        <Form caller={caller} onClose={onClose} onDone={setDone} />
      ) : (
        <div className="da-form">
          <p className="da-note">{t('请按下面的内容配置设备。之后可在车辆详情的“设备接入”中再次查看。')}</p>
          <AccessFacts access={done} />
          <div className="da-foot">
            <Button look="primary" onClick={onClose}>
              {t('完成')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  )
}

type Draft = {
  number: string
  imei: string
  terminalNumber: string
  protocol: DeviceProtocol
  model: string
  areaId: number | null
  plate: string
  isImeiUnchecked: boolean
}

function draftOf(caller: UnknownDevice | null): Draft {
  const isImei = caller !== null && caller.name.length === 15
  return {
    number: '',
    imei: isImei ? caller.name : '',
    terminalNumber: caller !== null && terminalNumberPattern.test(caller.name) ? caller.name : '',
    protocol: caller?.protocol ?? 'mqtt',
    model: '',
    areaId: null,
    plate: '',
    isImeiUnchecked: false,
  }
}

interface FormProps extends Props {
  readonly onDone: (access: DeviceAccess) => void
}

function Form({ caller, onClose, onDone }: FormProps) {
  const [draft, setDraft] = useState(() => draftOf(caller))
  const [refusal, setRefusal] = useState<string | null>(null)
  const put = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const options = {
    invalidates: [unknownDeviceEndpoints.listUnknownDevices, searchEndpoints.searchVehicles],
    onSuccess: ({ data }: { data: DeviceAccess }) => onDone(data),
    onError: (error: Parameters<typeof wordsOf>[0]) => setRefusal(wordsOf(error)),
  }
  const register = useEndpointMutation(registrationEndpoints.registerVehicle, options)
  const accept = useEndpointMutation(unknownDeviceEndpoints.acceptUnknownDevice, options)
  const isBusy = register.isPending || accept.isPending
  const faults = faultsOf(draft)
  const { areaId, terminalNumber, plate } = draft
  const isTerminal = draft.protocol === 'jt808'
  const submit = () => {
    if (isBusy || faults.length > 0 || areaId === null) return
    setRefusal(null)
    const registration = {
      number: draft.number,
      imei: draft.imei,
      protocol: draft.protocol,
      model: draft.model,
      areaId,
      isImeiUnchecked: draft.isImeiUnchecked,
      ...(isTerminal && terminalNumber.trim() !== '' && { terminalNumber }),
      ...(plate.trim() !== '' && { plate }),
    }
    if (caller === null) register.mutate({ input: registration })
    else accept.mutate({ input: { name: caller.name, registration } })
  }
  return (
    <form
      className="da-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="da-pair">
        <Text
          label={t('车辆编号')}
          value={draft.number}
          max={20}
          hint="SD000001"
          onChange={(number) => put({ number })}
        />
        <label>
          {t('协议')}
          <Select<DeviceProtocol>
            aria-label={t('协议')}
            value={draft.protocol}
            disabled={caller !== null}
            options={deviceProtocols.map((value) => ({ value, label: deviceProtocolLabels[value] }))}
            onChange={(protocol) => put({ protocol })}
          />
        </label>
      </div>
      <div className="da-pair">
        <Text
          label="IMEI"
          value={draft.imei}
          max={20}
          hint={t('15 位数字')}
          readOnly={caller?.name.length === 15}
          onChange={(imei) => put({ imei })}
        />
        {isTerminal && (
          <Text
            label={t('终端号（2013 版终端）')}
            value={terminalNumber}
            max={12}
            hint={t('12 位数字，选填')}
            readOnly={caller !== null && terminalNumberPattern.test(caller.name)}
            onChange={(text) => put({ terminalNumber: text })}
          />
        )}
      </div>
      <div className="da-pair">
        <Models value={draft.model} onChange={(model) => put({ model })} />
        <Areas value={areaId} onChange={(id) => put({ areaId: id })} />
      </div>
      <Text
        label={isTerminal ? t('车牌（终端注册时会核对）') : t('车牌（选填）')}
        value={plate}
        max={20}
        hint={isTerminal ? t('没有登记车牌时不核对') : ''}
        onChange={(text) => put({ plate: text })}
      />
      <label className="da-tick">
        <input
          type="checkbox"
          checked={draft.isImeiUnchecked}
          onChange={(event) => put({ isImeiUnchecked: event.target.checked })}
        />
        {t('不核对 IMEI 校验位（少数厂家的编号不符合标准）')}
      </label>
      {refusal !== null && (
        <p className="da-fault" role="alert">
          {refusal}
        </p>
      )}
      {draft.number !== '' && draft.imei !== '' && faults[0] !== undefined && <p className="da-fault">{faults[0]}</p>}
      <div className="da-foot">
        <Button onClick={onClose}>{t('取消')}</Button>
        <Button type="submit" look="primary" busy={isBusy} disabled={faults.length > 0}>
          {draft.number.trim() === ''
            ? t('登记车辆')
            : t('登记 {{number}}', { number: draft.number.trim().toUpperCase() })}
        </Button>
      </div>
    </form>
  )
}

/** What still keeps the form from being sent, in the order of its fields. */
function faultsOf({ number, imei, terminalNumber, protocol, model, areaId }: Draft): string[] {
  const faults: string[] = []
  if (!vehicleNumberSchema.safeParse(number).success) faults.push(t('车辆编号须为 4 至 20 位字母或数字'))
  if (!imeiSchema.safeParse(imei).success) faults.push(t('IMEI 须为 15 位数字'))
  if (protocol === 'jt808' && terminalNumber.trim() !== '' && !terminalNumberPattern.test(terminalNumber.trim())) {
    faults.push(t('终端号须为 12 位数字'))
  }
  if (model.trim() === '') faults.push(t('请填写型号'))
  if (areaId === null) faults.push(t('请选择服务区'))
  return faults
}

function Models({ value, onChange }: { value: string; onChange: (model: string) => void }) {
  const { data } = useEndpoint(searchEndpoints.vehicleChoices, {}, { staleMs: 300_000, quiet: true })
  return (
    <label>
      {t('型号')}
      <input
        className="filter-keyword"
        list="da-models"
        value={value}
        maxLength={40}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id="da-models">
        {(data?.data.models ?? []).map((model) => (
          <option key={model} value={model} aria-label={model} />
        ))}
      </datalist>
    </label>
  )
}

/** The service areas that the person has, by company: the area says whose the vehicle is. */
function Areas({ value, onChange }: { value: number | null; onChange: (id: number) => void }) {
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  const agents = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000, quiet: true })
  const companies = new Map((agents.data?.data.rows ?? []).map(({ agentId, company }) => [agentId, company]))
  const options = (areas.data?.data.list ?? []).map(({ id, name, agentId }) => {
    const company = companies.get(agentId)
    return { value: id, label: company === undefined ? name : `${company} · ${name}` }
  })
  return (
    <label>
      {t('加盟商与服务区')}
      <Select<number>
        aria-label={t('加盟商与服务区')}
        {...(value !== null && { value })}
        showSearch={{ optionFilterProp: 'label' }}
        options={options}
        onChange={onChange}
      />
    </label>
  )
}

interface TextProps {
  readonly label: string
  readonly value: string
  readonly max: number
  readonly hint: string
  readonly readOnly?: boolean
  readonly onChange: (text: string) => void
}

function Text({ label, value, max, hint, readOnly, onChange }: TextProps) {
  return (
    <label>
      {label}
      <input
        className="filter-keyword"
        value={value}
        maxLength={max}
        placeholder={hint}
        readOnly={readOnly}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
