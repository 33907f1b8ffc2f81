import { useState, type ReactNode } from 'react'
import { returnKindLabels, returnKinds, type PriceRules, type ReturnKind } from '@saddle/contract/riding/price.ts'
import { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { instantOf } from '#kit/form/otherFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { DayInput } from '#kit/ui/DayInput.tsx'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useLater } from '#kit/useLater.ts'
import { PriceLines } from '../detail/PriceLines.tsx'
import { TextField } from './TextField.tsx'

interface Props {
  readonly areaId: number
  readonly rules: PriceRules
  /** False: the area has no price yet that the rules could be held against. */
  readonly isPriced: boolean
}

const ridesMaxMinutes = 7 * 24 * 60

/** One made-up ride under the rules as they are being written, beside what it costs now. */
export function Preview({ areaId, rules, isPriced }: Props): ReactNode {
  const [now] = useState(serverNow)
  const [start, setStart] = useState('')
  const [minutes, setMinutes] = useState('25')
  const [km, setKm] = useState('3')
  const [returnKind, setReturnKind] = useState<ReturnKind>('in_place')
  const startedAt = instantOf(start) ?? now
  const distanceM = Number(km) * 1_000
  const length = Number(minutes)
  const isRide = length >= 0 && length <= ridesMaxMinutes && distanceM >= 0 && distanceM <= 1_000_000
  const ride = { areaId, startedAt, endedAt: startedAt + length * minuteMs, distanceM, returnKind, benefits: [] }
  return (
    <fieldset className="price-ladder price-try">
      <legend>{t('试算一次骑行')}</legend>
      <div className="price-fields">
        <label>
          {t('开始时间（留空为现在）')}
          <DayInput label={t('开始时间（留空为现在）')} value={start} onChange={setStart} withTime />
        </label>
        <TextField label={t('骑行时长（分钟）')} value={minutes} onChange={setMinutes} />
        <TextField label={t('里程（km）')} value={km} onChange={setKm} />
        <label>
          {t('还车判定')}
          <One
            label={t('还车判定')}
            value={returnKind}
            options={returnKinds.map((kind) => ({ value: kind, label: t(returnKindLabels[kind]) }))}
            onChange={(kind) => setReturnKind(kind ?? 'in_place')}
          />
        </label>
      </div>
      {isRide ? (
        <Sides ride={ride} rules={rules} isPriced={isPriced} />
      ) : (
        <p role="alert">{t('请填写有效的时长与里程')}</p>
      )}
    </fieldset>
  )
}

interface SidesProps {
  readonly ride: {
    readonly areaId: number
    readonly startedAt: number
    readonly endedAt: number
    readonly distanceM: number
    readonly returnKind: ReturnKind
    readonly benefits: never[]
  }
  readonly rules: PriceRules
  readonly isPriced: boolean
}

function Sides({ ride, rules, isPriced }: SidesProps) {
  const asked = useLater(JSON.stringify({ ride, rules }))
  const settled = JSON.parse(asked) as Pick<SidesProps, 'ride' | 'rules'>
  const quiet = { quiet: true, keepPrevious: true } as const
  const after = useEndpoint(priceEndpoints.itineraryCost, settled, quiet).data?.data
  const before = useEndpoint(priceEndpoints.itineraryCost, { ride: settled.ride }, { ...quiet, enabled: isPriced }).data
    ?.data
  return (
    <div className="price-sides">
      {before !== undefined && (
        <PriceLines
          label={t('当时生效的版本：{{name}}', { name: before.version?.name ?? '' })}
          lines={before.lines}
          totalCents={before.totalCents}
        />
      )}
      {after !== undefined && <PriceLines label={t('新规则')} lines={after.lines} totalCents={after.totalCents} />}
    </div>
  )
}
