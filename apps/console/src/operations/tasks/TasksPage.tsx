import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { PanelContext } from '#kit/list/DetailPanel.tsx'
import { ListFilters } from '#kit/list/filters/FilterBar.tsx'
import { useList } from '#kit/list/useList.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Loading } from '#kit/ui/states.tsx'
import { RulesPanel } from '../taskRules/RulesPanel.tsx'
import { taskFilters, tasks } from './list.ts'
import { TaskBoard } from './TaskBoard.tsx'
import { TaskListView } from './TaskListView.tsx'
import { TaskPanel } from './TaskPanel.tsx'
import '#kit/list/stateTabs.css'
import '../parts/work.css'

const NewTasksDialog = onDemand(
  () => import('./NewTasksDialog.tsx'),
  ({ onClose }) => onClose(),
)

const TaskMap = lazy(() => loadChunk(() => import('./TaskMap.tsx')))

const views = ['list', 'board', 'map', 'rules'] as const
type View = (typeof views)[number]

/** The work on the street: found, handed out, followed, reviewed, and the rules that ask for it. */
export default function TasksPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const [isCreating, setCreating] = useState(false)
  /** Those that the list shows beside itself are in the address as well, for who opens it again. */
  const [besideList] = useState(() => new Set<number>())
  const view = views.find((one) => one === params.get('view')) ?? 'list'
  const linked = Number(params.get('task') ?? '') || null
  const put = (name: 'task' | 'view', value: string | null, replace = false) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        if (value === null) next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace },
    )
  const show = (id: number | null) => put('task', id === null ? null : String(id))
  const noteBeside = (id: number) => {
    besideList.add(id)
    put('task', String(id), true)
  }
  const actions = (
    <>
      <Views view={view} onView={(next) => put('view', next === 'list' ? null : next)} />
      <ButtonLink to="/field">{t('现场作业')}</ButtonLink>
      <Permit action="090901">
        <Button look="primary" onClick={() => setCreating(true)}>
          {t('新建任务')}
        </Button>
      </Permit>
    </>
  )
  const isLinked = linked !== null && !(view === 'list' && besideList.has(linked))
  return (
    <>
      {view === 'list' && <TaskListView actions={actions} onShown={noteBeside} />}
      {view === 'board' && (
        <Framed actions={actions}>
          <Board onShow={show} />
        </Framed>
      )}
      {view === 'map' && (
        <Framed actions={actions}>
          <OnMap onShow={show} />
        </Framed>
      )}
      {view === 'rules' && (
        <Framed actions={actions}>
          <RulesPanel />
        </Framed>
      )}
      {isLinked && (
        <PanelContext value={{ close: () => show(null), previous: null, next: null, takesFocus: true, isOver: true }}>
          <TaskPanel key={linked} id={linked} onDecided={() => undefined} />
        </PanelContext>
      )}
      {isCreating && <NewTasksDialog onClose={() => setCreating(false)} />}
    </>
  )
}

function Framed({ actions, children }: { readonly actions: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="page">
      <header className="list-head">
        <h1>{t('运维任务')}</h1>
        {actions}
      </header>
      {children}
    </div>
  )
}

function Board({ onShow }: { readonly onShow: (id: number) => void }) {
  const list = useList(tasks)
  return (
    <>
      <ListFilters list={list} filters={taskFilters()} />
      <TaskBoard filter={list.filter} onShow={onShow} />
    </>
  )
}

function OnMap({ onShow }: { readonly onShow: (id: number) => void }) {
  const list = useList(tasks)
  return (
    <>
      <ListFilters list={list} filters={taskFilters()} />
      <Suspense fallback={<Loading />}>
        <TaskMap filter={list.filter} onShow={onShow} />
      </Suspense>
    </>
  )
}

function Views({ view, onView }: { readonly view: View; readonly onView: (view: View) => void }) {
  const titles: Readonly<Record<View, string>> = {
    list: t('列表'),
    board: t('看板'),
    map: t('地图'),
    rules: t('任务规则'),
  }
  return (
    <nav className="state-tabs" aria-label={t('视图')}>
      {views.map((one) => (
        <button key={one} type="button" aria-current={one === view ? 'page' : undefined} onClick={() => onView(one)}>
          {titles[one]}
        </button>
      ))}
    </nav>
  )
}
