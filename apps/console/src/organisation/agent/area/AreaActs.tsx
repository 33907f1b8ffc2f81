import type { ReactNode } from 'react'
import { franchiseEndpoints, type AreaRow } from '@saddle/contract/organisation/franchise.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { useEndpoint } from '#kit/query.ts'
import { Confirm } from '#organisation/parts/Confirm.tsx'
import { franchiseReadings } from '../readings.ts'
import { UsesList } from '../Uses.tsx'

interface Props {
  readonly area: AreaRow
  readonly onClose: () => void
}

/** Stops or starts an area, with what hangs on it shown first. */
export function AreaSwitch({ area, onClose }: Props): ReactNode {
  const words = { name: area.name }
  const next = area.state === 'enabled' ? 'disabled' : 'enabled'
  const uses = useEndpoint(franchiseEndpoints.areaUses, { id: area.id }, { staleMs: 0 })
  const back = useAction(franchiseEndpoints.changeArea, { stale: franchiseReadings })
  const change = useAction(franchiseEndpoints.changeArea, {
    stale: franchiseReadings,
    onDone: () => {
      onClose()
      notify.success({
        text: next === 'disabled' ? t('已停用服务区“{{name}}”', words) : t('已启用服务区“{{name}}”', words),
        action: { label: t('撤销'), run: () => back.send({ id: area.id, state: area.state }) },
      })
    },
  })
  return (
    <Confirm
      title={next === 'disabled' ? t('停用服务区“{{name}}”', words) : t('启用服务区“{{name}}”', words)}
      action={next === 'disabled' ? t('停用 {{name}}', words) : t('启用 {{name}}', words)}
      busy={change.isBusy}
      onConfirm={() => change.send({ id: area.id, state: next })}
      onClose={onClose}
    >
      <p>
        {next === 'disabled'
          ? t('停用后这里不再开始新的骑行；车辆、任务与人员的归属不变，随时可以再启用。')
          : t('启用后这里可以重新开始骑行。')}
      </p>
      <UsesList
        uses={uses.data?.data}
        error={uses.error}
        onRetry={() => void uses.refetch()}
        none={t('没有车辆、任务、围栏或人员属于它。')}
      />
    </Confirm>
  )
}

interface RemovalProps extends Props {
  readonly onRemoved: () => void
}

/** Removes an area; refused, with all that hangs on it, while there is anything. */
export function AreaRemoval({ area, onClose, onRemoved }: RemovalProps): ReactNode {
  const uses = useEndpoint(franchiseEndpoints.areaUses, { id: area.id }, { staleMs: 0 })
  const remove = useAction(franchiseEndpoints.removeArea, {
    stale: [...franchiseReadings, franchiseEndpoints.areaUses],
    done: () => t('已删除服务区“{{name}}”', { name: area.name }),
    onDone: () => {
      onClose()
      onRemoved()
    },
  })
  const known = uses.data?.data
  return (
    <Confirm
      title={t('删除服务区“{{name}}”', { name: area.name })}
      action={t('删除 {{name}}', { name: area.name })}
      typed={area.name}
      refusal={known === undefined ? null : known.list.length > 0 ? t('先移走或结束以下内容，或改为停用。') : null}
      busy={remove.isBusy || known === undefined}
      onConfirm={() => remove.send({ id: area.id })}
      onClose={onClose}
    >
      <p>{t('边界及其历史版本会一并删除，不能恢复。')}</p>
      <UsesList
        uses={known}
        error={uses.error}
        onRetry={() => void uses.refetch()}
        none={t('没有车辆、任务、围栏或人员属于它，可以删除。')}
      />
    </Confirm>
  )
}
