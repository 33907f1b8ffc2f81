import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import { shapeProblem, shapeProblemLabels, type ShapeProblem } from '@saddle/contract/geography/shape.ts'
import type { Datum } from '@saddle/geo/gcj02.ts'
import { useDraft } from '#kit/form/draft.ts'
import { DraftOffer } from '#kit/form/DraftOffer.tsx'
import { LeaveGuard } from '#kit/form/LeaveGuard.tsx'
import { t } from '#kit/i18n/index.ts'
import { DrawLayer } from '#kit/map/draw/DrawLayer.tsx'
import { polygonOf, shapeOf, withHole, type Polygon, type Sketch } from '#kit/map/draw/sketch.ts'
import { useDrawing } from '#kit/map/draw/useDrawing.ts'
import { FencePreview } from '#kit/map/FencePreview.tsx'
import { FenceShapes } from '#kit/map/FenceShapes.tsx'
import type { MapBounds } from '#kit/map/view.ts'
import { notify } from '#kit/notify.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Beside } from '../fences/Side.tsx'
import { boundsOf, kindWord } from '../fences/words.ts'
import { DrawBar } from './DrawBar.tsx'
import { EditorForm } from './EditorForm.tsx'
import { emptyPlan, formOf, linesOf, planOf, rebased, type Form, type Plan } from './plan.ts'
import { useDrawKeys } from '#kit/map/draw/useDrawKeys.ts'

/** A fence that is not there yet, or another version of one that is. */
export type Task = { readonly kind: 'new' } | { readonly kind: 'change'; readonly fence: Fence }

export interface EditorProps {
  readonly kind: FenceKind
  readonly datum: Datum
  /** All fences in force. */
  readonly drawn: readonly Fence[]
  readonly onFocus: (bounds: MapBounds) => void
  readonly onDone: (fence: Fence | null) => void
}

