import { useMemo, useState, type ReactNode } from 'react'
import { type AreaRow, areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { useAction } from '#kit/action/useAction.ts'
import { useDraft } from '#kit/form/draft.ts'
import { DraftOffer } from '#kit/form/DraftOffer.tsx'
import { LeaveGuard } from '#kit/form/LeaveGuard.tsx'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { companyCalls } from '../parts/companyCalls.ts'
import { BoundaryLayer } from '#kit/map/draw/BoundaryLayer.tsx'
import { boundsOf, cornersMin, cornersOf, type Corners } from '#kit/map/draw/corners.ts'
import { useBoundary } from '#kit/map/draw/useBoundary.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import { BoundaryFacts } from '../boundary/BoundaryFacts.tsx'
import { useBoundaryPreview } from '../boundary/useBoundaryPreview.ts'
import { AreaLayer } from './AreaLayer.tsx'
import './area.css'

/** What is drawn: a new area of a company from a first draft, or another boundary for an area that exists. */
export type Task =
  | { readonly kind: 'new'; readonly agentId: number; readonly company: string; readonly draft: Corners }
  | { readonly kind: 'change'; readonly area: AreaRow }

interface Props {
  readonly task: Task
  /** What is drawn already: neighbours are kept in sight. */
  readonly others: readonly AreaRow[]
  readonly onDone: (area: AreaRow) => void
  readonly onCancel: () => void
}

/** Name and boundary of one area, drawn on the map. */
export default function AreaEditor({ task, others, onDone, onCancel }: Props): ReactNode {
  const start = task.kind === 'new' ? task.draft : cornersOf(task.area.ring)
  const [focus] = useState(() => boundsOf(start))
  const drawing = useBoundary(start)
  const targets = useMemo(() => others.map(({ ring }) => ring), [others])
  const [name, setName] = useState(task.kind === 'new' ? '' : task.area.name)
  const about = task.kind === 'new' ? `new-${task.agentId}` : String(task.area.id)
  const draft = useDraft(`area:${about}`, { name, corners: drawing.corners }, drawing.isChanged, isAreaDraft)
  const findings = useBoundaryPreview(drawing.ring, task.kind === 'new' ? null : task.area.id)
  const { save, isSaving } = useSave(task, (area) => {
    draft.discard()
    onDone(area)
  })
  const isReady = name.trim() !== '' && findings.problem === null
  return (
    <div className="area-editor">
      <LeaveGuard isDirty={drawing.isChanged && !isSaving} isKept />
      <div className="page-card area-editor-map">
        <FocusMap label={t('边界编辑')} focus={focus}>
          <AreaLayer areas={others} selectedId={null} />
          <BoundaryLayer drawing={drawing} isWrong={findings.problem !== null} targets={targets} />
        </FocusMap>
      </div>
      <form
        className="page-card area-editor-form"
        aria-label={t('服务区')}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isSaving) save(name.trim(), drawing.ring)
        }}
      >
        <h2>
          {task.kind === 'new'
            ? t('为 {{company}} 新增服务区', { company: task.company })
            : t('编辑 {{name}}', { name: task.area.name })}
        </h2>
        {draft.offered !== null && (
          <DraftOffer
            onTakeUp={() => {
              const kept = draft.takeUp()
              if (kept === null) return
              setName(kept.name)
              drawing.setCorners(kept.corners)
            }}
            onDiscard={draft.discard}
          />
        )}
        <Field
          label={t('名称')}
          value={name}
          maxLength={40}
          placeholder={t('例如：老城服务区')}
          onChange={(event) => setName(event.target.value)}
        />
        <BoundaryFacts drawing={drawing} findings={findings} />
        <div className="area-foot">
          <Button
            onClick={() => {
              draft.discard()
              onCancel()
            }}
          >
            {t('取消')}
          </Button>
          <Button type="submit" look="primary" busy={isSaving} disabled={!isReady}>
            {t('保存')}
          </Button>
        </div>
      </form>
    </div>
  )
}

interface AreaDraft {
  readonly name: string
  readonly corners: Corners
}

function isAreaDraft(value: unknown): value is AreaDraft {
  if (typeof value !== 'object' || value === null) return false
  const { name, corners } = value as Partial<AreaDraft>
  return typeof name === 'string' && Array.isArray(corners) && corners.length >= cornersMin
}

function useSave(task: Task, onDone: (area: AreaRow) => void) {
  const create = useAction(areaEndpoints.createArea, {
    stale: companyCalls,
    done: ({ data }) => t('已新增服务区“{{name}}”', { name: data.name }),
    onDone: ({ data }) => onDone(data),
  })
  const back = useAction(areaEndpoints.changeArea, { stale: companyCalls })
  const change = useAction(areaEndpoints.changeArea, {
    stale: companyCalls,
    onDone: ({ data }) => {
      if (task.kind === 'new') return
      const { id, name, ring } = task.area
      notify.success({
        text: t('已保存服务区“{{name}}”', { name: data.name }),
        action: { label: t('撤销'), run: () => back.send({ id, name, ring }) },
      })
      onDone(data)
    },
  })
  const save = (name: string, ring: [number, number][]): void => {
    if (task.kind === 'new') create.send({ agentId: task.agentId, name, ring })
    else change.send({ id: task.area.id, name, ring })
  }
  return { save, isSaving: change.isBusy || create.isBusy }
}
