import { lazy, Suspense, useState, type ReactNode } from 'react'
import { searchEndpoints, type VehicleFilter, type VehicleRow } from '@saddle/contract/fleet/search.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { List } from '#kit/list/useList.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { usePermissions } from '#kit/session/permissions.ts'
import { ManyVehicles } from '../service/VehicleWork.tsx'
import { columns } from './columns.tsx'
import { useVehicleFilters } from './filters.tsx'
import { vehicleLink } from './link.ts'

const BatchCommand = lazy(() => loadChunk(() => import('../commands/BatchCommand.tsx')))

interface Props {
  readonly list: List<VehicleRow, VehicleFilter>
  readonly title: string
  readonly from: 'query' | 'screening'
  readonly above?: ReactNode
}

/** The vehicles that match the conditions, and the actions on the selected ones. */
export function VehicleSearch({ list, title, from, above }: Props): ReactNode {
  const filters = useVehicleFilters()
  const { held } = usePermissions()
  const canCommand = holdsPermission(held, '030101')
  const canWork = canCommand || holdsPermission(held, '090901')
  const [commanded, setCommanded] = useState<readonly number[] | null>(null)
  return (
    <>
      <ListPage
        list={list}
        title={title}
        filters={filters}
        above={above}
        columns={columns}
        rowName={({ number }) => number}
        empty={t('范围内还没有车辆')}
        toRow={(row) => vehicleLink(row, from)}
        selectable={canWork}
        {...(canWork && { findAll: () => findAll(list.filter) })}
        renderTools={(_rows, _done, keys) => (
          <>
            <ManyVehicles vehicleIds={keys.map(Number)} />
            {canCommand && (
              <Button look="primary" onClick={() => setCommanded(keys.map(Number))}>
                {t('批量指令')}
              </Button>
            )}
          </>
        )}
      />
      {commanded !== null && (
        <Suspense fallback={null}>
          <BatchCommand vehicleIds={commanded} onClose={() => setCommanded(null)} />
        </Suspense>
      )}
    </>
  )
}

async function findAll(filter: VehicleFilter): Promise<readonly number[]> {
  const { data } = await call(searchEndpoints.findVehicleIds, { filter })
  if (data.isCut) notify.info({ text: t('结果太多，只选中了前 {{count}} 辆', { count: data.ids.length }) })
  return data.ids
}
