import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { workAreaEndpoints, type WorkArea } from '@saddle/contract/operations/workAreas.ts'
import { taskKindLabels, taskKinds } from '@saddle/contract/operations/taskWords.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { saveShown } from '../parts/saveShown.ts'
import { t } from '#kit/i18n/index.ts'
import { Keyword } from '#kit/list/FilterBar.tsx'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { spanText } from '../parts/words.ts'
import '#kit/list/filter.css'
import '#kit/list/list.css'
import '../parts/work.css'

const AreaForm = onDemand(
  () => import('./AreaForm.tsx'),
  ({ onClose }) => onClose(),
)
type Order = 'overdue' | 'open' | 'name'
const refreshEveryMs = minuteMs

/** Areas of field work: who works where, by when, and how much there is to do. */
export default function AreasPage(): ReactNode {
  const { data, error, refetch } = useEndpoint(
    workAreaEndpoints.listWorkAreas,
    {},
    { refetchIntervalMs: refreshEveryMs },
  )
  const [keyword, setKeyword] = useState('')
  const [order, setOrder] = useState<Order>('overdue')
  const [editing, setEditing] = useState<WorkArea | null>(null)
  const list = data?.data.list
    .filter(({ areaName, company, people }) =>
      [areaName, company, ...people.map(({ name }) => name)].some((text) => text.includes(keyword)),
    )
    .toSorted((a, b) => (order === 'name' ? a.areaName.localeCompare(b.areaName, 'zh') : b[order] - a[order]))
  const words: Readonly<Record<Order, string>> = {
    overdue: t('超时多的在前'),
    open: t('待领取多的在前'),
    name: t('按名称'),
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('区域管理')}</h1>
        <Button disabled={list === undefined} onClick={() => list !== undefined && save(list)}>
          {t('导出')}
        </Button>
      </header>
      <search className="filter-row" aria-label={t('筛选条件')}>
        <Keyword label={t('服务区、加盟商或人员')} value={keyword} onChange={setKeyword} />
        <nav className="work-tabs" aria-label={t('排序')}>
          {(['overdue', 'open', 'name'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-current={one === order ? 'page' : undefined}
              onClick={() => setOrder(one)}
            >
              {words[one]}
            </button>
          ))}
        </nav>
      </search>
      {list === undefined && error === null && <Loading />}
      {list === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {list?.length === 0 && <Empty title={t('没有符合条件的服务区')} />}
      <div className="work-areas">
        {list?.map((area) => (
          <AreaCard key={area.areaId} area={area} onEdit={() => setEditing(area)} />
        ))}
      </div>
      {editing !== null && <AreaForm area={editing} onClose={() => setEditing(null)} />}
    </div>
  )
}

const tasksOf = (areaId: number, filter: object): string =>
  `/data/operation-tasks?filter=${encodeURIComponent(JSON.stringify({ areaIds: [areaId], ...filter }))}`

function AreaCard({ area, onEdit }: { readonly area: WorkArea; readonly onEdit: () => void }) {
  const { areaId, open, inWork, overdue, doneToday, doneYesterday, medianMinutes, inTimePercent } = area
  const change = doneToday - doneYesterday
  return (
    <article className="page-card work-area">
      <header>
        <strong>{area.areaName}</strong>
        <span className="work-note">{area.company}</span>
        <Button look="quiet" onClick={onEdit}>
          {t('设置')}
        </Button>
      </header>
      <div className="work-figures">
        <Link to={tasksOf(areaId, { states: ['open'] })}>
          {t('待领取')} <b>{open}</b>
        </Link>
        <Link to={tasksOf(areaId, { states: ['claimed', 'on_site'] })}>
          {t('处理中')} <b>{inWork}</b>
        </Link>
        <Link className={overdue > 0 ? 'work-late' : undefined} to={tasksOf(areaId, { overdue: true })}>
          {t('超时')} <b>{overdue}</b>
        </Link>
        <span>
          {t('今天完成')} <b>{doneToday}</b>{' '}
          <small className="work-note">
            {t('较昨日同时 {{change}}', { change: change > 0 ? `+${change}` : String(change) })}
          </small>
        </span>
        <span>
          {t('车辆')} <b>{area.vehicles}</b>
        </span>
      </div>
      <div className="work-figures">
        <span>
          {t('近 7 天中位用时')} <b>{medianMinutes === null ? '--' : spanText(medianMinutes * minuteMs)}</b>
        </span>
        <span>
          {t('按时率')} <b>{inTimePercent === null ? '--' : `${Math.round(inTimePercent)}%`}</b>
        </span>
      </div>
      {area.kinds.length > 0 && (
        <div className="work-figures">
          {area.kinds.map(({ kind, unfinished }) => (
            <span key={kind}>
              {t(taskKindLabels[kind])} <b>{unfinished}</b>{' '}
              <small className="work-note">{spanText((area.targets[kind] ?? 0) * minuteMs)}</small>
            </span>
          ))}
        </div>
      )}
      <ul className="work-people" aria-label={t('负责人员')}>
        {area.people.length === 0 && <li className="work-note">{t('还没有指定负责人员')}</li>}
        {area.people.map((person) => (
          <li key={person.operatorId} className="work-chip" data-tone="info">
            {person.name} ·{' '}
            {person.kinds.length === taskKinds.length
              ? t('所有类型')
              : person.kinds.map((kind) => t(taskKindLabels[kind])).join('、')}{' '}
            · {t('在手 {{count}} 个', { count: person.unfinished })}
          </li>
        ))}
      </ul>
    </article>
  )
}

const save = (list: readonly WorkArea[]): void =>
  saveShown({
    fileName: 'work-areas.csv',
    titles: [
      t('服务区'),
      t('加盟商'),
      t('车辆'),
      t('待领取'),
      t('处理中'),
      t('超时'),
      t('今天完成'),
      t('近 7 天中位用时（分钟）'),
      t('按时率（%）'),
      t('负责人员'),
    ],
    rows: list.map((area) => [
      area.areaName,
      area.company,
      area.vehicles,
      area.open,
      area.inWork,
      area.overdue,
      area.doneToday,
      area.medianMinutes === null ? null : Math.round(area.medianMinutes),
      area.inTimePercent === null ? null : Math.round(area.inTimePercent),
      area.people.map(({ name }) => name).join('、'),
    ]),
  })
