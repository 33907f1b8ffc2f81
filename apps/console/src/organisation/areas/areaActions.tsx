import type { ReactNode } from 'react'
import { areaEndpoints, type AreaRow } from '@saddle/contract/organisation/areas.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { retyped } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { companyCalls } from '../parts/companyCalls.ts'
import { References } from '../parts/References.tsx'

interface Props {
  readonly area: AreaRow
  readonly onClose: () => void
}

/** Stops or starts an area, with what depends on it shown first. */
export function AreaSwitch({ area, onClose }: Props): ReactNode {
  const { id, name, state } = area
  const isStop = state === 'enabled'
  const { shown } = useReferences(id, t('没有车辆、任务、围栏或人员属于它。'))
  return (
    <FormDialog
      call={areaEndpoints.changeArea}
      about={`${id}-state`}
      title={isStop ? t('停用服务区“{{name}}”', { name }) : t('启用服务区“{{name}}”', { name })}
      fields={{}}
      input={() => ({ id, state: isStop ? ('disabled' as const) : ('enabled' as const) })}
      submit={isStop ? t('停用 {{name}}', { name }) : t('启用 {{name}}', { name })}
      stale={companyCalls}
      done={() => (isStop ? t('已停用服务区“{{name}}”', { name }) : t('已启用服务区“{{name}}”', { name }))}
      undo={() => ({ id, state })}
      onClose={onClose}
    >
      <p>
        {isStop
          ? t('停用后这里不再开始新的骑行；车辆、任务与人员的归属不变，随时可以再启用。')
          : t('启用后这里可以重新开始骑行。')}
      </p>
      {shown}
    </FormDialog>
  )
}

/** Removes an area; refused while anything depends on it, which is then listed. */
export function AreaRemoval({ area, onClose, onRemoved }: Props & { readonly onRemoved: () => void }): ReactNode {
  const { id, name } = area
  const { list, shown } = useReferences(id, t('没有车辆、任务、围栏或人员属于它，可以删除。'))
  const isUsed = list !== undefined && list.length > 0
  return (
    <FormDialog
      call={areaEndpoints.removeArea}
      about={id}
      title={t('删除服务区“{{name}}”', { name })}
      fields={isUsed ? {} : { name: retyped(name) }}
      input={() => ({ id })}
      blocked={list === undefined ? t('正在加载…') : isUsed ? t('先移走或结束以下内容，或改为停用。') : null}
      submit={t('删除 {{name}}', { name })}
      stale={[...companyCalls, areaEndpoints.areaUses]}
      done={() => t('已删除服务区“{{name}}”', { name })}
      onDone={onRemoved}
      onClose={onClose}
    >
      <p>{t('边界及其历史版本会一并删除，不能恢复。')}</p>
      {shown}
    </FormDialog>
  )
}

function useReferences(id: number, none: string) {
  const { data, error, refetch } = useEndpoint(areaEndpoints.areaUses, { id }, { staleMs: 0 })
  return {
    list: data?.data.list,
    shown: <References uses={data?.data} error={error} onRetry={() => void refetch()} none={none} />,
  }
}
