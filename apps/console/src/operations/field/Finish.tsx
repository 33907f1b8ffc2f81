import { useState, type ReactNode } from 'react'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoPicker } from '#kit/photos/PhotoPicker.tsx'
import type { PickedPhoto } from '#kit/photos/shrink.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Checks, isWholeChecked, listOfChecked, type Checked } from './Checks.tsx'
import { Compartment } from './Compartment.tsx'
import { Repair, type Repaired } from './Repair.tsx'
import { Scanner } from '#kit/scan/Scanner.tsx'
import { percentOf } from './TaskCard.tsx'
import { useOnline, useRepairChoices, type RepairChoices } from './useField.ts'

/** What the person brings back. */
export interface Brought {
  readonly scannedNumber?: string
  readonly photos: readonly string[]
  readonly batteryAfter?: number
  readonly reasonId?: number
  readonly parts?: Repaired['parts']
  readonly checks: ReturnType<typeof listOfChecked>
  readonly note: string
}

interface Props {
  readonly task: Task
  readonly onDone: (brought: Brought) => Promise<void>
}

const photosMax = 3
const noteMax = 200
const readEveryMs = 3_000
/** Nobody swaps a battery as full as this for another. */
const swappedFromPercent = 60

/** The proof of the work: the right vehicle, its battery, photos, a note. */
export function Finish({ task, onDone }: Props): ReactNode {
  const [number, setNumber] = useState<string | null>(null)
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>([])
  const [note, setNote] = useState('')
  const [checked, setChecked] = useState<Checked>({})
  const [typed, setTyped] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isSwap = task.kind === 'battery_swap'
  const isRepair = task.kind === 'repair'
  const isInspection = task.kind === 'inspect'
  const choices = useRepairChoices(isRepair || isInspection ? task.agentId : null)
  const [chosen, setRepaired] = useState<Repaired | null>(null)
  const repaired = chosen ?? (isRepair ? reported(task, choices) : nothingFound)
  const owesReason = isRepair && repaired.reasonId === null && (choices?.reasons.length ?? 0) > 0
  const told = useBattery(task, isSwap)
  const [before] = useState(told)
  // The old battery's level must not be submitted as the new battery's level.
  const isNew = told !== null && (told >= swappedFromPercent || told > (before ?? 0))
  const battery = typed ?? (isNew ? String(Math.round(told)) : '')
  const percent = battery === '' ? null : Number(battery)
  const isPercent = percent !== null && percent >= 0 && percent <= 100
  const isOther = number !== null && number !== task.number
  const owed =
    number === null
      ? t('请先扫码或输入编号，确认是任务的车辆')
      : isSwap && !isPercent
        ? t('请填写换后电量，0 至 100')
        : owesReason
          ? t('请选择故障原因')
          : isWholeChecked(task.kind, checked)
            ? null
            : t('请逐项检查')
  const done = async () => {
    setBusy(true)
    await onDone({
      ...(number !== null && { scannedNumber: number }),
      ...(isSwap && isPercent && { batteryAfter: percent }),
      ...((isRepair || isInspection) && repaired.reasonId !== null && { reasonId: repaired.reasonId }),
      ...(isRepair && repaired.parts.length > 0 && { parts: repaired.parts }),
      checks: listOfChecked(checked),
      photos: photos.map(({ base64 }) => base64),
      note: note.trim(),
    })
    setBusy(false)
  }
  return (
    <div className="field-finish">
      <h3>{t('核对车辆')}</h3>
      <Scanner onNumber={setNumber} />
      {isOther && (
        <p role="alert">{t('扫到的是 {{found}}，任务车辆是 {{number}}', { found: number, number: task.number })}</p>
      )}
      {number === task.number && <output data-tone="good">{t('车辆一致：{{number}}', { number })}</output>}
      {isSwap && <NewBattery task={task} value={battery} told={told} onChange={setTyped} />}
      {isRepair && choices !== undefined && <Repair choices={choices} value={repaired} onChange={setRepaired} />}
      {isInspection && choices !== undefined && choices.reasons.length > 0 && (
        <FoundFault choices={choices} value={chosen?.reasonId ?? null} onChange={setRepaired} />
      )}
      <Checks kind={task.kind} value={checked} onChange={setChecked} />
      <h3>{t('现场照片')}</h3>
      <PhotoPicker value={photos} onChange={setPhotos} max={photosMax} label={t('现场照片')} />
      <label className="field-note">
        {t('备注（选填）')}
        <textarea value={note} maxLength={noteMax} onChange={(event) => setNote(event.target.value)} />
      </label>
      <div className="field-do">
        {owed !== null && <p className="field-hint">{owed}</p>}
        <Button look="primary" wide busy={busy} disabled={owed !== null || isOther} onClick={() => void done()}>
          {t('完成 {{number}}', { number: task.number })}
        </Button>
      </div>
    </div>
  )
}

interface BatteryProps {
  readonly task: Task
  readonly value: string
  /** What the vehicle says of its battery. */
  readonly told: number | null
  readonly onChange: (typed: string) => void
}

function NewBattery({ task, value, told, onChange }: BatteryProps) {
  return (
    <>
      <h3>{t('更换电池')}</h3>
      <Compartment task={task} />
      <label className="field-battery">
        {t('换后电量 (%)')}
        <input
          type="number"
          inputMode="numeric"
          min={0}
          max={100}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <small>{t('车辆上报 {{percent}}', { percent: percentOf(told) })}</small>
      </label>
    </>
  )
}

interface FoundProps {
  readonly choices: RepairChoices
  readonly value: number | null
  readonly onChange: (found: Repaired) => void
}

/** What an inspection has found, if anything. */
function FoundFault({ choices, value, onChange }: FoundProps) {
  return (
    <label className="field-choice">
      {t('发现的故障（选填）')}
      <select
        value={value ?? ''}
        onChange={({ target }) => onChange({ reasonId: target.value === '' ? null : Number(target.value), parts: [] })}
      >
        <option value="">{t('没有发现故障')}</option>
        {choices.reasons.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

const nothingFound: Repaired = { reasonId: null, parts: [] }

/** What riders reported is what was wrong, until the person says otherwise. */
const reported = ({ triggerDetail }: Task, choices: RepairChoices | undefined): Repaired => ({
  reasonId: choices?.reasons.find(({ name }) => name === triggerDetail)?.id ?? null,
  parts: [],
})

/** The battery level that the vehicle reports, while online. */
function useBattery(task: Task, isWanted: boolean): number | null {
  const isOnline = useOnline()
  const { data } = useEndpoint(
    vehicleEndpoints.singleDeviceInfo,
    { id: task.vehicleId },
    { enabled: isWanted && isOnline, refetchIntervalMs: readEveryMs, quiet: true },
  )
  return data?.data.batteryPercent ?? task.vehicle.batteryPercent
}
