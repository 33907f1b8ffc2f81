import type { ReactNode } from 'react'
import { bandsMax, chargeCodeLabels, timeStepsMax } from '@saddle/contract/riding/price.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import {
  withBand,
  withStep,
  type Amounts,
  type BandDraft,
  type DistanceDraft,
  type Draft,
  type StepDraft,
} from './draft.ts'
import { TextField } from './TextField.tsx'

interface Props {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}

/** Every rule of a price version as fields: amounts, steps of time, the way, and hours that cost more. */
export function RuleFields({ draft, onChange }: Props): ReactNode {
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part })
  return (
    <>
      <AmountFields amounts={draft.amounts} onChange={(amounts) => change({ amounts })} />
      <Steps steps={draft.steps} onChange={(steps) => change({ steps })} />
      <Distance distance={draft.distance} onChange={(distance) => change({ distance })} />
      <Bands bands={draft.bands} onChange={(bands) => change({ bands })} />
    </>
  )
}

function AmountFields({ amounts, onChange }: { amounts: Amounts; onChange: (amounts: Amounts) => void }) {
  const words: Readonly<Record<keyof Amounts, string>> = {
    start: t('起步价（元）'),
    free: t('免费时长（秒）'),
    cap: t('日封顶（元，留空为不封顶）'),
    insurance: t('骑行保险（元，0 为不收）'),
    outOfPlace: t('停车点外调度费（元）'),
    outsideArea: t('服务区外调度费（元）'),
    noStop: t('禁停区还车费（元，留空为不能还车）'),
  }
  const names = Object.keys(words) as (keyof Amounts)[]
  return (
    <div className="price-fields">
      {names.map((name) => (
        <TextField
          key={name}
          label={words[name]}
          value={amounts[name]}
          onChange={(value) => onChange({ ...amounts, [name]: value })}
        />
      ))}
    </div>
  )
}

/** The row with this id, changed in part. */
const changed = <Row extends { readonly id: number }>(rows: readonly Row[], id: number, part: Partial<Row>): Row[] =>
  rows.map((row) => (row.id === id ? Object.assign({}, row, part) : row))
const without = <Row extends { readonly id: number }>(rows: readonly Row[], id: number): Row[] =>
  rows.filter((row) => row.id !== id)

function Steps({ steps, onChange }: { steps: readonly StepDraft[]; onChange: (steps: readonly StepDraft[]) => void }) {
  return (
    <fieldset className="price-ladder">
      <legend>{t('时长阶梯')}</legend>
      {steps.map(({ id, from, every, yuan }, index) => (
        <fieldset key={id} className="price-fields" aria-label={t('第 {{n}} 级', { n: index + 1 })}>
          <TextField
            label={index === 0 ? t('起步价含（分钟）') : t('从第几分钟起')}
            value={from}
            onChange={(value) => onChange(changed(steps, id, { from: value }))}
          />
          <TextField
            label={t('此后每（分钟）')}
            value={every}
            onChange={(value) => onChange(changed(steps, id, { every: value }))}
          />
          <TextField
            label={t('每段（元）')}
            value={yuan}
            onChange={(value) => onChange(changed(steps, id, { yuan: value }))}
          />
          <Remove
            label={t('删除第 {{n}} 级', { n: index + 1 })}
            disabled={steps.length === 1}
            onClick={() => onChange(without(steps, id))}
          />
        </fieldset>
      ))}
      <Button disabled={steps.length >= timeStepsMax} onClick={() => onChange(withStep(steps))}>
        {t('增加一级')}
      </Button>
    </fieldset>
  )
}

function Remove({ label, disabled = false, onClick }: { label: string; disabled?: boolean; onClick: () => void }) {
  return (
    <Button look="quiet" disabled={disabled} onClick={onClick}>
      {label}
    </Button>
  )
}

const usualDistance: DistanceDraft = { from: '5000', every: '1000', yuan: '0.50' }

interface DistanceProps {
  readonly distance: DistanceDraft | null
  readonly onChange: (distance: DistanceDraft | null) => void
}

function Distance({ distance, onChange }: DistanceProps) {
  return (
    <fieldset className="price-ladder">
      <legend>{t(chargeCodeLabels.distance)}</legend>
      <label className="price-switch">
        <input
          type="checkbox"
          checked={distance !== null}
          onChange={(event) => onChange(event.target.checked ? usualDistance : null)}
        />
        {t('按里程另外收费')}
      </label>
      {distance !== null && (
        <div className="price-fields">
          <TextField
            label={t('超出（米）')}
            value={distance.from}
            onChange={(from) => onChange({ ...distance, from })}
          />
          <TextField
            label={t('此后每（米）')}
            value={distance.every}
            onChange={(every) => onChange({ ...distance, every })}
          />
          <TextField
            label={t('每段（元）')}
            value={distance.yuan}
            onChange={(yuan) => onChange({ ...distance, yuan })}
          />
        </div>
      )}
    </fieldset>
  )
}

function Bands({ bands, onChange }: { bands: readonly BandDraft[]; onChange: (bands: readonly BandDraft[]) => void }) {
  return (
    <fieldset className="price-ladder">
      <legend>{t(chargeCodeLabels.band)}</legend>
      {bands.map((band) => (
        <Band
          key={band.id}
          band={band}
          onChange={(part) => onChange(changed(bands, band.id, part))}
          onRemove={() => onChange(without(bands, band.id))}
        />
      ))}
      <Button disabled={bands.length >= bandsMax} onClick={() => onChange(withBand(bands, t('新时段')))}>
        {t('增加时段')}
      </Button>
    </fieldset>
  )
}

interface BandProps {
  readonly band: BandDraft
  readonly onChange: (part: Partial<BandDraft>) => void
  readonly onRemove: () => void
}

function Band({ band, onChange, onRemove }: BandProps) {
  const days = [t('周一'), t('周二'), t('周三'), t('周四'), t('周五'), t('周六'), t('周日')]
  const turn = (day: number) =>
    onChange({
      weekdays: band.weekdays.includes(day) ? band.weekdays.filter((one) => one !== day) : [...band.weekdays, day],
    })
  return (
    <fieldset className="price-band" aria-label={band.name}>
      <div className="price-fields">
        <TextField label={t('时段名称')} value={band.name} onChange={(name) => onChange({ name })} />
        <TextField label={t('开始时刻')} type="time" value={band.from} onChange={(from) => onChange({ from })} />
        <TextField label={t('结束时刻')} type="time" value={band.to} onChange={(to) => onChange({ to })} />
        <TextField label={t('加价（%）')} value={band.percent} onChange={(percent) => onChange({ percent })} />
      </div>
      <div className="price-days">
        {days.map((name, index) => (
          <label key={name} className="price-switch">
            <input type="checkbox" checked={band.weekdays.includes(index + 1)} onChange={() => turn(index + 1)} />
            {name}
          </label>
        ))}
        <Remove label={t('删除时段“{{name}}”', { name: band.name })} onClick={onRemove} />
      </div>
    </fieldset>
  )
}
