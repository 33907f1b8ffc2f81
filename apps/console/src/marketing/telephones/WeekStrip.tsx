import { useState, type ReactNode } from 'react'
import {
  linesAt,
  telephoneEndpoints,
  weekOf,
  type TelephoneLine,
  type WeekPart,
} from '@saddle/contract/marketing/telephones.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { instantOf } from '#kit/form/otherFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { DayInput } from '#kit/ui/DayInput.tsx'
import { PhoneCard, PhoneFrame } from '#kit/ui/PhoneFrame.tsx'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { clockText, weekdayNames } from './telephoneFields.tsx'

const dayMinutes = 1_440

/** The week of one area: when nobody answers, when several do, and what a rider sees at a moment. */
export function WeekStrip(): ReactNode {
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000 })
  const [chosen, setChosen] = useState<number | null>(null)
  const [typedAt, setTypedAt] = useState('')
  const offered = areas.data?.data.list ?? []
  const area = offered.find(({ id }) => id === chosen) ?? offered[0]
  const agentId = area?.agentId ?? 0
  const isKnown = area !== undefined
  const lines = useEndpoint(
    telephoneEndpoints.listTelephones,
    { filter: { agentIds: [agentId], states: ['on'] }, pageSize: 200 },
    { enabled: isKnown },
  )
  const holidays = useEndpoint(telephoneEndpoints.listHolidays, { agentId }, { enabled: isKnown })
  if (area === undefined) return null
  const own = lines.data?.data.list ?? []
  const days = holidays.data?.data.list ?? []
  const at = instantOf(typedAt) ?? serverNow()
  const holiday = days.find(({ day }) => day === businessDayOf(at))
  const shown = linesAt(own, { areaId: area.id, at, holidays: new Set(days.map(({ day }) => day)) })
  return (
    <section className="telephone-now" aria-label={t('各时段的客服电话')}>
      <div className="telephone-week">
        <header>
          <label>
            {t('服务区')}{' '}
            <SelectOne
              label={t('服务区')}
              value={area.id}
              options={offered.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setChosen}
              isSearched
            />
          </label>
          <DayInput label={t('查看时间')} value={typedAt} onChange={setTypedAt} withTime isOptional />
        </header>
        <Week parts={weekOf(own, area.id)} lines={own} />
      </div>
      <div className="telephone-phone">
        <PhoneFrame label={t('骑行者看到的')} title={t('联系客服')}>
          {shown.open.map(({ id, label, number }) => (
            <PhoneCard key={id} title={number} lines={[label]} aside={t('拨打')} />
          ))}
          {shown.open.length === 0 && (
            <p className="help-missing">
              {shown.nextAt === null
                ? t('没有可拨打的电话')
                : t('现在无人接听，{{time}} 起可拨打', { time: dateTime(shown.nextAt).slice(0, 16) })}
            </p>
          )}
          {holiday !== undefined && <small>{t('当天为节假日：{{name}}', { name: holiday.name })}</small>}
        </PhoneFrame>
      </div>
    </section>
  )
}

const countOf = ({ lineIds }: WeekPart): 'none' | 'one' | 'many' =>
  lineIds.length === 0 ? 'none' : lineIds.length === 1 ? 'one' : 'many'

function Week({ parts, lines }: { parts: readonly WeekPart[]; lines: readonly TelephoneLine[] }) {
  const names = new Map(lines.map(({ id, label }) => [id, label]))
  const said = (part: WeekPart): string => {
    const [from, to] = [part.from % dayMinutes, part.to % dayMinutes || dayMinutes]
    const who = part.lineIds.map((id) => names.get(id) ?? id).join(t('、'))
    return `${clockText(from)}–${clockText(to)} ${who === '' ? t('无人接听') : who}`
  }
  const open = parts.filter((part) => part.lineIds.length === 0).reduce((sum, { from, to }) => sum + to - from, 0)
  return (
    <>
      <dl className="telephone-days">
        {weekdayNames().map((name, day) => {
          const own = parts.filter(({ from }) => Math.floor(from / dayMinutes) === day)
          return [
            <dt key={`${name} day`}>{name}</dt>,
            <dd key={name} className="telephone-strip" aria-label={own.map(said).join(t('；'))}>
              {own.map((part) => (
                <span
                  key={part.from}
                  data-count={countOf(part)}
                  title={said(part)}
                  style={{ flexGrow: part.to - part.from }}
                />
              ))}
            </dd>,
          ]
        })}
      </dl>
      <p className="telephone-key">
        <span>{t('绿色：一条电话')}</span>
        <span>{t('蓝色：多条电话，按优先级显示')}</span>
        <span>{t('斜纹：无人接听')}</span>
      </p>
      {open > 0 && (
        <p className="telephone-gaps">{t('每周有 {{hours}} 小时无人接听', { hours: Math.round(open / 6) / 10 })}</p>
      )}
    </>
  )
}
