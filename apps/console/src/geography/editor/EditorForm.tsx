import { useState, type ReactNode } from 'react'
import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import { fenceNameMax, fenceNoteMax } from '@saddle/contract/geography/manage.ts'
import type { Datum } from '@saddle/geo/gcj02.ts'
import { boxOf } from '@saddle/geo/shape.ts'
import { t } from '#kit/i18n/index.ts'
import { CornerText } from '#kit/map/draw/CornerText.tsx'
import { areaOf, shapeOf } from '#kit/map/draw/sketch.ts'
import type { Drawing } from '#kit/map/draw/useDrawing.ts'
import type { MapBounds } from '#kit/map/view.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { AreaChoice } from '../import/AreaChoice.tsx'
import { sizeWord } from '../fences/words.ts'
import { HoursField } from './HoursField.tsx'
import { ImpactPreview } from './ImpactPreview.tsx'
import { PhotosField } from './PhotosField.tsx'
import { areaOfSketch, draftsOf, type Form, type Plan } from './plan.ts'
import { useSave } from './useSave.ts'

interface Props {
  readonly kind: FenceKind
  readonly datum: Datum
  readonly fence: Fence | null
  readonly drawn: readonly Fence[]
  readonly drawing: Drawing<Plan>
  readonly form: Form
  readonly isSound: boolean
  /** Where the map says what saving would mean. */
  readonly strip: HTMLElement | null
  /** Takes a change, not a whole form: a slow photo must not restore old values of other fields. */
  readonly onForm: (change: (form: Form) => Form) => void
  /** Somebody else saved first: continues from their version, with their shape or our own. */
  readonly onNewer: (newer: Fence, keepsMine: boolean) => void
  readonly onFocus: (bounds: MapBounds) => void
  readonly onDone: (fence: Fence | null) => void
}

export function EditorForm(props: Props): ReactNode {
  const { kind, datum, fence, drawn, drawing, form, isSound, strip, onForm, onNewer, onFocus, onDone } = props
  const { plan } = drawing
  const [chosenArea, setArea] = useState<number | undefined>()
  const areaId = fence?.areaId ?? chosenArea ?? areaOfSketch(plan.sketch, drawn)?.areaId
  const drafts = isSound ? draftsOf(plan, form) : null
  // The effect is shown before the fence has a name.
  const checked = isSound ? draftsOf(plan, { ...form, name: form.name.trim() === '' ? t('未命名') : form.name }) : null
  const saving = useSave({ fence, onDone })
  const set = (part: Partial<Form>) => onForm((now) => ({ ...now, ...part }))
  const save = (): void => {
    if (drafts === null || areaId === undefined || saving.isSaving) return
    saving.save({
      kind,
      areaId,
      drafts,
      joined: plan.joined,
      note: form.note.trim(),
      photoIds: form.photoIds,
      photos: form.photos.map(({ base64 }) => base64),
    })
  }
  return (
    <form
      className="fences-form"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {areaId !== undefined && checked !== null && (
        <ImpactPreview
          kind={kind}
          areaId={areaId}
          lineId={fence?.lineId ?? null}
          drafts={checked}
          joined={plan.joined}
          strip={strip}
        />
      )}
      <Field
        label={t('名称')}
        value={form.name}
        maxLength={fenceNameMax}
        disabled={kind === 'service_area'}
        onChange={(event) => set({ name: event.target.value })}
      />
      {fence === null && (
        <div className="fences-field">
          <span>{t('服务区')}</span>
          <AreaChoice value={areaId} onChange={setArea} />
        </div>
      )}
      {kind === 'parking' && <ParkingFields fence={fence} form={form} onChange={set} />}
      <Field
        label={t('修改原因')}
        value={form.note}
        maxLength={fenceNoteMax}
        placeholder={t('写入版本记录')}
        onChange={(event) => set({ note: event.target.value })}
      />
      <SizeLine plan={plan} />
      <CornerText
        sketch={plan.sketch}
        datum={datum}
        allowsCircle
        onChange={(sketch) => {
          drawing.change({ ...plan, sketch })
          onFocus(boxOf(shapeOf(sketch)))
        }}
      />
      {saving.newer !== null && <NewerVersion newer={saving.newer} goOn={saving.goOn} onNewer={onNewer} />}
      <div className="fences-foot">
        <Button onClick={() => onDone(null)}>{t('取消')}</Button>
        <Button
          type="submit"
          look="primary"
          busy={saving.isSaving}
          disabled={drafts === null || areaId === undefined || saving.newer !== null}
        >
          {t('保存')}
        </Button>
      </div>
    </form>
  )
}

interface ParkingProps {
  readonly fence: Fence | null
  readonly form: Form
  readonly onChange: (part: Partial<Form>) => void
}

function ParkingFields({ fence, form, onChange }: ParkingProps): ReactNode {
  return (
    <>
      <Field
        label={t('容量（辆）')}
        inputMode="numeric"
        value={form.capacity}
        error={/^\d{0,5}$/.test(form.capacity.trim()) ? null : t('容量须是 0 至 10000 的整数')}
        onChange={(event) => onChange({ capacity: event.target.value })}
      />
      <HoursField value={form.hours} onChange={(hours) => onChange({ hours })} />
      <PhotosField fence={fence} photoIds={form.photoIds} photos={form.photos} onChange={onChange} />
    </>
  )
}

function SizeLine({ plan: { sketch, pieces, joined } }: { readonly plan: Plan }): ReactNode {
  if (sketch === null) return null
  return (
    <p className="fences-quiet">
      {t('面积 {{size}}', { size: sizeWord(areaOf(sketch)) })}
      {pieces.length > 0 && ` · ${t('拆分为 {{count}} 个', { count: pieces.length + 1 })}`}
      {joined.length > 0 && ` · ${t('并入 {{names}}', { names: joined.map(({ name }) => name).join('、') })}`}
    </p>
  )
}

interface NewerProps extends Pick<Props, 'onNewer'> {
  readonly newer: Fence
  readonly goOn: (by: (newer: Fence) => void) => void
}

/** Another user saved first: continue from their version, with their changes or with the own ones. */
function NewerVersion({ newer, goOn, onNewer }: NewerProps): ReactNode {
  return (
    <div className="fences-note" data-tone="bad" role="alert">
      <p>
        {t('{{name}} 已把它改为第 {{version}} 版，您的修改没有保存。', {
          name: newer.authorName,
          version: newer.version,
        })}
      </p>
      <div className="fences-acts">
        <Button onClick={() => goOn((theirs) => onNewer(theirs, false))}>{t('载入最新版本')}</Button>
        <Button onClick={() => goOn((theirs) => onNewer(theirs, true))}>{t('保留我的修改')}</Button>
      </div>
    </div>
  )
}
