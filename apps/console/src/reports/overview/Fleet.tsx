import type { CSSProperties, ReactElement, ReactNode } from 'react'
import { Link } from 'react-router'
import { vehicleEndpoints, vehicleStateLabels, vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { markOf, markStyles } from '#kit/theme/vehicleColours.ts'
import { ErrorState } from '#kit/ui/states.tsx'

const fleetRefreshMs = 30_000
const mapPath = '/vehicle/operation-map'

/** The vehicles in reach by state: one bar, and each count opens the map with just these. */
export function Fleet(): ReactElement {
  const { data, error, refetch } = useEndpoint(
    vehicleEndpoints.aggregateByType,
    {},
    { refetchIntervalMs: fleetRefreshMs, keepPrevious: true, quiet: true },
  )
  const counts = data?.data
  return (
    <section className="home-fleet" aria-labelledby="home-fleet" aria-busy={counts === undefined && error === null}>
      <h2 id="home-fleet">
        {t('车辆')}
        <b>{counts === undefined ? '--' : number(counts.total)}</b>
        <small>{t('辆')}</small>
      </h2>
      {error !== null && counts === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <States total={counts?.total ?? 0} states={counts?.states ?? {}} />
      )}
    </section>
  )
}

interface StatesProps {
  readonly total: number
  readonly states: Readonly<Partial<Record<(typeof vehicleStates)[number], number>>>
}

function States({ total, states }: StatesProps): ReactElement {
  const { appearance } = useTheme()
  const colour = (state: (typeof vehicleStates)[number]): CSSProperties => ({
    background: markStyles[markOf({ state })][appearance],
  })
  return (
    <>
      <div className="home-bar" aria-hidden="true">
        {total > 0 &&
          vehicleStates
            .filter((state) => (states[state] ?? 0) > 0)
            .map((state) => <span key={state} style={{ ...colour(state), flexGrow: states[state] ?? 0 }} />)}
      </div>
      <ul className="home-states">
        {vehicleStates.map((state) => (
          <li key={state}>
            <MapLink query={`?show=${state}`}>
              <i style={colour(state)} />
              <span>{t(vehicleStateLabels[state])}</span>
              <b>{number(states[state] ?? 0)}</b>
            </MapLink>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Leads to the map for those who may open it; for others it is only a figure. */
function MapLink({ query, children }: { readonly query: string; readonly children: ReactNode }): ReactElement {
  const { held } = usePermissions()
  if (!isRoutePermitted(mapPath, held)) return <span className="home-figure">{children}</span>
  return (
    <Link to={mapPath + query} className="home-figure">
      {children}
    </Link>
  )
}
