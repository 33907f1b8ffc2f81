import { useEffect, useState } from 'react'
import { commandKindLabels } from '@saddle/contract/fleet/commands.ts'
import { hitKindLabels, lookupEndpoints, lookupTextMin, type Hit } from '@saddle/contract/lookup/lookup.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { commandLink } from '#fleet/operation-map/link.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { formatViewpoint } from '#kit/map/view.ts'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useLater } from '#kit/useLater.ts'
import { findNamed, findPages, foundMax, isSpelling, type Found, type Spelled } from './find.ts'
import { actOf, hitLink, isOpenTo, type Act } from './hits.ts'

/** Of the header's own lists, which it keeps as long. */
const optionsStaleMs = 300_000
const areaZoom = 14

interface Search {
  readonly found: readonly Found[]
  /** More may come: the server is being asked. */
  readonly isBusy: boolean
}

/** What a text finds: acts and things of the server, then pages, companies and areas. */
export function useFound(text: string): Search {
  const { held } = usePermissions()
  const isSpelled = useSpelled(text)
  const act = actOf(text, t)
  const wanted = (act?.vehicle ?? text).trim()
  const settled = useLater(wanted)
  const isLooking = settled.length >= lookupTextMin
  const answer = useEndpoint(lookupEndpoints.lookup, { text: settled }, { enabled: isLooking, quiet: true })
  const hits = isLooking && settled === wanted ? (answer.data?.data.hits ?? []) : []
  const named = useNamed({ text, isSpelled, held })
  const found = [
    ...(act === null ? [] : actsOf({ act, hits, held })),
    ...hits.flatMap((hit) => foundHit(hit, held)),
    ...findPages({ text, held, t, isSpelled }),
    ...named,
  ]
  const isBusy = wanted.length >= lookupTextMin && (settled !== wanted || answer.isFetching)
  return { found: [...new Map(found.map((one) => [one.to, one])).values()].slice(0, foundMax), isBusy }
}

/** The table of syllables is large: it is loaded when letters are typed that may be spelled ones. */
function useSpelled(text: string): Spelled {
  const [isSpelled, setSpelled] = useState<{ readonly of: NonNullable<Spelled> } | null>(null)
  const isNeeded = isSpelled === null && isSpelling(text)
  useEffect(() => {
    if (!isNeeded) return
    let isCurrent = true
    import('./initials.ts').then(
      (chunk) => {
        if (isCurrent) setSpelled({ of: chunk.isSpelled })
        return null
      },
      // Without it names are found as they are written.
      () => null,
    )
    return () => {
      isCurrent = false
    }
  }, [isNeeded])
  return isSpelled?.of ?? null
}

interface Named {
  readonly text: string
  readonly isSpelled: Spelled
  readonly held: ReadonlySet<string>
}

function useNamed({ text, isSpelled, held }: Named): readonly Found[] {
  const options = { staleMs: optionsStaleMs, quiet: true, enabled: text.trim() !== '' }
  const companies = useEndpoint(agentEndpoints.listAgentAccounts, {}, options)
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, options)
  const companyRows = (companies.data?.data.rows ?? []).map(({ agentId, company }) => ({ id: agentId, name: company }))
  const foundCompanies = findNamed(companyRows, { text, isSpelled }).map(({ id, name }): Found => ({
    icon: 'agent',
    to: `/agent/account-management?agent=${id}`,
    title: name,
    note: t('加盟商'),
  }))
  const foundAreas = findNamed(areas.data?.data.list ?? [], { text, isSpelled }).map(({ id, name, centre }): Found => {
    const view = encodeURIComponent(formatViewpoint({ ...centre, zoom: areaZoom }))
    const page = `/agent/service-area-management?area=${id}`
    const to = isOpenTo(page, held) ? page : `/vehicle/operation-map?view=${view}`
    return { icon: 'area', to, title: name, note: t('服务区') }
  })
  return [...foundCompanies, ...foundAreas].filter(({ to }) => isOpenTo(to, held))
}

const icons: Readonly<Record<Hit['kind'], Found['icon']>> = {
  vehicle: 'vehicle',
  order: 'finance',
  rider: 'riders',
  ticket: 'feedback',
  task: 'maintenance',
  place: 'area',
  person: 'person',
  account: 'agent',
}

function foundHit(hit: Hit, held: ReadonlySet<string>): readonly Found[] {
  const to = hitLink(hit, held)
  if (to === null) return []
  const at = hit.at === null ? null : dateTime(hit.at).slice(5, 16)
  const note = [t(hitKindLabels[hit.kind]), hit.label === null ? null : t(hit.label), hit.note, at]
  return [
    {
      icon: icons[hit.kind],
      to,
      title: hit.title,
      note: note.filter((part) => part !== null && part !== '').join(' · '),
    },
  ]
}

interface Acting {
  readonly act: Act
  readonly hits: readonly Hit[]
  readonly held: ReadonlySet<string>
}

/** The command for each vehicle that the text may name; the map asks once more before it is sent. */
function actsOf({ act, hits, held }: Acting): readonly Found[] {
  if (!holdsPermission(held, '030101')) return []
  return hits
    .filter(({ kind }) => kind === 'vehicle')
    .map(({ title, note }): Found => ({
      icon: 'key',
      to: commandLink(act.kind, title),
      title: `${t(commandKindLabels[act.kind])} ${title}`,
      note,
    }))
    .filter(({ to }) => isOpenTo(to, held))
}
