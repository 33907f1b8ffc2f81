import { useState, type ReactNode } from 'react'
import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import { radiusLimitsM } from '@saddle/contract/geography/shape.ts'
import { t } from '#kit/i18n/index.ts'
import { asPolygon, sketchOf, withoutCorner } from '#kit/map/draw/sketch.ts'
import type { Drawing, Tool } from '#kit/map/draw/useDrawing.ts'
import { notify } from '#kit/notify.ts'
import { shapeOf } from '../fences/words.ts'
import { neighboursOf, type Plan } from './plan.ts'

interface Props {
  readonly drawing: Drawing<Plan>
  readonly kind: FenceKind
  readonly own: number | null
  readonly drawn: readonly Fence[]
  readonly isSnapping: boolean
  readonly onSnapping: (isSnapping: boolean) => void
  readonly onFinish: () => void
}

/** The tools over the map, large enough for a thumb. */
export function DrawBar({ drawing, kind, own, drawn, isSnapping, onSnapping, onFinish }: Props): ReactNode {
  const { plan, tool, draft, picked } = drawing
  const { sketch } = plan
  const [isJoining, setJoining] = useState(false)
  const isArea = kind === 'service_area'
  const tools: readonly (readonly [Tool, string, boolean])[] = [
    ['edit', t('调整'), sketch !== null],
    ['polygon', sketch === null ? t('画多边形') : t('重画多边形'), true],
    ['circle', sketch === null ? t('画圆') : t('重画圆'), !isArea],
    ['hole', t('挖空'), sketch?.kind === 'polygon' && !isArea],
    ['cut', t('拆分'), sketch !== null && !isArea],
  ]
  return (
    <div className="fences-draw" role="toolbar" aria-label={t('绘制工具')}>
      <div>
        {tools
          .filter(([, , isThere]) => isThere)
          .map(([one, word]) => (
            <button key={one} type="button" aria-pressed={tool === one} onClick={() => drawing.choose(one)}>
              {word}
            </button>
          ))}
        {own !== null && !isArea && sketch !== null && (
          <button type="button" aria-pressed={isJoining} onClick={() => setJoining(!isJoining)}>
            {t('合并')}
          </button>
        )}
      </div>
      <div>
        <button type="button" disabled={!drawing.canUndo} onClick={drawing.undo}>
          {t('撤销一步')}
        </button>
        <button type="button" disabled={!drawing.canRedo} onClick={drawing.redo}>
          {t('重做')}
        </button>
        {tool === 'edit' && sketch?.kind === 'polygon' && (
          <button
            type="button"
            disabled={picked === null}
            onClick={() => {
              if (picked === null) return
              drawing.change({ ...plan, sketch: withoutCorner(sketch, picked) })
              drawing.pick(null)
            }}
          >
            {t('删除选中的顶点')}
          </button>
        )}
        {sketch?.kind === 'circle' && (
          <Radius
            key={sketch.radiusM}
            value={sketch.radiusM}
            onChange={(radiusM) => drawing.change({ ...plan, sketch: { ...sketch, radiusM } })}
          />
        )}
        <button type="button" aria-pressed={isSnapping} onClick={() => onSnapping(!isSnapping)}>
          {t('吸附')}
        </button>
        {draft.length > 0 && (
          <button type="button" data-primary disabled={draft.length < (tool === 'cut' ? 2 : 3)} onClick={onFinish}>
            {t('完成')}
          </button>
        )}
      </div>
      <p aria-live="polite">{hintOf(tool, { placed: draft.length, isCircle: sketch?.kind === 'circle' })}</p>
      {isJoining && sketch !== null && (
        <Joining
          neighbours={neighboursOf(sketch, { kind, own, fences: drawn })}
          onJoin={(fence) => {
            setJoining(false)
            void join(drawing, fence)
          }}
        />
      )}
    </div>
  )
}

/** The radius in metres, for who knows it better than the hand; taken over on Enter and when the field is left. */
function Radius({ value, onChange }: { readonly value: number; readonly onChange: (radiusM: number) => void }) {
  const [typed, setTyped] = useState(String(Math.round(value)))
  const take = () => {
    const radiusM = Number(typed)
    const isValid = Number.isFinite(radiusM) && radiusM >= radiusLimitsM.min && radiusM <= radiusLimitsM.max
    if (!isValid) setTyped(String(Math.round(value)))
    else if (radiusM !== Math.round(value)) onChange(radiusM)
  }
  return (
    <label className="fences-radius">
      {t('半径（米）')}
      <input
        inputMode="numeric"
        maxLength={4}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && take()}
        onBlur={take}
      />
    </label>
  )
}

function hintOf(tool: Tool, { placed, isCircle }: { readonly placed: number; readonly isCircle: boolean }): string {
  if (tool === 'circle') return t('按住圆心向外拖出半径；轻点则为 20 米的圆')
  if (tool === 'edit' && isCircle) return t('拖动圆周上的点改变半径，或直接输入；拖动中心移动整体')
  if (tool === 'edit') return t('拖动顶点调整，拖动边的中点新增顶点，拖动中心移动整体；方向键微调选中的顶点')
  if (tool === 'cut') return placed === 0 ? t('从围栏一侧点到另一侧，画出切开的线') : t('双击或按 Enter 完成')
  return placed < 3 ? t('依次点出各个顶点') : t('点第一个顶点、双击或按 Enter 完成')
}

function Joining({
  neighbours,
  onJoin,
}: {
  readonly neighbours: readonly Fence[]
  readonly onJoin: (fence: Fence) => void
}): ReactNode {
  if (neighbours.length === 0) return <p>{t('附近没有可以合并的围栏')}</p>
  return (
    <ul className="fences-join" aria-label={t('合并')}>
      {neighbours.map((fence) => (
        <li key={fence.lineId}>
          <button type="button" onClick={() => onJoin(fence)}>
            {t('与 {{name}} 合并', { name: fence.name })}
          </button>
        </li>
      ))}
    </ul>
  )
}

async function join({ plan, change }: Drawing<Plan>, fence: Fence): Promise<void> {
  if (plan.sketch === null) return
  const { merged } = await import('#kit/map/draw/cut.ts')
  const sketch = merged(asPolygon(plan.sketch), sketchOf(shapeOf(fence)))
  if (sketch === null) {
    notify.warning({ text: t('两个围栏不相接，不能合并；请先移动或扩大其中一个') })
    return
  }
  change({ ...plan, sketch, joined: [...plan.joined, fence] })
}
