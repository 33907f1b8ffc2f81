import type { ReactNode } from 'react'
import { upgradeEndpoints } from '@saddle/contract/production/upgrades.ts'
import { upgradeActionStateLabels } from '@saddle/contract/production/upgradeWords.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { whereOf } from './ActionList.tsx'
import { actionTone } from './words.ts'
import '../units/units.css'

const shownMax = 20
const refreshEveryMs = 15_000

/** The upgrades of a vehicle's device, the latest first; nothing where there was none. */
export function VehicleUpgrades({ vehicleId }: { readonly vehicleId: number }): ReactNode {
  const { data } = useEndpoint(
    upgradeEndpoints.listUpgradeActions,
    { filter: { vehicleId }, pageSize: shownMax },
    { quiet: true, refetchIntervalMs: refreshEveryMs },
  )
  const rows = data?.data.list ?? []
  if (rows.length === 0) return null
  return (
    <section className="page-card unit-facts" aria-label={t('设备升级')}>
      <h2>{t('设备升级')}</h2>
      <Facts
        facts={rows.map((row) => [
          `${dateTime(row.changedAt)} · #${row.id}`,
          <span key={row.id}>
            <Mark tone={actionTone[row.state]}>{t(upgradeActionStateLabels[row.state])}</Mark> {row.fromVersion ?? '--'}{' '}
            → {row.toVersion} <small>{whereOf(row)}</small>
          </span>,
        ])}
      />
    </section>
  )
}
