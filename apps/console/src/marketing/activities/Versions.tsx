import type { ReactNode } from 'react'
import type { AreaNames } from '#kit/areaNames.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { useRewardChoices } from '../rewards/rewardFields.tsx'
import type { AnyKindUi } from './kind.ts'
import { commonFacts } from './words.ts'

interface Props {
  readonly of: AnyKindUi
  readonly id: number
  readonly names: AreaNames
}

type Fact = readonly [label: string, value: string]

/** How an activity came to be: who changed what, and when. The newest first. */
export function Versions({ of, id, names }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(of.calls.versions, { id })
  const rewards = useRewardChoices(of.givesRewards === true)
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const { list } = data.data
  const factsOf = (version: (typeof list)[number]): readonly Fact[] => [
    ...of.facts(version.terms, rewards),
    ...commonFacts(version.common, names),
  ]
  const shownOf = (one: (typeof list)[number]) => {
    const { version, madeAt, madeBy } = one
    return { version, madeAt, madeBy, facts: factsOf(one) }
  }
  return <VersionList versions={list.map(shownOf)} />
}

interface ShownVersion {
  readonly version: number
  readonly madeAt: number
  readonly madeBy: string
  readonly facts: readonly Fact[]
}

/** What each version says otherwise than the one before it. */
export function VersionList({ versions }: { readonly versions: readonly ShownVersion[] }): ReactNode {
  return (
    <ol className="activity-versions" reversed>
      {versions.map(({ version, madeAt, madeBy, facts }, index) => (
        <li key={version}>
          <strong>{t('版本 {{version}}', { version })}</strong>{' '}
          <small>
            {madeBy} · {dateTime(madeAt)}
          </small>
          <Changes now={facts} before={versions[index + 1]?.facts ?? null} />
        </li>
      ))}
    </ol>
  )
}

function Changes({ now, before }: { readonly now: readonly Fact[]; readonly before: readonly Fact[] | null }) {
  const changes = changesOf(now, before)
  if (changes.length === 0) return <p>{t('没有变化')}</p>
  return (
    <dl>
      {changes.map(({ label, from, to }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {from !== null && <del>{from}</del>} {to !== null && <ins>{to}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What one version says otherwise than the one before; of the first one, all that it says. */
export function changesOf(
  now: readonly Fact[],
  before: readonly Fact[] | null,
): readonly { readonly label: string; readonly from: string | null; readonly to: string | null }[] {
  const earlier = new Map(before)
  const later = new Map(now)
  const labels = [...new Set([...later.keys(), ...earlier.keys()])]
  return labels
    .map((label) => ({ label, from: earlier.get(label) ?? null, to: later.get(label) ?? null }))
    .filter(({ from, to }) => from !== to)
}
