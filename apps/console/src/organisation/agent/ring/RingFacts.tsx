import { useState, type ReactNode } from 'react'
import { ringProblemLabels } from '@saddle/contract/organisation/ring.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { parseCorners, removed, textOf } from '#kit/map/draw/corners.ts'
import type { Drawing } from './useCorners.ts'
import type { RingJudgement } from './useRingPreview.ts'
import './ring.css'

interface Props {
  readonly drawing: Drawing
  readonly judgement: RingJudgement
  readonly picked: number | null
  readonly onPick: (index: number | null) => void
}

/** The boundary in words: what is wrong with it, its size, what it meets, and its corners as text. */
export function RingFacts({ drawing, judgement, picked, onPick }: Props): ReactNode {
  const { corners } = drawing
  const { problem, areaKm2, told } = judgement
  return (
    <div className="ring-facts">
      <p className="ring-help">{t('拖动顶点调整边界，拖动边的中点新增顶点。')}</p>
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
      <div className="ring-tools">
        <Button disabled={!drawing.canUndo} onClick={drawing.undo}>
          {t('撤销一步')}
        </Button>
        <Button
          disabled={picked === null || corners.length <= 3}
          onClick={() => {
            if (picked === null) return
            drawing.change(removed(corners, picked))
            onPick(null)
          }}
        >
          {t('删除选中的顶点')}
        </Button>
      </div>
      <div aria-live="polite">
        {problem !== null && (
          <p className="ring-note" data-tone="bad">
            {t(ringProblemLabels[problem])}
          </p>
        )}
        {told !== null && told.overlaps.length > 0 && (
          <p className="ring-note" data-tone="warn">
            {t('与 {{names}} 重叠，仍可保存', {
              names: told.overlaps.map(({ name, company }) => `${company} ${name}`).join('、'),
            })}
          </p>
        )}
        {told !== null && told.vehiclesOutside > 0 && (
          <p className="ring-note" data-tone="warn">
            {t('保存后有 {{count}} 辆车在边界之外', { count: told.vehiclesOutside })}
          </p>
        )}
      </div>
      <CornerText drawing={drawing} />
    </div>
  )
}

/** For whoever cannot drag, and for boundaries that come from elsewhere. */
function CornerText({ drawing }: { readonly drawing: Drawing }) {
  const [typed, setTyped] = useState<string | null>(null)
  const given = typed === null ? null : parseCorners(typed)
  return (
    <details className="ring-text">
      <summary>{t('坐标（WGS-84）')}</summary>
      <textarea
        rows={6}
        spellCheck={false}
        aria-label={t('顶点坐标，每行“经度,纬度”，或 GeoJSON 多边形')}
        value={typed ?? textOf(drawing.corners)}
        onChange={(event) => setTyped(event.target.value)}
      />
      {typed !== null && given === null && (
        <p className="ring-note" data-tone="bad">
          {t('每行一个“经度,纬度”，至少三行；或粘贴 GeoJSON 多边形')}
        </p>
      )}
      <Button
        disabled={given === null}
        onClick={() => {
          if (given === null) return
          drawing.change(given)
          setTyped(null)
        }}
      >
        {t('应用坐标')}
      </Button>
    </details>
  )
}
