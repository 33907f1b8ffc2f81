import { useEffect, useRef, useState } from 'react'
import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints, type FenceDraft } from '@saddle/contract/geography/manage.ts'
import { useAction } from '#kit/action/useAction.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { draftOf, fenceReadings } from '../fences/words.ts'

interface Wanted {
  readonly kind: FenceKind
  readonly areaId: number
  /** The fence itself first. */
  readonly drafts: readonly FenceDraft[]
  readonly joined: readonly Fence[]
  readonly note: string
  /** Of a parking place: those it keeps, and files it gets. */
  readonly photoIds?: readonly string[]
  readonly photos?: readonly string[]
}

const seen = ({ lineId, version }: Fence) => ({ lineId, version })

/** Only places to park have photos. */
function photosOf({ kind, photoIds, photos = [] }: Wanted) {
  if (kind !== 'parking') return { files: {}, kept: {} }
  return {
    files: photos.length > 0 ? { photos: [...photos] } : {},
    kept: photoIds === undefined ? {} : { photoIds: [...photoIds] },
  }
}

/** Puts a fence, and those that were joined to it, back to what they were. */
const changesBack = (after: Fence, [fence, ...joined]: readonly [Fence, ...Fence[]]) => [
  { ...seen(after), ...draftOf(fence), restoredFrom: fence.version },
  ...joined.map((one) => ({ ...seen(one), ...draftOf(one), restoredFrom: one.version })),
]

/** Saves what was drawn, offers to undo it, and detects when somebody else saved first. */
export function useSave({
  fence,
  onDone,
}: {
  readonly fence: Fence | null
  readonly onDone: (fence: Fence | null) => void
}) {
  const [newer, setNewer] = useState<Fence | null>(null)
  const back = {
    update: useAction(fenceManageEndpoints.updateElectricFences, { stale: fenceReadings }),
    remove: useAction(fenceManageEndpoints.deleteElectricFences, { stale: fenceReadings }),
  }
  const told = (text: string, undo: () => void): void =>
    notify.success({ text, action: { label: t('撤销'), run: undo } })
  const create = useAction(fenceManageEndpoints.createElectricFences, {
    stale: fenceReadings,
    onDone: ({ data }) => {
      const fences = data.list.map(seen)
      told(t('已新增 {{count}} 个围栏', { count: fences.length }), () => back.remove.send({ fences, note: '' }))
      onDone(data.list[0] ?? null)
    },
  })
  const joined = useRef<readonly Fence[]>([])
  const update = useAction(fenceManageEndpoints.updateElectricFences, {
    stale: fenceReadings,
    onDone: ({ data }) => {
      if (fence === null) return
      const after = data.list.find(({ lineId }) => lineId === fence.lineId)
      if (after === undefined) return
      const removes = data.list.filter((one) => one !== after).map(seen)
      const changes = changesBack(after, [fence, ...joined.current])
      told(t('已保存“{{name}}”，即刻用于还车判定', { name: after.name }), () => back.update.send({ changes, removes }))
      onDone(after)
    },
  })
  const failure = update.failure?.code
  useEffect(() => {
    if (failure !== 'fence_changed' || fence === null) return undefined
    const control = new AbortController()
    const read = async (): Promise<void> => {
      const answer = await call(
        fenceManageEndpoints.electricFence,
        { lineId: fence.lineId },
        { signal: control.signal },
      )
      setNewer(answer.data.list[0] ?? null)
    }
    // The refusal is shown by the call; without an answer the form stays as it is.
    read().catch(() => {})
    return () => control.abort()
  }, [failure, fence])
  const save = (wanted: Wanted): void => {
    const { kind, areaId, drafts, note } = wanted
    const [own, ...pieces] = drafts
    if (own === undefined) return
    const { files, kept } = photosOf(wanted)
    if (fence === null) return create.send({ areaId, kind, fences: [{ ...own, ...files }, ...pieces], note })
    joined.current = wanted.joined
    update.send({
      changes: [{ ...seen(fence), ...own, ...files, ...kept }],
      ...(pieces.length > 0 && { adds: { areaId, kind, fences: pieces } }),
      removes: wanted.joined.map(seen),
      note,
    })
  }
  return {
    save,
    isSaving: create.isBusy || update.isBusy,
    /** What is in force instead of what was looked at. */
    newer,
    goOn: (by: (newer: Fence) => void): void => {
      if (newer !== null) by(newer)
      setNewer(null)
      update.clear()
    },
  }
}
