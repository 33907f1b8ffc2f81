import type { ReactNode } from 'react'
import { boundaryProblemLabels } from '@saddle/contract/organisation/boundary.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { CornerText } from '#kit/map/draw/CornerText.tsx'
import { withoutCorner } from '#kit/map/draw/sketch.ts'
import type { BoundaryDrawing } from '#kit/map/draw/useBoundary.ts'
import type { BoundaryFindings } from './useBoundaryPreview.ts'
import './boundary.css'

interface Props {
  readonly drawing: BoundaryDrawing
  readonly findings: BoundaryFindings
}

/** The boundary in words: what is wrong with it, its size, what it meets, and its corners as text. */
export function BoundaryFacts({ drawing, findings }: Props): ReactNode {
  const { corners, picked, plan } = drawing
  const { problem, areaKm2, preview } = findings
  return (
    <div className="boundary-facts">
      <p className="boundary-help">{t('拖动顶点调整边界，拖动边的中点新增顶点。')}</p>
      <dl>
        <div>
          <dt>{t('顶点')}</dt>
          <dd>{corners.length}</dd>
        </div>
        <div>
          <dt>{t('面积')}</dt>
          <dd>{areaKm2.toFixed(2)} km²</dd>
        </div>
      </dl>
      <div className="boundary-tools">
        <Button disabled={!drawing.canUndo} onClick={drawing.undo}>
          {t('撤销一步')}
        </Button>
        <Button disabled={!drawing.canRedo} onClick={drawing.redo}>
          {t('重做')}
        </Button>
        <Button
          disabled={picked === null || corners.length <= 3}
          onClick={() => {
            if (picked === null) return
            drawing.change({ sketch: withoutCorner(plan.sketch, picked) })
            drawing.pick(null)
          }}
        >
          {t('删除选中的顶点')}
        </Button>
      </div>
      <div aria-live="polite">
        {problem !== null && (
          <p className="draw-note" data-tone="bad">
            {t(boundaryProblemLabels[problem])}
          </p>
        )}
        {preview !== null && preview.overlaps.length > 0 && (
          <p className="draw-note" data-tone="warn">
            {t('与 {{names}} 重叠，仍可保存', {
              names: preview.overlaps.map(({ name, company }) => `${company} ${name}`).join('、'),
            })}
          </p>
        )}
        {preview !== null && preview.vehiclesOutside > 0 && (
          <p className="draw-note" data-tone="warn">
            {t('保存后有 {{count}} 辆车在边界之外', { count: preview.vehiclesOutside })}
          </p>
        )}
      </div>
      <CornerText
        sketch={plan.sketch}
        datum="wgs84"
        allowsCircle={false}
        onChange={(sketch) => {
          if (sketch.kind === 'polygon') drawing.change({ sketch })
        }}
      />
    </div>
  )
}
