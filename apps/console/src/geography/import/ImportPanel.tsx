import { useEffect, useMemo, useState, type ReactNode } from 'react'
import {
  fenceFileMaxBytes,
  readFences,
  readProblemLabels,
  type ReadFence,
} from '@saddle/contract/geography/exchange.ts'
import { fenceManageEndpoints, type FenceCheck, type FenceDraft } from '@saddle/contract/geography/manage.ts'
import { type Datum, wgs84Of } from '@saddle/geo/gcj02.ts'
import { boxOf, type Shape } from '@saddle/geo/shape.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { FencePreview } from '#kit/map/FencePreview.tsx'
import { FenceShapes } from '#kit/map/FenceShapes.tsx'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { useLater } from '#kit/useLater.ts'
import type { EditorProps } from '../editor/FenceEditor.tsx'
import { areaAt } from '../editor/plan.ts'
import { useSave } from '../editor/useSave.ts'
import { Beside } from '../fences/Side.tsx'
import { kindWord } from '../fences/words.ts'
import { AreaChoice } from './AreaChoice.tsx'
import { mainPart } from './mainPart.ts'

/** Fences from a file or a pasted list: read, reviewed with the errors of each, and only then imported. */
export function ImportPanel({ kind, datum, drawn, onFocus, onDone }: EditorProps): ReactNode {
  const theme = useTheme().appearance
  const [source, setSource] = useState<SourceText>({ text: '', system: datum, radius: '20' })
  const { text, system, radius } = source
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [chosenArea, setArea] = useState<number | undefined>()
  const read = useMemo(
    () => (text.trim() === '' ? null : readFences(text, { radiusM: Number(radius) || 20, unnamed: t('未命名') })),
    [text, radius],
  )
  const fences = useMemo(() => (read?.fences ?? []).map((one) => inWgs84(one, system)), [read, system])
  const taken = fences.filter(({ n, draft }) => draft !== null && !left.has(n))
  const drafts = taken.flatMap(({ draft }) => draft ?? [])
  const [first] = drafts
  const areaId = chosenArea ?? (first === undefined ? undefined : areaAt(middleOf(first.shape), drawn)?.areaId)
  const checks = useChecks({ kind, areaId, drafts })
  const leave = (those: readonly ReadFence[]): void => setLeft(new Set([...left, ...those.map(({ n }) => n)]))
  const elsewhere = taken.filter((_, index) => checks?.[index]?.outside === 'all')
  const sameNamed = taken.filter((_, index) => checks?.[index]?.nameTaken === true)
  useEffect(() => {
    const ring = fences.flatMap(({ draft }) => (draft === null ? [] : [middleOf(draft.shape)]))
    if (ring.length > 0) onFocus(boxOf({ ring: mainPart(ring), holes: [] }))
    // Moves the map when the list of fences changes, not with every tick.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [fences])
  const saving = useSave({ fence: null, onDone })
  const toggle = (n: number): void => {
    const next = new Set(left)
    if (!next.delete(n)) next.add(n)
    setLeft(next)
  }
  return (
    <>
      <FenceShapes list={drawn} theme={theme} />
      <FencePreview
        id="incoming"
        list={fences.flatMap(({ n, draft }) => (draft === null ? [] : [shown(draft, left.has(n))]))}
      />
      <Beside>
        <h2 className="fences-title">{t('批量导入{{kind}}', { kind: kindWord(kind) })}</h2>
        <div className="fences-form">
          <Source
            source={source}
            areaId={areaId}
            onArea={setArea}
            onText={(text) => {
              setLeft(new Set())
              setSource({ ...source, text })
            }}
            onChange={(part) => setSource({ ...source, ...part })}
          />
          {read?.problem !== undefined && read.problem !== null && (
            <p className="fences-note" data-tone="bad" role="alert">
              {t(readProblemLabels[read.problem])}
            </p>
          )}
          <Incoming
            fences={fences}
            left={left}
            checks={new Map(taken.map(({ n }, index) => [n, checks?.[index]]))}
            onToggle={toggle}
            onShow={(shape) => onFocus(boxOf(shape))}
          />
          <Conflicts sameNamed={sameNamed} elsewhere={elsewhere} onLeave={leave} />
          <div className="fences-foot">
            <Button onClick={() => onDone(null)}>{t('取消')}</Button>
            <Button
              look="primary"
              busy={saving.isSaving}
              disabled={drafts.length === 0 || areaId === undefined || sameNamed.length > 0}
              onClick={() => {
                if (areaId !== undefined) saving.save({ kind, areaId, drafts, joined: [], note: t('批量导入') })
              }}
            >
              {t('导入 {{count}} 个', { count: drafts.length })}
            </Button>
          </div>
        </div>
      </Beside>
    </>
  )
}

interface SourceText {
  readonly text: string
  readonly system: Datum
  /** Metres, as typed: of points without a radius of their own. */
  readonly radius: string
}

interface SourceProps {
  readonly source: SourceText
  readonly areaId: number | undefined
  readonly onArea: (areaId: number | undefined) => void
  readonly onText: (text: string) => void
  readonly onChange: (part: Partial<SourceText>) => void
}

/** Longer texts are not shown whole and cannot be edited here. */
const editableChars = 20_000

function Source({ source: { text, system, radius }, areaId, onArea, onText, onChange }: SourceProps): ReactNode {
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > fenceFileMaxBytes) return notify.error({ text: t(readProblemLabels.too_large) })
    onText(await file.text())
  }
  return (
    <>
      <input
        type="file"
        accept=".json,.geojson,.kml,.csv,.txt"
        aria-label={t('选择 GeoJSON、KML 或 CSV 文件')}
        onChange={(event) => void read(event.target.files?.[0])}
      />
      <textarea
        rows={5}
        spellCheck={false}
        className="fences-paste"
        aria-label={t('或在此粘贴')}
        placeholder={t('每行：名称,经度,纬度,半径,容量,开放,关闭；也可粘贴 GeoJSON 或 KML')}
        value={text.length > editableChars ? `${text.slice(0, editableChars)}…` : text}
        readOnly={text.length > editableChars}
        onChange={(event) => onText(event.target.value)}
      />
      <div className="fences-two">
        <One<Datum>
          label={t('坐标系')}
          value={system}
          options={[
            { value: 'wgs84', label: 'WGS-84' },
            { value: 'gcj02', label: t('GCJ-02（腾讯、高德）') },
          ]}
          onChange={(next) => onChange({ system: next ?? 'wgs84' })}
        />
        <AreaChoice value={areaId} onChange={onArea} />
      </div>
      <Field
        label={t('没有半径的点按此半径（米）')}
        inputMode="numeric"
        value={radius}
        onChange={(event) => onChange({ radius: event.target.value })}
      />
    </>
  )
}

