import type { Boundary } from '@saddle/contract/feeds/mds.ts'
import { mdsPolicyLimits, type MdsRuleBecomes, type MdsRuleReason } from '@saddle/contract/feeds/policy.ts'
import { shapesOverlap } from '@saddle/geo/shape.ts'
import type { PolicyDocument, RuleDocument } from './document.ts'

/** What a rule would become here. */
export interface RuleUse {
  readonly becomes: MdsRuleBecomes
  readonly reason: MdsRuleReason | null
  /** Of a cap. */
  readonly maximum: number | null
  readonly boundary: Boundary
  /** What stands in these belongs to earlier rules. */
  readonly exceptIn: Boundary
}

export interface Company {
  readonly providerId: string | null
  /** In the words of the standard; null: the company has not said of all its models, so that every rule concerns it. */
  readonly vehicleTypes: ReadonlySet<string> | null
  readonly propulsionTypes: ReadonlySet<string> | null
}

/** States in which a vehicle stands on the street. */
const parked = new Set(['available', 'reserved', 'non_operational', 'non_contactable'])

/** The rules of a policy in their order: what an earlier one has matched, no later one does. */
export function meaningsOf(
  policy: PolicyDocument,
  geographies: ReadonlyMap<string, Boundary | null>,
  company: Company,
): RuleUse[] {
  const earlier: Boundary[number][] = []
  return policy.rules.map((rule) => {
    const shapes = rule.geographies.map((id) => geographies.get(id) ?? null)
    const boundary = shapes.flatMap((shape) => shape ?? [])
    const isWhole = shapes.every((shape) => shape !== null) && boundary.length <= mdsPolicyLimits.polygons
    const over = earlier.filter((shape) => boundary.some((own) => shapesOverlap(own, shape)))
    const own = reasonOf(rule, policy, company) ?? (isWhole ? null : 'shape')
    // A rule that no vehicle of the company can match takes nothing from the later ones.
    if (rule.rule_type === 'count' && own !== 'provider' && own !== 'vehicle' && own !== 'riding')
      earlier.push(...boundary)
    return { ...meaningOf(rule, own, over), boundary: isWhole ? boundary : [] }
  })
}

function meaningOf(rule: RuleDocument, reason: MdsRuleReason | null, over: Boundary): Omit<RuleUse, 'boundary'> {
  if (reason !== null) return nothing(reason)
  const maximum = (rule.maximum ?? 0) - (rule.inclusive_maximum === false ? 1 : 0)
  if (maximum > 0)
    return over.length > mdsPolicyLimits.polygons
      ? nothing('shape')
      : { becomes: 'cap', reason: null, maximum, exceptIn: over }
  return over.length > 0 ? nothing('order') : { becomes: 'no_stop', reason: null, maximum: null, exceptIn: [] }
}

const nothing = (reason: MdsRuleReason): Omit<RuleUse, 'boundary'> => ({
  becomes: 'nothing',
  reason,
  maximum: null,
  exceptIn: [],
})

function reasonOf(rule: RuleDocument, policy: PolicyDocument, company: Company): MdsRuleReason | null {
  const providers = policy.provider_ids ?? []
  if (providers.length > 0 && (company.providerId === null || !providers.includes(company.providerId)))
    return 'provider'
  if (rule.rule_type !== 'count') return rule.rule_type
  if (!isAnyOf(rule.vehicle_types, company.vehicleTypes)) return 'vehicle'
  if (!isAnyOf(rule.propulsion_types, company.propulsionTypes)) return 'vehicle'
  const states = Object.entries(rule.states ?? {})
  if (states.length > 0 && !states.some(([state]) => parked.has(state))) return 'riding'
  if (states.some(([, events]) => events.length > 0)) return 'events'
  if (isPartOfWeek(rule)) return 'hours'
  return rule.maximum === null || rule.maximum === undefined ? 'no_maximum' : null
}

/** Nothing said is everything. */
const isAnyOf = (said: readonly string[] | null | undefined, own: ReadonlySet<string> | null): boolean =>
  own === null || said === null || said === undefined || said.length === 0 || said.some((one) => own.has(one))

function isPartOfWeek({ start_time: start, end_time: end, days }: RuleDocument): boolean {
  const isWholeDay = (start ?? '00:00:00') === '00:00:00' && (end ?? '23:59:59') === '23:59:59'
  return !isWholeDay || (days !== null && days !== undefined && days.length > 0 && new Set(days).size < 7)
}
