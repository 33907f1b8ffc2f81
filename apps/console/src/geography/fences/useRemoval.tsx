import { useState, type ReactNode } from 'react'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints } from '@saddle/contract/geography/manage.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { draftOf, fenceReadings } from './words.ts'

/** Asks before fences are removed, and offers to restore them. */
export function useRemoval(onDone: () => void): {
  readonly ask: (fences: readonly Fence[]) => void
  readonly dialog: ReactNode
} {
  const [asked, ask] = useState<readonly Fence[] | null>(null)
  const restore = useAction(fenceManageEndpoints.updateElectricFences, { stale: fenceReadings })
  const dialog = asked !== null && (
    <Removal
      fences={asked}
      onClose={() => ask(null)}
      onDone={() => {
        const changes = asked.map((fence) => ({
          lineId: fence.lineId,
          version: fence.version,
          ...draftOf(fence),
          restoredFrom: fence.version,
        }))
        notify.success({
          text: t('已删除 {{count}} 个围栏', { count: asked.length }),
          action: { label: t('撤销'), run: () => restore.send({ changes }) },
        })
        onDone()
      }}
    />
  )
  return { ask, dialog }
}

interface RemovalProps {
  readonly fences: readonly Fence[]
  readonly onClose: () => void
  readonly onDone: () => void
}

const namesShown = 5

function Removal({ fences, onClose, onDone }: RemovalProps): ReactNode {
  const names = fences.slice(0, namesShown).map(({ name }) => name)
  return (
    <FormDialog
      call={fenceManageEndpoints.deleteElectricFences}
      about={fences.map(({ lineId }) => lineId).join()}
      title={t('删除围栏')}
      fields={{ note: longText({ label: t('原因'), rows: 2, isOptional: true }) }}
      input={({ note }) => ({ fences: fences.map(({ lineId, version }) => ({ lineId, version })), note })}
      submit={t('删除 {{count}} 个围栏', { count: fences.length })}
      stale={fenceReadings}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {names.join('、')}
        {fences.length > names.length && t(' 等 {{count}} 个', { count: fences.length })}
      </p>
      <p className="fences-quiet">{t('删除后立即不再用于还车判定；历史版本保留，可以恢复。')}</p>
    </FormDialog>
  )
}
