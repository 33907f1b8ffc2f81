import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { taskFilterSchema } from '@saddle/contract/operations/tasks.ts'
import { t } from '#kit/i18n/index.ts'
import { useAddressFilter } from '#kit/list/addressFilter.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { RulesPanel } from '../taskRules/RulesPanel.tsx'
import { TaskBoard } from './TaskBoard.tsx'
import { TaskFilterBar } from './TaskFilterBar.tsx'
import { TaskPanel } from './TaskPanel.tsx'
import { TaskTable } from './TaskTable.tsx'
import '#kit/list/filter.css'
import '#kit/list/list.css'
import '../parts/work.css'

const NewTasks = onDemand(
  () => import('./NewTasks.tsx'),
  ({ onClose }) => onClose(),
)

const views = ['list', 'board', 'rules'] as const
type View = (typeof views)[number]

/** The work on the street: found, handed out, followed, reviewed, and the rules that ask for it. */
export default function TasksPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const [filter, setFilter] = useAddressFilter(taskFilterSchema)
  const [creating, setCreating] = useState(false)
  const view = views.find((one) => one === params.get('view')) ?? 'list'
  const shown = Number(params.get('task') ?? '') || null
  const put = (name: 'task' | 'view', value: string | null) =>
    setParams((old) => {
      const next = new URLSearchParams(old)
      if (value === null) next.delete(name)
      else next.set(name, value)
      return next
    })
  const show = (id: number | null) => put('task', id === null ? null : String(id))
  const titles: Readonly<Record<View, string>> = { list: t('列表'), board: t('看板'), rules: t('任务规则') }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('运维任务')}</h1>
        <nav className="work-tabs" aria-label={t('视图')}>
          {views.map((one) => (
            <button
              key={one}
              type="button"
              aria-current={one === view ? 'page' : undefined}
              onClick={() => put('view', one === 'list' ? null : one)}
            >
              {titles[one]}
            </button>
          ))}
        </nav>
        <ButtonLink to="/field">{t('现场作业')}</ButtonLink>
        <Permit action="090901">
          <Button look="primary" onClick={() => setCreating(true)}>
            {t('新建任务')}
          </Button>
        </Permit>
      </header>
      {view === 'rules' ? (
        <RulesPanel />
      ) : (
        <>
          <TaskFilterBar filter={filter} onFilter={setFilter} />
          <div className="work">
            {view === 'board' ? (
              <div className="work-main">
                <TaskBoard filter={filter} onShow={show} />
              </div>
            ) : (
              <TaskTable filter={filter} onShow={show} onFilter={setFilter} />
            )}
            {shown !== null && <TaskPanel key={shown} id={shown} onClose={() => show(null)} />}
          </div>
        </>
      )}
      {creating && <NewTasks onClose={() => setCreating(false)} />}
    </div>
  )
}
