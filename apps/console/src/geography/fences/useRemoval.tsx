import Modal from 'antd/es/modal'
import { useRef, useState, type ReactNode } from 'react'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints, fenceNoteMax } from '@saddle/contract/geography/manage.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { draftOf, fenceReadings } from './words.ts'

/** Asks before fences go, and offers to take it back. */
export function useRemoval(onDone: () => void): {
  readonly ask: (fences: readonly Fence[]) => void
  readonly dialog: ReactNode
} {
  const [asked, setAsked] = useState<readonly Fence[] | null>(null)
  const [note, setNote] = useState('')
  const key = useRef(newIdempotencyKey())
  const restore = useEndpointMutation(fenceManageEndpoints.updateElectricFences, { invalidates: fenceReadings })
  const remove = useEndpointMutation(fenceManageEndpoints.deleteElectricFences, { invalidates: fenceReadings })
  const ask = (fences: readonly Fence[]): void => {
    key.current = newIdempotencyKey()
    setNote('')
    setAsked(fences)
  }
  const act = (fences: readonly Fence[]): void => {
    const seen = fences.map(({ lineId, version }) => ({ lineId, version }))
    const changes = fences.map((fence) => ({
      lineId: fence.lineId,
      version: fence.version,
      ...draftOf(fence),
      restoredFrom: fence.version,
    }))
    const undo = () => restore.mutate({ input: { changes }, idempotencyKey: newIdempotencyKey() })
    remove.mutate(
      { input: { fences: seen, note: note.trim() }, idempotencyKey: key.current },
      {
        onSuccess: () => {
          notify.success({
            text: t('已删除 {{count}} 个围栏', { count: fences.length }),
            action: { label: t('撤销'), run: undo },
          })
          setAsked(null)
          onDone()
        },
        onError: (error) => {
          if (isTryOver(error)) key.current = newIdempotencyKey()
        },
      },
    )
  }
  const names = asked?.slice(0, 5).map(({ name }) => name) ?? []
  const dialog = asked !== null && (
    <Modal open title={t('删除围栏')} width={440} footer={null} onCancel={() => setAsked(null)}>
      <form
        className="fences-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!remove.isPending) act(asked)
        }}
      >
        <p>
          {names.join('、')}
          {asked.length > names.length && t(' 等 {{count}} 个', { count: asked.length })}
        </p>
        <p className="fences-quiet">{t('删除后立即不再用于还车判定；历史版本保留，可以恢复。')}</p>
        <Field
          label={t('原因')}
          value={note}
          maxLength={fenceNoteMax}
          onChange={(event) => setNote(event.target.value)}
        />
        <div className="fences-foot">
          <Button onClick={() => setAsked(null)}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={remove.isPending}>
            {t('删除 {{count}} 个围栏', { count: asked.length })}
          </Button>
        </div>
      </form>
    </Modal>
  )
  return { ask, dialog }
}