interface ConflictsProps {
  readonly sameNamed: readonly ReadFence[]
  readonly elsewhere: readonly ReadFence[]
  readonly onLeave: (fences: readonly ReadFence[]) => void
}

function Conflicts({ sameNamed, elsewhere, onLeave }: ConflictsProps): ReactNode {
  return (
    <>
      {sameNamed.length > 0 && (
        <div className="fences-note" data-tone="bad" role="alert">
          <p>{t('{{count}} 个重名，不能导入', { count: sameNamed.length })}</p>
          <Button onClick={() => onLeave(sameNamed)}>{t('取消勾选重名的')}</Button>
        </div>
      )}
      {elsewhere.length > 0 && (
        <div className="fences-note" data-tone="warn">
          <p>{t('{{count}} 个在此服务区之外；其他服务区的请另选服务区导入', { count: elsewhere.length })}</p>
          <Button onClick={() => onLeave(elsewhere)}>{t('取消勾选区外的')}</Button>
        </div>
      )}
    </>
  )
}

function useChecks({
  kind,
  areaId,
  drafts,
}: {
  kind: EditorProps['kind']
  areaId: number | undefined
  drafts: readonly FenceDraft[]
}) {
  const key = JSON.stringify([areaId, drafts])
  const settled = useLater(key)
  const plan = { areaId: areaId ?? 1, kind, drafts: drafts.map((draft) => ({ ...draft, lineId: null })) }
  const isAsked = areaId !== undefined && drafts.length > 0 && settled === key
  const { data } = useEndpoint(fenceManageEndpoints.checkElectricFences, plan, { enabled: isAsked, quiet: true })
  return isAsked ? data?.data.list : undefined
}