/** Drawing one fence: its shape on the map, its facts and what it would mean beside it. */
export function FenceEditor(props: EditorProps & { readonly task: Task }): ReactNode {
  const { task, kind, datum, drawn, onFocus, onDone } = props
  const theme = useTheme().appearance
  const [fence, setFence] = useState(task.kind === 'change' ? task.fence : null)
  const [form, setForm] = useState(() => formOf(fence))
  const [isSnapping, setSnapping] = useState(true)
  const [strip, setStrip] = useState<HTMLElement | null>(null)
  const drawing = useDrawing<Plan>(fence === null ? emptyPlan : planOf(fence), fence === null ? 'polygon' : 'edit')
  const { plan, tool, draft } = drawing
  const own = fence?.lineId ?? null
  const { sketch, pieces } = plan
  // Photos are too large to be kept.
  const kept = { sketch, pieces, form: { ...form, photos: [] } }
  const unsaved = useDraft(`fence:${kind}-${own ?? 'new'}`, kept, drawing.isChanged, isFenceDraft)
  const leave = (saved: Fence | null): void => {
    unsaved.discard()
    onDone(saved)
  }
  const { others, targets } = useNeighbours({ drawn, own, joined: plan.joined, isSnapping })
  const problem = plan.sketch === null ? null : shapeProblem(shapeOf(plan.sketch))
  // The shape in force stays in sight while another is drawn.
  const stored = useMemo(() => (fence === null ? [] : [{ ...fence, name: '', isOff: true }]), [fence])
  const finish = (): void => void finishLine(drawing)
  useDrawKeys({ drawing, onFinish: finish })
  useEffect(() => {
    if (task.kind === 'change') onFocus(boundsOf(task.fence))
    // Only once: after that, the user controls the view.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <>
      <FenceShapes list={others} theme={theme} />
      {drawing.isChanged && <FencePreview id="stored-shape" list={stored} />}
      <DrawLayer
        sketch={plan.sketch}
        others={plan.pieces}
        tool={tool}
        draft={draft}
        picked={drawing.picked}
        isWrong={problem !== null}
        targets={targets}
        onChange={(sketch) => drawing.change({ ...plan, sketch })}
        onPlace={drawing.place}
        onPick={drawing.pick}
        onFinish={finish}
      />
      <DrawBar
        drawing={drawing}
        kind={kind}
        own={own}
        drawn={others}
        isSnapping={isSnapping}
        onSnapping={setSnapping}
        onFinish={finish}
      />
      <div ref={setStrip} className="fences-strip" />
      <LeaveGuard isDirty={drawing.isChanged} isKept />
      <Beside>
        <SideHead
          kind={kind}
          fence={fence}
          problem={problem}
          hasDraft={unsaved.offered !== null}
          onTakeUp={() => {
            const earlier = unsaved.takeUp()
            if (earlier === null) return
            setForm(earlier.form)
            drawing.change({ sketch: earlier.sketch, pieces: earlier.pieces, joined: [] })
          }}
          onDiscard={unsaved.discard}
        />
        <EditorForm
          kind={kind}
          datum={datum}
          fence={fence}
          drawn={drawn}
          drawing={drawing}
          form={form}
          isSound={plan.sketch !== null && problem === null}
          strip={strip}
          onForm={setForm}
          onNewer={(newer, keepsMine) => {
            setFence(newer)
            setForm(keepsMine ? rebased(form, { base: fence, newer }) : formOf(newer))
            if (!keepsMine || !drawing.isChanged) drawing.change(planOf(newer))
          }}
          onFocus={onFocus}
          onDone={leave}
        />
      </Beside>
    </>
  )
}

/** The fences beside the edited one, and the lines of theirs that corners snap to. */
function useNeighbours(options: {
  readonly drawn: readonly Fence[]
  readonly own: number | null
  readonly joined: Plan['joined']
  readonly isSnapping: boolean
}) {
  const { drawn, own, joined, isSnapping } = options
  const others = useMemo(
    () => drawn.filter(({ lineId }) => lineId !== own && !joined.some((one) => one.lineId === lineId)),
    [drawn, own, joined],
  )
  const targets = useMemo(() => (isSnapping ? linesOf(others) : null), [isSnapping, others])
  return { others, targets }
}

/** Title, the draft of an earlier visit, and what is wrong with the shape. */
function SideHead({
  kind,
  fence,
  problem,
  hasDraft,
  onTakeUp,
  onDiscard,
}: {
  readonly kind: FenceKind
  readonly fence: Fence | null
  readonly problem: ShapeProblem | null
  readonly hasDraft: boolean
  readonly onTakeUp: () => void
  readonly onDiscard: () => void
}): ReactNode {
  return (
    <>
      <h2 className="fences-title">
        {fence === null ? t('新增{{kind}}', { kind: kindWord(kind) }) : t('编辑 {{name}}', { name: fence.name })}
      </h2>
      {hasDraft && <DraftOffer onTakeUp={onTakeUp} onDiscard={onDiscard} />}
      {problem !== null && (
        <p className="fences-note" data-tone="bad" role="alert">
          {t(shapeProblemLabels[problem])}
        </p>
      )}
    </>
  )
}

interface FenceDraft {
  readonly sketch: Sketch | null
  readonly pieces: readonly Polygon[]
  readonly form: Form
}

function isFenceDraft(value: unknown): value is FenceDraft {
  if (typeof value !== 'object' || value === null) return false
  const { sketch, pieces, form } = value as Partial<FenceDraft>
  return sketch !== undefined && Array.isArray(pieces) && typeof form?.name === 'string'
}

/** A line that is long enough becomes what its tool makes of it. */
async function finishLine(drawing: ReturnType<typeof useDrawing<Plan>>): Promise<void> {
  const { plan, tool, draft, change, drop } = drawing
  const { sketch } = plan
  if (tool === 'polygon' && draft.length >= 3) change({ ...plan, sketch: polygonOf(draft) })
  else if (tool === 'hole' && draft.length >= 3 && sketch?.kind === 'polygon') {
    change({ ...plan, sketch: withHole(sketch, draft) })
  } else if (tool === 'cut' && draft.length >= 2 && sketch !== null) {
    // Fetched when somebody cuts: it is more code than all the drawing.
    const { splitBy } = await import('#kit/map/draw/cut.ts')
    const [largest, ...pieces] = splitBy(sketch, draft)
    if (largest !== undefined && pieces.length > 0)
      change({ ...plan, sketch: largest, pieces: [...plan.pieces, ...pieces] })
    else {
      drop()
      notify.warning({ text: t('这条线没有把围栏切开，请从一侧画到另一侧') })
    }
  }
}
