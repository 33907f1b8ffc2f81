import type { settingEndpoints } from '@saddle/contract/settings/choices.ts'
import type { SettingCode, ValueOf } from '@saddle/contract/settings/registry.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { createSettingHandlers } from './choices/handlers.ts'
import { choiceOf, selectChoices, type Place } from './choices/store.ts'

export { readSettingEverywhere } from './choices/everywhere.ts'
export { chosenNumber, chosenNumbers } from './choices/inStatement.ts'

/**
 * What counts for a setting in a company or area: of the place itself, its company, those above, or the default. In a
 * transaction of the system, since a request does not see what companies above have chosen. It is read by one statement over
 * an index and kept nowhere, so that a change counts on every server from its commit on.
 */
export async function readSetting<C extends SettingCode>(tx: Tx, code: C, place: Place): Promise<ValueOf<C>> {
  const { rows } = await selectChoices(place, code).execute(tx)
  // `choiceOf` hands over what the registry allows for this code.
  return choiceOf(code, rows).value as ValueOf<C>
}

export interface Settings {
  readonly handlers: Handlers<typeof settingEndpoints>
}

export function createSettings(kit: Kit, { audit }: { readonly audit: Audit }): Settings {
  return { handlers: createSettingHandlers({ kit, audit }) }
}
