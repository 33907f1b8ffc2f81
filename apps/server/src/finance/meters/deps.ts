import type { Meter, MeterCount, MeterDay, MeterEvent } from '@saddle/contract/finance/meters.ts'
import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'

/** Where a meter is read. Whoever holds the facts registers one: this domain imports none of them. */
export interface MeterSource {
  /** What companies used on a business day that is over. */
  count(day: Omit<MeterDay, 'agentId' | 'areaId'> & { readonly day: string }): Promise<readonly MeterCount[]>
  /** What was counted of one company and area, oldest first, at most `meterEventsMax`; null: not kept any more. */
  events(day: MeterDay): Promise<readonly MeterEvent[] | null>
}

export interface MeterDeps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'log'>
  readonly audit: Audit
  readonly sources: ReadonlyMap<Meter, MeterSource>
}
