import { useRef, useState } from 'react'
import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints, type FenceDraft } from '@saddle/contract/geography/manage.ts'
import { call, wordsOf, type ApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { useEndpointMutation } from '#kit/query.ts'
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

/** Saves what was drawn, offers to take it back, and notices when somebody else was quicker. */
export function useSave({
  fence,
  onDone,
}: {
  readonly fence: Fence | null
  readonly onDone: (fence: Fence | null) => void
}) {
  const key = useRef(newIdempotencyKey())
  const [newer, setNewer] = useState<Fence | null>(null)
  const options = { invalidates: fenceReadings, onError: (error: ApiError) => void failed(error) }
  const create = useEndpointMutation(fenceManageEndpoints.createElectricFences, { ...options })
  const update = useEndpointMutation(fenceManageEndpoints.updateElectricFences, { ...options })
  const back = {
    update: useEndpointMutation(fenceManageEndpoints.updateElectricFences, { invalidates: fenceReadings }),
    remove: useEndpointMutation(fenceManageEndpoints.deleteElectricFences, { invalidates: fenceReadings }),
  }
  const failed = async (error: ApiError): Promise<void> => {
    // What was refused is another attempt; what got lost on the way is the same one.
    if (isTryOver(error)) key.current = newIdempotencyKey()
    if (error.code === 'fence_changed' && fence !== null) {
      const answer = await call(fenceManageEndpoints.electricFence, { lineId: fence.lineId })
      setNewer(answer.data.list[0] ?? null)
    } else notify.error({ title: t(error.title), text: wordsOf(error) })
  }
  const save = (wanted: Wanted): void => {
    const { kind, areaId, drafts, joined, note } = wanted
    const [own, ...pieces] = drafts
    if (own === undefined) return
    const { files, kept } = photosOf(wanted)
    if (fence === null) {
      create.mutate(
        { input: { areaId, kind, fences: [{ ...own, ...files }, ...pieces], note }, idempotencyKey: key.current },
        {
          onSuccess: ({ data }) => {
            const fences = data.list.map(seen)
            notify.success({
              text: t('已新增 {{count}} 个围栏', { count: data.list.length }),
              action: {
                label: t('撤销'),
                run: () => back.remove.mutate({ input: { fences }, idempotencyKey: newIdempotencyKey() }),
              },
            })
            onDone(data.list[0] ?? null)
          },
        },
      )
      return
    }
    const input = {
      changes: [{ ...seen(fence), ...own, ...files, ...kept }],
      ...(pieces.length > 0 && { adds: { areaId, kind, fences: pieces } }),
      removes: joined.map(seen),
      note,
    }
    update.mutate(
      { input, idempotencyKey: key.current },
      {
        onSuccess: ({ data }) => {
          const [after, ...others] = [...data.list].toSorted(
            (one, other) => Number(other.lineId === fence.lineId) - Number(one.lineId === fence.lineId),
          )
          if (after === undefined) return
          const undo = { changes: changesBack(after, [fence, ...joined]), removes: others.map(seen) }
          notify.success({
            text: t('已保存“{{name}}”，即刻用于还车判定', { name: after.name }),
            action: {
              label: t('撤销'),
              run: () => back.update.mutate({ input: undo, idempotencyKey: newIdempotencyKey() }),
            },
          })
          onDone(after)
        },
      },
    )
  }
  return {
    save,
    isSaving: create.isPending || update.isPending,
    /** What is in force instead of what was looked at. */
    newer,
    goOn: (by: (newer: Fence) => void): void => {
      if (newer !== null) by(newer)
      setNewer(null)
    },
  }
}