function inWgs84(one: ReadFence, system: Datum): ReadFence {
  if (one.draft === null || system === 'wgs84') return one
  const place = (lng: number, lat: number): [number, number] => {
    const at = wgs84Of({ lng, lat })
    return [Math.round(at.lng * 1e6) / 1e6, Math.round(at.lat * 1e6) / 1e6]
  }
  const { shape } = one.draft
  if ('radiusM' in shape) {
    const [lng, lat] = place(shape.centre.lng, shape.centre.lat)
    return { ...one, draft: { ...one.draft, shape: { ...shape, centre: { lng, lat } } } }
  }
  const moved = (ring: [number, number][]) => ring.map(([lng, lat]) => place(lng, lat))
  return { ...one, draft: { ...one.draft, shape: { ring: moved(shape.ring), holes: shape.holes.map(moved) } } }
}

function middleOf(shape: Shape): [number, number] {
  const { west, south, east, north } = boxOf(shape)
  return [(west + east) / 2, (south + north) / 2]
}

function shown({ name, shape }: FenceDraft, isOff: boolean) {
  const own = 'ring' in shape ? { ...shape, radiusM: null } : { ring: null, holes: [], radiusM: shape.radiusM }
  const [lng, lat] = middleOf(shape)
  return { name, ...own, centre: { lng, lat }, isOff }
}

interface IncomingProps {
  readonly fences: readonly ReadFence[]
  readonly left: ReadonlySet<number>
  readonly checks: ReadonlyMap<number, FenceCheck | undefined>
  readonly onToggle: (n: number) => void
  readonly onShow: (shape: Shape) => void
}

function Incoming({ fences, left, checks, onToggle, onShow }: IncomingProps): ReactNode {
  if (fences.length === 0) return null
  const wrong = fences.filter(({ draft }) => draft === null).length
  return (
    <>
      <p className="fences-quiet">{t('共 {{count}} 个，其中 {{wrong}} 个有误', { count: fences.length, wrong })}</p>
      <ul className="fences-incoming">
        {fences.map(({ n, name, draft, problem }) => (
          <li key={n}>
            <label>
              <input
                type="checkbox"
                disabled={draft === null}
                checked={draft !== null && !left.has(n)}
                onChange={() => onToggle(n)}
              />
              {name}
            </label>
            {draft !== null && (
              <button type="button" className="fences-name" onClick={() => onShow(draft.shape)}>
                {t('定位')}
              </button>
            )}
            {problem !== null && <small data-tone="bad">{t(readProblemLabels[problem])}</small>}
            <Warnings check={checks.get(n)} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Warnings({ check }: { readonly check: FenceCheck | undefined }): ReactNode {
  if (check === undefined) return null
  const words = [
    check.nameTaken && t('重名'),
    check.outside === 'all' && t('在服务区之外'),
    check.outside === 'part' && t('有一部分在服务区之外'),
    check.overlaps.length > 0 && t('与 {{names}} 重叠', { names: check.overlaps.map(({ name }) => name).join('、') }),
  ].filter((word) => word !== false)
  return words.length === 0 ? null : <small data-tone={check.nameTaken ? 'bad' : 'warn'}>{words.join(' · ')}</small>
}
